package judging

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/mutants"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/platformapi"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// reference is this project's dispatch system with every aid that a run can use: a clock,
// a restart, credentials, barred users and a route with an agreed price.
type reference struct {
	*host.Host

	secret string
}

func newReference(ctx context.Context) (*reference, error) {
	s := &reference{secret: rand.Text()}
	c := host.Default()
	c.Speed = 0
	c.MaxAhead = host.Duration(366 * 24 * time.Hour)            // far enough to include a change of the clocks on every day of the year
	c.System.Data = fixtures.PersonOf(fixtures.PersonRich).Data // to test overrides, too
	credentials := taxi.Credentials{Style: taxi.AuthBearer, Secret: s.secret}
	var err error
	s.Host, err = host.Open(ctx, c, host.Deps{
		Now: cli.Now, HTTP: dispatch.HTTPOptions{Version: cli.Version(), Credentials: credentials},
	})
	return s, err
}

// apply adds the credentials and aids of the reference to a target.
func (s *reference) apply(t *dispatchside.Target) {
	t.Auth = taxi.Bearer(s.secret)
	t.Disabled, t.Blacklisted = fixtures.PersonOf(fixtures.PersonDisabled).PhoneNumber, fixtures.PersonOf(fixtures.PersonBlacklisted).PhoneNumber
	t.Agreed = &dispatchside.AgreedRoute{Pickup: placeOf("station"), Dropoff: placeOf("airport")}
	t.Restart = s.Restart
	t.SetClock = func(ctx context.Context, to time.Time) error { return s.World().Clock().AdvanceTo(ctx, to) }
	t.MoveClock = func(ctx context.Context, by time.Duration) error { return s.World().Clock().Advance(ctx, by) }
	t.Advance = func(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
		return s.World().Clock().UntilStatus(ctx, id, to, 14*24*time.Hour)
	}
}

// serveReference serves the reference on a free port, over TLS only, and sets the
// target's address and trusted CA.
func serveReference(ctx context.Context, target *dispatchside.Target) (stop func(), err error) {
	s, err := newReference(ctx)
	if err != nil {
		return nil, err
	}
	served, err := serveTLS(ctx, s)
	if err != nil {
		return nil, err
	}
	target.URL, target.TLS = served.url, served.trust
	s.apply(target)
	return served.stop, nil
}

// place is a reference that is being served: its address, how to trust it, and how to stop it.
type place struct {
	url   string
	trust *tls.Config // the CA that a run must trust
	stop  func()
}

// serveTLS serves a reference on a free port, over TLS only.
func serveTLS(ctx context.Context, h http.Handler) (place, error) {
	const goodFor = 90 * 24 * time.Hour
	authority, err := client.NewAuthority(cli.Now())
	if err != nil {
		return place{}, fmt.Errorf("the reference: %w", err)
	}
	const address = "127.0.0.1"
	certificate, err := authority.Issue(cli.Now(), cli.Now().Add(goodFor), address)
	if err != nil {
		return place{}, fmt.Errorf("the reference: %w", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		return place{}, fmt.Errorf("the reference: %w", err)
	}
	server := dispatch.Server(h)
	server.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // a run aborts handshakes on purpose
	server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}}
	go func() { _ = server.ServeTLS(listener, "", "") }() // ends with stop
	return place{"https://" + listener.Addr().String(), &tls.Config{RootCAs: authority.Roots()}, func() { _ = server.Close() }}, nil
}

// systemAlone runs one check against the reference.
func systemAlone(ctx context.Context, id string) (*conformance.Report, error) {
	target := dispatchside.Target{Now: cli.Now, Seed: 1, Only: []string{id}}
	stop, err := serveReference(ctx, &target)
	if err != nil {
		return nil, err
	}
	defer stop()
	rep, err := dispatchside.Run(ctx, target)
	if err != nil {
		return nil, runError(ctx, err)
	}
	return rep, nil
}

// placeOf returns the first place of a kind; there is at least one.
func placeOf(kind string) taxi.Address {
	places := fixtures.Places()
	return places[slices.IndexFunc(places, func(p fixtures.Place) bool { return p.Kind == kind })].Address
}

// callerSetting returns the setting of the small platform by which 'cabrank explain' shows the checks of callers. Its
// clock is fast: the 8 s for which it waits for an answer take a second.
var callerSetting = sync.OnceValue(func() mutants.Setting {
	const times = 8
	return mutants.Setting{Clock: mutants.Fast(mutants.Clock{Now: cli.Now, Wait: wait}, times)}
})

// callerAlone runs one check of callers against the small platform.
func callerAlone(ctx context.Context, id string) (*conformance.Report, error) {
	return mutants.Try(ctx, callerSetting(), []string{id})
}

// platformReference is this project's voice platform in memory. Its access tokens live
// for two seconds of a clock that the run advances, so that no check has to wait.
type platformReference struct {
	*platform.Platform
	records     *records.Records
	credentials platformapi.Credentials
	ahead       atomic.Int64 // of the wall clock, in nanoseconds
}

func newPlatformReference(ctx context.Context) (p *platformReference, err error) {
	p = &platformReference{}
	defer func() {
		if err != nil {
			p.stop()
		}
	}()
	if p.records, err = records.Open(ctx, ""); err != nil {
		return nil, err
	}
	line := voice.NewVirtual(cli.Now()) // it does not advance: nobody listens to the calls
	if p.Platform, err = platform.New(ctx, platform.Options{
		Records: p.records, Now: p.now, Random: rand.Reader, Line: line, Work: line, AccessLife: 2 * time.Second,
	}); err != nil {
		return nil, err
	}
	if err = p.Seed(ctx); err != nil {
		return nil, err
	}
	given, err := p.Credentials(ctx, platform.Credentials{})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(given)
	if err != nil {
		return nil, err
	}
	return p, json.Unmarshal(text, &p.credentials)
}

func (p *platformReference) now() time.Time {
	return cli.Now().Add(time.Duration(p.ahead.Load()))
}

func (p *platformReference) stop() {
	if p.Platform != nil {
		_ = p.Close(context.Background()) // nothing uses the platform any more
	}
	if p.records != nil {
		_ = p.records.Close()
	}
}

// target returns the platform as the target of a run.
func (p *platformReference) target() platformapi.Target {
	return platformapi.Target{
		Credentials: p.credentials, Now: p.now, Nonce: uint64(cli.Now().UnixNano()), Timeout: time.Minute,
		Wait: func(_ context.Context, d time.Duration) { p.ahead.Add(int64(d)) },
	}
}

// platformAlone runs one check against the reference, over TLS.
func platformAlone(ctx context.Context, id string) (*conformance.Report, error) {
	p, err := newPlatformReference(ctx)
	if err != nil {
		return nil, err
	}
	defer p.stop()
	target := p.target()
	served, err := serveTLS(ctx, p.Handler())
	if err != nil {
		return nil, err
	}
	defer served.stop()
	target.URL, target.TLS, target.Only = served.url, served.trust, []string{id}
	rep, err := platformapi.Run(ctx, target)
	if err != nil {
		return nil, platformError(ctx, err)
	}
	return rep, nil
}

// checkSelfFlags are the flags of 'cabrank check self'.
type checkSelfFlags struct {
	areaFlags
	choiceFlags
	suiteFlags
	timeout time.Duration
}

func newCheckSelf(out cli.Outside) *cobra.Command {
	var f checkSelfFlags
	cmd := &cobra.Command{
		Use:   "self",
		Short: "Test the reference itself, with all aids",
		Long: `Test the reference itself over TLS on a free port of this machine, with all aids, so that every check can run.

` + exitCodes{of: "server"}.String(),
		Example: `  cabrank check self
  cabrank check self --quiet --html report.html
  cabrank check self --only BOK-16`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, out) },
	}
	fs := cmd.Flags()
	f.areaFlags.add(fs)
	f.choiceFlags.add(fs)
	f.suiteFlags.add(fs)
	addTimeout(fs, &f.timeout)
	return cmd
}

func (f *checkSelfFlags) run(cmd *cobra.Command, out cli.Outside) error {
	ctx := cmd.Context()
	return f.suiteFlags.run(cmd, out, func(scoring conformance.Scoring, terminal *report.Terminal) (*conformance.Report, error) {
		target := newTarget("", f.seed)
		target.Timeout = f.timeout
		if err := f.choiceFlags.apply(&target, &dispatchside.Suite); err != nil {
			return nil, err
		}
		if err := f.areaFlags.apply(&target); err != nil {
			return nil, err
		}
		stop, err := serveReference(ctx, &target)
		if err != nil {
			return nil, err
		}
		defer stop()
		target.Progress = newWatcher(ctx, out, terminal, f.quiet).progress
		return Judge(ctx, target, scoring, terminal)
	})
}

package phoning

import (
	"cmp"
	"context"
	crand "crypto/rand"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/hooks"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// served is a platform that is being served.
type served struct {
	url          string
	controlToken string // "": none is needed
	credentials  credentials
	flags        *platformFlags
	records      *records.Records
	platform     *platform.Platform
	server       *http.Server
	hangUp       context.CancelFunc // ends long-polling requests
	failed       chan error
}

// start opens the database, and serves the platform until [served.shut].
func (f *platformFlags) start(cmd *cobra.Command, out cli.Outside) (*served, error) {
	if err := f.readToken(out); err != nil {
		return nil, err
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	if err := f.thirdParty.read(out); err != nil {
		return nil, err
	}
	log, err := cli.Logger(cmd, out, f.log)
	if err != nil {
		return nil, err
	}
	return f.begin(cmd.Context(), log, make(chan error, 1))
}

// begin is [platformFlags.start] for flags that are valid already. failed receives the error if the server ends by
// itself.
func (f *platformFlags) begin(ctx context.Context, log *slog.Logger, failed chan error) (*served, error) {
	if err := errors.Join(cli.Withdraw(f.urlFile), cli.Announceable(f.urlFile)); err != nil {
		return nil, err
	}
	listener, err := cli.Listen(ctx, f.listen)
	if err != nil {
		return nil, err
	}
	s := &served{
		flags: f, failed: failed, url: "http://" + cli.Reachable(listener.Addr()),
		credentials: credentials{path: f.credentialsFile},
	}
	if f.certFile != "" {
		s.url = "https://" + cli.Reachable(listener.Addr())
	}
	if err := s.open(ctx, listener, log); err != nil {
		return nil, errors.Join(err, listener.Close(), s.shut())
	}
	return s, nil
}

// open creates the platform and begins to serve it.
func (s *served) open(ctx context.Context, listener net.Listener, log *slog.Logger) (err error) {
	f := s.flags
	if err := cli.FolderOf("--db", f.db); err != nil {
		return err
	}
	if s.records, err = records.Open(ctx, f.db); err != nil {
		return cli.UsageError("--db: %w", err)
	}
	s.credentials.log = log
	random := f.random()
	s.controlToken = f.controlToken
	if !cli.Loopback(listener.Addr()) {
		random = crand.Reader // with a known seed, other machines could compute the credentials
		s.controlToken = cmp.Or(s.controlToken, crand.Text())
	}
	if f.recordings != "" {
		if err := os.MkdirAll(f.recordings, 0o700); err != nil {
			return cli.UsageError("--recordings: %w", err)
		}
	}
	schedule := hooks.Normal
	if f.fastRetries {
		schedule = hooks.Fast
	}
	lines, err := f.sip.options()
	if err != nil {
		return err
	}
	speaker, err := f.sound.speaker()
	if err != nil {
		return err
	}
	hearer, err := f.sound.listener()
	if err != nil {
		return err
	}
	s.platform, err = platform.New(ctx, platform.Options{
		Records: s.records, Now: cli.Now, Random: random, Log: log, Version: cli.Version(),
		Line: voice.NewWall(cli.Now, f.speed), Schedule: schedule, PrivateHooks: f.privateHooks, Zone: f.zone,
		Recordings: f.recordings, RecordingsMost: int64(f.recordingsMost) << 20, BaseURL: func() string { return s.url }, Insecure: f.insecure, ControlToken: s.controlToken,
		Limits:     rest.Limits{CallsPerSecond: f.callsPerSecond, CallBurst: max(1, int(2*f.callsPerSecond)), LiveCalls: f.liveCalls},
		AccessLife: f.tokenLife, RefreshLife: f.refreshLife,
		Live: f.live, Callers: f.callers, SIP: lines, Speaker: speech.SeekSpeaker(speaker), Recogniser: speech.Recogniser{Listener: speech.SeekListener(hearer)},
		Made: s.credentials.stage,
	})
	if errors.Is(err, platform.ErrLines) {
		return cli.UsageError("--sip: %w", err)
	}
	if err != nil {
		return err
	}
	if err := s.credentials.open(ctx, s.platform, s.url); err != nil {
		return err
	}
	if err := f.thirdParty.use(ctx, s.platform); err != nil {
		return err
	}
	if err := s.serve(listener, log); err != nil {
		return err
	}
	return cli.Announce(f.urlFile, s.url)
}

// random returns the source of ids, salts and credentials.
func (f *platformFlags) random() io.Reader {
	if f.seed == 0 {
		return crand.Reader
	}
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], f.seed)
	return rand.NewChaCha8(seed)
}

func (s *served) serve(listener net.Listener, log *slog.Logger) error {
	handler := s.platform.Handler()
	if cli.Loopback(listener.Addr()) {
		handler = cli.LocalOnly(handler)
	}
	base, hangUp := context.WithCancel(context.Background())
	s.hangUp = hangUp
	s.server = rest.Server(handler)
	s.server.BaseContext = func(net.Listener) context.Context { return base }
	s.server.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelWarn)
	if s.flags.certFile != "" {
		certificate, err := newCertificate(listener.Addr(), s.flags.certFile)
		if err != nil {
			return err
		}
		s.server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}}
	}
	go func() { // ends when the server is closed
		var err error
		if s.server.TLSConfig != nil {
			err = s.server.ServeTLS(listener, "", "")
		} else {
			err = s.server.Serve(listener)
		}
		if !errors.Is(err, http.ErrServerClosed) {
			s.failed <- err
		}
	}()
	return nil
}

// untilDone serves until ctx ends or the server fails.
func (s *served) untilDone(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return s.shut()
	case err := <-s.failed:
		return errors.Join(fmt.Errorf("serving: %w", err), s.shut())
	}
}

// Time limits for stopping: for current requests, and in total. A client that does not
// read its response cannot delay it longer.
const (
	answersWithin = 3 * time.Second
	stopWithin    = 8 * time.Second
)

// shut hangs up all calls, completes current requests and closes the database.
func (s *served) shut() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	errs := []error{cli.Withdraw(s.flags.urlFile)}
	if s.hangUp != nil {
		s.hangUp()
		errs = append(errs, s.endAnswers(ctx))
	}
	if s.platform != nil {
		errs = append(errs, s.platform.Close(ctx))
	}
	if s.records != nil {
		errs = append(errs, s.records.Close())
	}
	return errors.Join(errs...)
}

// endAnswers waits for current requests to complete, and then cuts off clients that do not read.
func (s *served) endAnswers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answersWithin)
	defer cancel()
	if err := s.server.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return s.server.Close()
}

// banner prints the settings, the addresses and commands to try.
func (f *platformFlags) banner(w io.Writer, s *served) {
	kept := "in memory, gone when it stops (--db keeps it)"
	if f.db != "" {
		kept = f.db
	}
	c := s.credentials.now()
	fmt.Fprintf(w, "cabrank platform %s: %s, %d accounts, calls ×%g\n", cli.Version(), c.Organisation.Name, len(c.Accounts), f.speed)
	fmt.Fprintf(w, "  base_url         %s  (REST API under /api/v1, Voice API POST /channels/voice)\n", s.url)
	fmt.Fprintf(w, "  OpenAPI          %s/openapi/rest.yaml  (also voice.yaml and sim.yaml)\n", s.url)
	fmt.Fprintf(w, "  database         %s\n", kept)
	if s.controlToken != "" && f.controlToken == "" {
		fmt.Fprintf(w, "  control token    %s  (header X-Cabrank-Control, for /sim/v1)\n", s.controlToken)
	}
	f.sip.banner(w, s)
	f.thirdParty.banner(w, s.url)
	f.credentials(w, c, s.url)
	fmt.Fprintf(w, "  try              %s\n", f.tryLine(c.Accounts[0], s.url))
	fmt.Fprintf(w, "  or               cabrank call --as 201%s, and place a call to {\"extension\":{\"extension\":\"201\"}}\n", platformFlag(s.url))
}

// credentials prints where the credentials are. New ones that are in no file are printed once; older ones cannot be
// shown, since the database has only their hashes.
func (f *platformFlags) credentials(w io.Writer, c platform.Credentials, url string) {
	if f.credentialsFile != "" {
		fmt.Fprintf(w, "  credentials      %s\n", f.credentialsFile)
	} else {
		printKnown(w, c)
	}
	users, accounts := c.Unknown()
	if len(users)+len(accounts) == 0 {
		return
	}
	fmt.Fprintln(w, "  not known here   the database holds hashes only; the credentials are those that were printed, or written, when it was new")
	for _, u := range users {
		fmt.Fprintf(w, "    for a new one  cabrank platform user password '%s'%s\n", u, platformFlag(url))
	}
	for _, a := range accounts {
		fmt.Fprintf(w, "    for a new one  cabrank platform account client '%s'%s\n", a, platformFlag(url))
	}
}

// printKnown prints the credentials that are known.
func printKnown(w io.Writer, c platform.Credentials) {
	for _, u := range c.Users {
		if u.Password != "" {
			fmt.Fprintf(w, "  user             %s %s  (%s)\n", u.Username, u.Password, strings.Join(u.Roles, ", "))
		}
	}
	for _, a := range c.Accounts {
		if a.ClientID != "" {
			fmt.Fprintf(w, "  account          %s %s  (%s, for the Voice API)\n", a.ID, a.ClientID, a.Name)
		}
	}
}

// tryLine returns a curl command that places a minimal call. It does not contain credentials that are in a file.
func (f *platformFlags) tryLine(a access.AccountCredentials, url string) string {
	user, trust := "ACCOUNT_ID:CLIENT_ID", ""
	if f.credentialsFile == "" && a.ClientID != "" {
		user = a.ID + ":" + a.ClientID
	}
	if f.certFile != "" {
		trust = " --cacert " + f.certFile
	}
	return fmt.Sprintf(`curl%s -u %s -H 'Content-Type: application/json' %s/channels/voice -d `+
		`'{"target":{"phoneNumber":{"number":"+442079460001"}},"verbs":[{"say":{"text":["Hello."]}}]}'`, trust, user, url)
}

func platformFlag(url string) string {
	if url == defaultURL {
		return ""
	}
	return " --platform " + url
}

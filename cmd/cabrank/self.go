package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/mutant"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// self is the reference with everything that a run may be lent: a clock to move,
// a restart, credentials, users who are barred and a trip with an agreed price.
type self struct {
	records *store.Store
	secret  string
	policy  dispatch.Policy
	world   atomic.Pointer[simulator.World]
	handler atomic.Pointer[http.Handler]
}

func newSelf(ctx context.Context) (*self, error) {
	s := &self{records: store.Memory(), secret: rand.Text(), policy: dispatch.DefaultPolicy()}
	s.policy.MaxAhead = 366 * 24 * time.Hour // so that the clocks change within reach on every day of the year
	if err := s.restart(ctx); err != nil {
		return nil, err
	}
	return s, s.world.Load().Populate(ctx, fixtures.People())
}

// restart begins again with what is in the store.
func (s *self) restart(ctx context.Context) error {
	start := now()
	if w := s.world.Load(); w != nil {
		start = w.Clock().Now()
	}
	world, err := simulator.New(ctx, s.records, simulator.Options{
		Seed: 1, Start: start, Cars: 40, Policy: &s.policy,
		System: taxi.ConfigResponse{Data: person(fixtures.PersonRich).Data}, // so that overrides are seen too
	})
	if err != nil {
		return err
	}
	credentials, err := dispatch.ParseCredentials("bearer:" + s.secret)
	if err != nil {
		return err
	}
	handler := world.Service().Handler(now, dispatch.HTTPOptions{Version: versionString(), Credentials: credentials})
	s.world.Store(world)
	s.handler.Store(&handler)
	return nil
}

// ServeHTTP implements [http.Handler].
func (s *self) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	(*s.handler.Load()).ServeHTTP(w, r)
}

// lend gives a target what the reference can lend it.
func (s *self) lend(t *conformance.Target) {
	t.Auth = taxi.Bearer(s.secret)
	t.Disabled, t.Blacklisted = person(fixtures.PersonDisabled).PhoneNumber, person(fixtures.PersonBlacklisted).PhoneNumber
	t.Agreed = &conformance.Trip{Pickup: placeOf("station"), Dropoff: placeOf("airport")}
	t.Restart = s.restart
	t.Advance = func(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
		return s.world.Load().Clock().UntilStatus(ctx, id, to, 14*24*time.Hour)
	}
}

// judgeSelf serves the reference on a free port, over TLS and in no other way, and
// points the target at it: a target that trusts whoever signed for the port.
func judgeSelf(ctx context.Context, target *conformance.Target) (stop func(), err error) {
	const goodFor = 90 * 24 * time.Hour
	s, err := newSelf(ctx)
	if err != nil {
		return nil, err
	}
	authority, err := conformance.NewAuthority(now())
	if err != nil {
		return nil, fmt.Errorf("the reference: %w", err)
	}
	const host = "127.0.0.1"
	certificate, err := authority.Issue(now(), now().Add(goodFor), host)
	if err != nil {
		return nil, fmt.Errorf("the reference: %w", err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return nil, fmt.Errorf("the reference: %w", err)
	}
	server := dispatch.Server(s)
	server.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // a run shakes hands wrongly on purpose
	server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}}
	go func() { _ = server.ServeTLS(listener, "", "") }() // ends with stop
	target.URL, target.TLS = "https://"+listener.Addr().String(), &tls.Config{RootCAs: authority.Roots()}
	s.lend(target)
	return func() { _ = server.Close() }, nil
}

// killMatrix judges the judge: by every broken server, odd one and null peer whose
// name or checks speak of the words.
func (f *checkFlags) killMatrix(ctx context.Context, words []string, out outside) error {
	const roomy = 400 // per cent: hundreds of servers make a lot of garbage, and each is small
	defer debug.SetGCPercent(debug.SetGCPercent(roomy))
	sound := func(ctx context.Context) (conformance.Subject, error) {
		s, err := newSelf(ctx)
		if err != nil {
			return conformance.Subject{}, err
		}
		subject := conformance.Subject{Handler: s, Target: conformance.Target{Now: now, Seed: cmp.Or(f.seed, uint64(now().UnixNano())), Timeout: 5 * time.Second}}
		s.lend(&subject.Target)
		return subject, nil
	}
	trial := conformance.Trial{
		Sound: sound, Now: now, Width: runtime.NumCPU() + 1,
		Mutants: speakingOf(words, mutant.All()), Variants: speakingOf(words, mutant.Variants()), Peers: speakingOf(words, mutant.NullPeers()),
	}
	if len(trial.Mutants)+len(trial.Variants)+len(trial.Peers) == 0 {
		return usageError("no broken server speaks of %q; without words all are tried", strings.Join(words, " "))
	}
	matrix, err := conformance.KillMatrix(ctx, trial)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		matrix.Unproved = nil // the others were not asked
	}
	if path := *f.paths["json"]; path != "" {
		err = writeTo("json", path, out, matrix.WriteJSON)
	} else {
		err = matrix.WriteText(out.stdout)
	}
	if err != nil {
		return err
	}
	if !matrix.OK() {
		return &exitError{code: exitFindings}
	}
	return nil
}

// speakingOf chooses mutants by words in their names and in the ids that they are
// for; all for no words.
func speakingOf(words []string, all []conformance.Mutant) []conformance.Mutant {
	var chosen []conformance.Mutant
	for _, m := range all {
		text := strings.ToLower(m.Name + " " + m.KilledBy + " " + m.Warns)
		if strings.Contains(text, strings.ToLower(strings.Join(words, " "))) {
			chosen = append(chosen, m)
		}
	}
	return chosen
}

// person returns the first person of a kind, of which there is at least one.
func person(kind fixtures.PersonKind) fixtures.Person {
	people := fixtures.People()
	return people[slices.IndexFunc(people, func(p fixtures.Person) bool { return p.Kind == kind })]
}

// placeOf returns the first place of a kind, of which there is at least one.
func placeOf(kind string) taxi.Address {
	places := fixtures.Places()
	return places[slices.IndexFunc(places, func(p fixtures.Place) bool { return p.Kind == kind })].Address
}

package fault_test

import (
	"cmp"
	"context"
	"flag"
	"hash/fnv"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
)

var faults = flag.String("faults", "", "the faults that TestEveryFaultIsNoticed runs, such as 'close hang', with all their examples")

// TestEveryFaultIsNoticed puts each fault of the catalogue, and each example of its parameters,
// in front of a sound server, and checks that the suite reports the check that the catalogue
// names. WHOLE=1 runs all of them, as the gate does, and -faults "close hang" these; otherwise
// a hash of the name selects one in sixteen.
func TestEveryFaultIsNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("a server for each fault takes long under the race detector")
	}
	t.Parallel()
	some, chosen := strings.Fields(*faults), os.Getenv("WHOLE") != ""
	var wrong []matrix.Mutant
	for _, f := range fault.Catalogue() {
		at := slices.Index(some, f.Name)
		if at >= 0 {
			some[at] = ""
		}
		for _, x := range f.All() {
			name := fnv.New32a()
			_, _ = name.Write([]byte(x.Do.String()))
			if at >= 0 || *faults == "" && (chosen || name.Sum32()%16 == 0) {
				wrong = append(wrong, mutantOf(x))
			}
		}
	}
	require.Empty(t, strings.Join(some, ""), "-faults: this is not a fault of the catalogue")
	m, err := matrix.KillMatrix(t.Context(), matrix.Trial{
		Suite: &dispatchside.Suite, Sound: sound, Now: time.Now, Focused: true, Mutants: wrong,
	})
	require.NoError(t, err)
	for _, row := range m.Mutants {
		f := row.Mutant
		if f.Name == "close part=end" {
			continue // a call that meets the closing is noticed, W-10 warns then, and whether one does is the network's
		}
		if f.KilledBy == likely {
			noticed := slices.DeleteFunc(slices.Concat(row.Killers, row.Warners), func(name string) bool {
				id, _, _ := strings.Cut(name, "@")
				return !slices.Contains(strings.Fields(likely), id) // probes that came along, of a busy machine
			})
			require.Empty(t, noticed, "%s: the catalogue says that no check notices it", f.Name)
			continue
		}
		noticed := slices.ContainsFunc(slices.Concat(row.Killers, row.Warners), func(name string) bool { return strings.HasPrefix(name, f.KilledBy+"@") })
		if !noticed {
			t.Errorf("%s: %s does not notice it; %v fail, %v warn", f.Name, f.KilledBy, row.Killers, row.Warners)
		}
	}
}

// likely are checks that would notice a fault of which the catalogue says that none does.
const likely = "W-01 W-13 USR-01 USR-08 BOK-01 CAN-01 STA-01 STA-02 STA-14 JRN-02 JRN-06 ENR-02 ENR-07 ENR-11 JRN-16"

// mutantOf returns a server with a fault. If no check should notice the fault, it names the
// checks that could.
func mutantOf(x fault.Example) matrix.Mutant {
	return matrix.Mutant{Name: x.Do.String(), KilledBy: cmp.Or(x.NoticedBy, likely), Wrap: func(next http.Handler) http.Handler {
		system, isOurs := next.(*system)
		if !isOurs {
			panic("the sound server is another")
		}
		set := fault.New(fault.Options{Now: now, Wall: system.now, World: system, NoMagic: true, Pause: system.pause})
		if _, err := set.Add(x.Rule()); err != nil {
			panic(err)
		}
		return fault.Handler(set, next)
	}}
}

// autumn is when the tests take place.
var (
	autumn = time.Date(2026, time.October, 12, 10, 0, 0, 0, time.UTC)
	began  = time.Now()
)

func now() time.Time { return autumn.Add(time.Since(began)) }

// system is a dispatch system, and what a fault may do with it.
type system struct {
	live  atomic.Pointer[host.Host]
	late  atomic.Int64 // time that went by while answers were slow
	begin func(context.Context) (*host.Host, error)
}

func (s *system) now() time.Time { return now().Add(time.Duration(s.late.Load())) }

// pause advances the clock that the suite reads, without waiting.
func (s *system) pause(ctx context.Context, d time.Duration) bool {
	s.late.Add(int64(d))
	return ctx.Err() == nil
}

// ServeHTTP answers with the date that the tests take place at.
func (s *system) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", s.now().Format(http.TimeFormat))
	s.live.Load().ServeHTTP(w, r)
}

// Visit implements [fault.World].
func (s *system) Visit(_ context.Context, do func(*host.Host) error) error { return do(s.live.Load()) }

// Restart implements [fault.World].
func (s *system) Restart(ctx context.Context, keep bool) error {
	if keep {
		return s.live.Load().Restart(ctx)
	}
	h, err := s.begin(ctx)
	if err != nil {
		return err
	}
	return s.live.Swap(h).Close()
}

const secret = "open-sesame-1"

// sound makes a dispatch system with all that helps the suite.
func sound(ctx context.Context) (matrix.Subject, error) {
	c := host.Default()
	c.Speed, c.Cars = 0, 10
	c.Centre = &taxi.Point{Longitude: -1.5491, Latitude: 53.7997}
	s := &system{}
	s.begin = func(ctx context.Context) (*host.Host, error) {
		return host.Open(context.WithoutCancel(ctx), c, host.Deps{Now: s.now, HTTP: dispatch.HTTPOptions{
			Credentials: taxi.Credentials{Style: taxi.AuthBearer, Secret: secret},
		}})
	}
	h, err := s.begin(ctx)
	if err != nil {
		return matrix.Subject{}, err
	}
	s.live.Store(h)
	target := dispatchside.Target{
		Now: s.now, Seed: 1, Timeout: 5 * time.Second, Auth: taxi.Bearer(secret),
		Restart:  func(ctx context.Context) error { return s.Restart(ctx, true) },
		Disabled: fixtures.PersonOf(fixtures.PersonDisabled).PhoneNumber, Blacklisted: fixtures.PersonOf(fixtures.PersonBlacklisted).PhoneNumber,
		Advance: func(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
			return s.live.Load().World().Clock().UntilStatus(ctx, id, to, 14*24*time.Hour)
		},
	}
	return dispatchsidetest.NewSubject(s, target, func() { _ = s.live.Load().Close() }), nil
}

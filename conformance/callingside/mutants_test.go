package callingside_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/callingside/mutants"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// spreads says of how many verdicts a fault may fail that is of the kind on which much
// rests; of others, twelve.
var spreads = map[mutants.Switch]int{
	"path beside the base": 60, "no credentials": 60, "other credentials": 60, "no Content-Type": 60, "/config by GET": 60, "no body for /config": 40,
	"overrides ignored": 18, "ids in small letters": 18, "no credentials on /status": 18,
}

// wrongPlatforms returns the platforms that are wrong in one way.
func wrongPlatforms(clock mutants.Clock) []matrix.Mutant {
	var all []matrix.Mutant
	for _, f := range mutants.Faults() {
		if f.KilledBy == "" && f.Warns == "" {
			continue
		}
		m := platform(string(f.Switch), clock, f.Switch)
		m.KilledBy, m.Warns, m.Most = f.KilledBy, f.Warns, max(spreads[f.Switch], 12)
		all = append(all, m)
	}
	return all
}

// platform is one with switches set.
func platform(name string, clock mutants.Clock, switches ...mutants.Switch) matrix.Mutant {
	return matrix.Mutant{Name: name, Wrap: func(http.Handler) http.Handler { return mutants.NewPlatform(clock.Now, clock.Wait, switches...) }}
}

// oddPlatforms returns platforms that are odd and right.
func oddPlatforms(clock mutants.Clock) []matrix.Mutant {
	var all []matrix.Mutant
	for _, f := range mutants.Faults() {
		if f.KilledBy == "" && f.Warns == "" {
			all = append(all, platform(string(f.Switch), clock, f.Switch))
		}
	}
	german := []mutants.Switch{"speaks de", "no messaging", "asks more", "never polls"}
	return append(all, platform("a right platform", clock), platform("German, by digits, without messaging", clock, german...))
}

// sound returns a maker of right platforms.
func sound(clock mutants.Clock) func(context.Context) (matrix.Subject, error) {
	return func(context.Context) (matrix.Subject, error) {
		return matrix.Subject{
			Handler: mutants.NewPlatform(clock.Now, clock.Wait), Now: clock.Now,
			Test: func(ctx context.Context, at matrix.Place) (*conformance.Report, error) {
				return mutants.Judge(ctx, clock, at.URL, at.Only)
			},
		}, nil
	}
}

// idlePeers returns peers that are not platforms.
func idlePeers() []matrix.Mutant {
	says := func(name string, h http.HandlerFunc) matrix.Mutant {
		return matrix.Mutant{Name: name, Own: true, Wrap: func(http.Handler) http.Handler { return h }}
	}
	return []matrix.Mutant{
		says("exits at every request", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
		says("answers 200 {}", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) }),
		says("answers 501", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotImplemented) }),
		says("answers 404", http.NotFound),
		says("answers HTML", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>ok</html>")) }),
		says("says yes to every question", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"outcome":"completed","offered":["book","edit","cancel","status","comingNow","callDriver"],"asked":["pickup","dropoff","time","name"],
				"said":["Your taxi is booked.","Your taxi is cancelled."],"shown":[{"kind":"location","longitude":-1.5,"latitude":53.8}],"legs":[{"to":"driver","callerId":"+441134960000"}]}`))
		}),
		says("says nothing, and calls nothing", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"outcome":"person","offered":[],"asked":[],"said":[],"shown":[],"legs":[]}`))
		}),
	}
}

// quick is how time goes by in the tests: as fast as a busy machine can answer before a platform gives up, which is after two
// seconds of real time; and twice as fast in the gate, which has all of them.
func quick() mutants.Clock {
	times := 5
	if os.Getenv("WHOLE") != "" {
		times = 10
	}
	wait := func(ctx context.Context, d time.Duration) { client.Pause(ctx, d) }
	return mutants.Fast(mutants.Clock{Now: time.Now, Wait: wait}, times)
}

// TestTheJudgeIsJudged tries platforms that are wrong, odd or none.
func TestTheJudgeIsJudged(t *testing.T) {
	if testing.Short() {
		t.Skip("platforms whose clock is five times as fast are too slow under the race detector")
	}
	t.Parallel()
	clock := quick()
	matrix.Judge(t, matrix.Trial{
		Suite: &callingside.Suite, Sound: sound(clock), Now: time.Now, Width: 6,
		Mutants: wrongPlatforms(clock), Variants: oddPlatforms(clock), Peers: idlePeers(),
	}, matrix.Share{Wrong: 12, Odd: 9, Idle: 6})
}

// TestEachCheckHasAMutant writes down which platforms prove a check.
func TestEachCheckHasAMutant(t *testing.T) {
	t.Parallel()
	proofs := matrix.Proofs(&callingside.Suite, wrongPlatforms(quick()))
	require.NotContains(t, proofs, "no mutant")
	golden.Equal(t, filepath.Join("testdata", "proofs.txt"), proofs)
}

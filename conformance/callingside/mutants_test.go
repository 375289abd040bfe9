package callingside_test

import (
	"context"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/callingside/mutants"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/dispatch/dispatchtest"
)

// spreads says of how many verdicts a fault may fail that is of the kind on which much
// rests; of others, twelve.
var spreads = map[mutants.Switch]int{
	"path beside the base": 60, "no credentials": 60, "other credentials": 60, "no Content-Type": 60, "/config by GET": 60, "no body for /config": 40,
	"overrides ignored": 18, "ids in small letters": 18, "no credentials on /status": 18,
}

// wrongPlatforms returns the platforms that are wrong in one way.
func wrongPlatforms(in mutants.Setting) []matrix.Mutant {
	var all []matrix.Mutant
	for _, f := range mutants.Faults() {
		if f.KilledBy == "" && f.Warns == "" {
			continue
		}
		m := platform(string(f.Switch), in, f.Switch)
		m.KilledBy, m.Warns, m.Most = f.KilledBy, f.Warns, max(spreads[f.Switch], 12)
		all = append(all, m)
	}
	return all
}

// platform returns a mutant that is a platform with switches set.
func platform(name string, in mutants.Setting, switches ...mutants.Switch) matrix.Mutant {
	return matrix.Mutant{Name: name, Listen: port, Wrap: func(http.Handler) http.Handler { return mutants.NewPlatform(in, switches...) }}
}

// oddPlatforms returns platforms that are unusual but right.
func oddPlatforms(in mutants.Setting) []matrix.Mutant {
	var all []matrix.Mutant
	for _, f := range mutants.Faults() {
		if f.KilledBy == "" && f.Warns == "" {
			all = append(all, platform(string(f.Switch), in, f.Switch))
		}
	}
	german := []mutants.Switch{"speaks de", "no messaging", "asks more", "never polls"}
	return append(all, platform("a right platform", in), platform("German, by digits, without messaging", in, german...))
}

// sound returns a function that makes right platforms.
func sound(in mutants.Setting) func(context.Context) (matrix.Subject, error) {
	return func(context.Context) (matrix.Subject, error) {
		return matrix.Subject{
			Handler: mutants.NewPlatform(in), Now: in.Now,
			Test: func(ctx context.Context, at matrix.Place) (*conformance.Report, error) {
				return mutants.Judge(ctx, in, at.URL, at.Only)
			},
		}, nil
	}
}

// idlePeers returns peers that are not platforms.
func idlePeers() []matrix.Mutant {
	says := func(name string, h http.HandlerFunc) matrix.Mutant {
		return matrix.Mutant{Name: name, Own: true, Listen: port, Wrap: func(http.Handler) http.Handler { return h }}
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

// network is where the platforms of the tests are, and whom they call.
var network dispatchtest.Network

// port opens a port of the network for a platform.
func port(time.Time) (*matrix.Port, error) {
	listener, err := network.Listen(context.Background())
	return &matrix.Port{Listener: listener, URL: "http://" + listener.Addr().String()}, err
}

// virtual returns the setting of a testing/synctest bubble: a slow answer takes no time, and a busy machine
// makes none slow. As on a real clock, no two calls begin at the same moment.
func virtual() mutants.Setting {
	var looks atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(looks.Add(1)) * time.Microsecond) }
	wait := func(ctx context.Context, d time.Duration) { client.Pause(ctx, d) }
	return mutants.Setting{Clock: mutants.Clock{Now: now, Wait: wait}, Listen: network.Listen, Dial: network.Dial}
}

// TestTheJudgeIsJudged checks the verdicts of the suite on platforms that are wrong, on platforms that are
// unusual but right, and on servers that are no platforms.
func TestTheJudgeIsJudged(t *testing.T) {
	t.Parallel()
	in := virtual()
	matrix.Judge(t, matrix.Trial{
		Suite: &callingside.Suite, Sound: sound(in), Now: time.Now, Virtual: true,
		Mutants: wrongPlatforms(in), Variants: oddPlatforms(in), Peers: idlePeers(), Behind: behind,
	}, matrix.Share{Wrong: 12, Odd: 9, Idle: 6})
}

// behind are the mutants whose reports name first what the same fault breaks elsewhere.
var behind = map[string]string{
	"never offers to cancel":                  "P-40: the whole menu is judged there",
	"an unknown option makes all the rest go": "P-47: Coming Now is gone with the rest",
	"a user without ENABLED is refused":       "P-58: the answer lacks the member there, too",
	"active bookings not looked at":           "P-47: nothing is offered for a journey",
	"crashes on a fraction":                   "P-59: of /config, which comes first",
	"crashes on null within /status":          "P-60: null is within those answers, too",
	"gives up after half a second":            "P-47: the menu is never reached",
	"the first userId kept for all":           "P-15: another id is sent back than was received",
	"the first of many bookings in /status":   "P-47: the status of another journey decides",
	"the other call's pickup":                 "P-85: the caller's next booking has the same pickup, too",
	"never tells vehicle":                     "P-81: it is among what is told",
}

// TestEachCheckHasAMutant checks that every check that is not only observed has a wrong platform that proves
// it, and compares the list with testdata/proofs.txt.
func TestEachCheckHasAMutant(t *testing.T) {
	t.Parallel()
	proofs := matrix.Proofs(&callingside.Suite, wrongPlatforms(virtual()))
	require.NotContains(t, proofs, "no mutant")
	golden.Equal(t, filepath.Join("testdata", "proofs.txt"), proofs)
}

package dispatchside_test

import (
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/simulator/vary"
)

// failing answers one call of an operation in another way.
type failing struct {
	http.Handler
	path string
	nth  int32
	with func(http.ResponseWriter)
	seen atomic.Int32
}

func (f *failing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == f.path && f.seen.Add(1) == f.nth {
		f.with(w)
		return
	}
	f.Handler.ServeHTTP(w, r)
}

// hangUp breaks a connection off in the middle of the answer.
func hangUp(w http.ResponseWriter) {
	w.Header().Set("Content-Length", "100")
	_, _ = w.Write([]byte(`{"journeyId"`))
	w.(http.Flusher).Flush() // or the client would make the call again by itself
	panic(http.ErrAbortHandler)
}

func unavailable(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) }

// TestSingleFailedCallIsFlakyNotFailed checks that one failed call of an otherwise right server makes a check flaky and not
// failed. TIMES=100 does so a hundred times, each time for another call.
func TestSingleFailedCallIsFlakyNotFailed(t *testing.T) {
	t.Parallel()
	seeds := 1
	if n, err := strconv.Atoi(os.Getenv("TIMES")); err == nil {
		seeds = n
	}
	for seed := range seeds {
		for path, with := range map[string]func(http.ResponseWriter){"/status": hangUp, "/user": unavailable, "/book": hangUp, "/cancel": unavailable} {
			target := dispatchside.Target{Seed: uint64(seed), Only: strings.Fields("W-01 STA-01 JRN-01 JRN-02 JRN-03 JRN-04 JRN-09 CAN-01 BOK-04 USR-10 BOK-19")}
			rep := check(t, &failing{Handler: dispatchsidetest.NewVendor(dispatchsidetest.None), path: path, nth: int32(3 + seed), with: with}, target)
			for _, c := range rep.Checks {
				require.NotEqual(t, conformance.Fail, c.Outcome, "%s: %+v", path, c)
				if c.ID == "W-01" && "/"+string(c.Operation) == path && seed == 0 { // later calls may be odd ones, or tidy up
					require.Equal(t, conformance.Flaky, c.Outcome, "%s: %+v", path, c)
					require.Len(t, c.Findings[0].Exchanges, 2)
				}
			}
			require.Equal(t, conformance.ExitPass, rep.ExitCode(), rep.Verdict())
			require.Empty(t, rep.Leftovers)
		}
	}
}

// TestWhatIsAllowedIsNoFinding checks that no check fails, warns or is flaky while the reference varies its
// answers in every way that the interface allows. One world is tried; TIMES=N tries N others at each level.
func TestWhatIsAllowedIsNoFinding(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	judge := func(level vary.Level, seed uint64) {
		r, err := newVariation(t.Context(), level, seed)
		require.NoError(t, err)
		defer r.Close()
		for _, c := range check(t, r, r.target(seed)).Checks {
			switch c.Outcome {
			case conformance.Fail, conformance.Warn, conformance.Flaky, conformance.Broken:
				t.Errorf("level %d, seed %d: %s %s: %s, want %s, got %s", level, seed, c.ID, c.Outcome, c.Findings[0].Message, c.Findings[0].Expected, c.Findings[0].Got)
			}
		}
	}
	judge(vary.Rich, 1)
	worlds, _ := strconv.Atoi(os.Getenv("TIMES")) // none by default
	for n := range worlds {
		judge(vary.Mild, uint64(100+n))
		judge(vary.Rich, uint64(100+n))
	}
}

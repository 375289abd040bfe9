package dispatchside_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/dispatchsidetest"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// TestTheJudgeIsJudged checks the verdicts of the suite on servers that are wrong, on servers that are unusual
// but right, and on those that are not servers of the interface. Without WHOLE=1, the unusual ones are left to
// [TestOddServersAreASuccess].
func TestTheJudgeIsJudged(t *testing.T) {
	if testing.Short() {
		t.Skip("two hundred servers take minutes under the race detector")
	}
	t.Parallel()
	wrong := wrongServers()
	if !whole() {
		wrong = slices.DeleteFunc(wrong, func(m matrix.Mutant) bool { return m.Name == "no more than twenty reads" }) // 20 s: each refusal slows the run down
	}
	matrix.Judge(t, matrix.Trial{
		Suite: &dispatchside.Suite, Sound: sound(1), Now: time.Now, Width: 3, Mutants: wrong, Variants: oddServers(), Peers: idlePeers(), Behind: behind,
	}, matrix.Share{Wrong: 24, Idle: 3})
}

// behind are the mutants whose reports name first what the same fault breaks elsewhere.
var behind = map[string]string{
	"cancelled still listed":                    "BOK-01: the walk that shows it is repeated after the clock was moved",
	"still listed as WAITING":                   "BOK-01: the walk that shows it is repeated after the clock was moved",
	"second cancel crashes":                     "CON-02: nine of ten cancellations are second ones",
	"each read advances":                        "USR-10: a journey ends while it is looked for",
	"references counted in memory":              "JRN-12: an id that comes again hides the earlier journey",
	"a field of the wrong type crashes":         "BOK-40: it makes such calls, too",
	"no more than ten bookings at a time":       "W-01: calls fail and are served when repeated",
	"no more than twenty reads at a time":       "STA-01: a read fails",
	"a cancellation that meets an edit is lost": "CON-02: a cancellation is lost there, too",
	"slower with each booking":                  "TIM-01: in the end each call is slow",
}

// TestEachCheckHasAMutant checks that every check that is not only observed has a wrong server that proves it,
// and compares the list with testdata/proofs.txt.
func TestEachCheckHasAMutant(t *testing.T) {
	t.Parallel()
	proofs := matrix.Proofs(&dispatchside.Suite, wrongServers())
	require.NotContains(t, proofs, "no mutant")
	golden.Equal(t, filepath.Join("testdata", "proofs.txt"), proofs)
}

// TestNoFalseAlarmByChance checks that the unusual but right servers pass also with other names, numbers,
// places and times than in [TestTheJudgeIsJudged]: TIMES=100 tries a hundred seeds.
func TestNoFalseAlarmByChance(t *testing.T) {
	seeds, err := strconv.Atoi(os.Getenv("TIMES"))
	if err != nil {
		t.Skip("one seed is tried by TestTheJudgeIsJudged; TIMES=N tries N others")
	}
	t.Parallel()
	for seed := range seeds {
		matrix, err := matrix.KillMatrix(t.Context(), matrix.Trial{
			Suite: &dispatchside.Suite, Sound: sound(uint64(100 + seed)), Now: time.Now, Variants: oddServers(),
		})
		require.NoError(t, err)
		for _, r := range matrix.Variants {
			if !r.OK {
				t.Errorf("seed %d, %s: %s %v", 100+seed, r.Name, r.Problem, r.Killers)
			}
		}
	}
}

// TestGivenPlacesMakeNoRoundTrips checks that bookings between the two places of a target do not fail on a server
// that refuses to take anybody from a place to itself.
func TestGivenPlacesMakeNoRoundTrips(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	trip := toTheAirport()
	report := check(t, refusingRoundTrips(dispatchsidetest.NewVendor(dispatchsidetest.None)), dispatchside.Target{Seed: 3, Places: []taxi.Address{trip.Pickup, trip.Dropoff}})
	for _, c := range report.Checks {
		if strings.HasPrefix(c.ID, "BOK-0") || strings.HasPrefix(c.ID, "JRN-") || c.ID == "BOK-15" {
			require.NotEqual(t, conformance.Fail, c.Outcome, "%s: %v", c.ID, c.Findings)
		}
	}
}

// TestRefusedFirstBookingLeavesCheckUnverified checks that IDM-01 is not verified if the first of its two
// bookings is refused.
func TestRefusedFirstBookingLeavesCheckUnverified(t *testing.T) {
	t.Parallel()
	var bookings atomic.Int32
	server := dispatchsidetest.NewVendor(dispatchsidetest.None)
	report := check(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/book" && bookings.Add(1) <= 2 { // it is asked again once
			http.Error(w, `{"error":"busy"}`, http.StatusServiceUnavailable)
			return
		}
		server.ServeHTTP(w, r)
	}), dispatchside.Target{Seed: 3, Only: []string{"IDM-01"}})
	require.Equal(t, conformance.NotVerified, outcomeOf(report, "IDM-01"))
}

// refusingRoundTrips refuses bookings from a place to itself.
func refusingRoundTrips(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var b taxi.BookRequest
		if err == nil && r.URL.Path == "/book" && json.Unmarshal(body, &b) == nil && b.Pickup != nil && len(b.Dropoffs) > 0 && b.Pickup.Address == b.Dropoffs[0].Address {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnprocessableEntity)
			_, _ = io.WriteString(w, `{"error":"you are there already"}`)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		h.ServeHTTP(w, r)
	})
}

package interop_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/interop"
)

// The odd vendors and platforms of the seeded pairs.
var (
	oddVendors = []string{
		"the reference", "minimal replies", "no phone at ARRIVED", "another vendor", "CANCELED", "a plus refused in bookings", "ids of 200 characters",
		"edited pickup not applied", "everybody is ENABLED", "vehicle without registration", "offsets refused", "switches options off",
	}
	oddPlatforms = []string{
		"a right platform", "no name in /book", "ids cut at 64", "Coming Now never offered", "no credentials", "a phone number without plus in /book",
		"pickupTime in another zone", "/book retried blindly", "no messaging", "says little", "cannot tell offered", "DISABLED books", "no userId in /cancel",
		"polls ten times a second", "always asks for the drop-off", "an empty number sent", "the raw price", "the badge whatever is on",
	}
)

// chosen are pairs of which something is known to go wrong, or to be missing.
var chosen = [][2]string{
	{"the reference", "a right platform"},
	{"no phone at ARRIVED", "a right platform"},
	{"ids of 200 characters", "ids cut at 64"},
	{"a plus refused in bookings", "a right platform"},
	{"offsets refused", "pickupTime in another zone"},
	{"the reference", "no name in /book"},
	{"switches options off", "always asks for the drop-off"},
	{"the reference", "DISABLED books"},
	{"the reference", "/book retried blindly"},
	{"the reference", "the raw price"},
	{"the reference", "the badge whatever is on"},
	{"the reference", "no credentials"},
	{"the reference", "an empty number sent"},
	{"the reference", "Coming Now never offered"},
	{"another vendor", "no messaging"},
	{"edited pickup not applied", "a right platform"},
}

// seededPairs are as many as there are to be, the chosen ones first.
func seededPairs(n int) [][2]string {
	pairs, r := slices.Clone(chosen), rand.New(rand.NewPCG(12, 9))
	for len(pairs) < n {
		one := [2]string{oddVendors[r.IntN(len(oddVendors))], oddPlatforms[r.IntN(len(oddPlatforms))]}
		if !slices.Contains(pairs, one) {
			pairs = append(pairs, one)
		}
	}
	return pairs[:n]
}

// judged are the runs, each made once.
type judged struct {
	mu   sync.Mutex
	runs map[string]func() *conformance.RunFile
}

func (j *judged) of(name string, run func() *conformance.RunFile) *conformance.RunFile {
	j.mu.Lock()
	if j.runs[name] == nil {
		j.runs[name] = sync.OnceValue(run)
	}
	one := j.runs[name]
	j.mu.Unlock()
	return one()
}

// TestPredictionsHold judges odd vendors and odd platforms alone, predicts what they do
// together, has them do it, and compares. WHOLE=1 does it for all twenty pairs.
func TestPredictionsHold(t *testing.T) {
	t.Parallel()
	n := 4
	switch {
	case os.Getenv("WHOLE") != "":
		n = 20
	case testing.Short():
		n = 1
	}
	runs := &judged{runs: map[string]func() *conformance.RunFile{}}
	var mu sync.Mutex
	held := map[interop.Verdict]map[string]int{interop.Works: {}, interop.Breaks: {}, interop.Without: {}}
	t.Run("pairs", func(t *testing.T) {
		for _, names := range seededPairs(n) {
			t.Run(names[0]+" and "+names[1], func(t *testing.T) {
				t.Parallel()
				v := runs.of("v "+names[0], func() *conformance.RunFile { return judgeVendor(t, names[0]) })
				p := runs.of("p "+names[1], func() *conformance.RunFile { return judgePlatform(t, names[1]) })
				f, err := interop.Join(v, p)
				require.NoError(t, err)
				compareGolden(t, names, f)
				worked := runTogether(t, names[0], names[1])
				for _, one := range f.Predictions {
					did, tried := worked[one.ID]
					if one.Verdict == interop.Unknown || !tried {
						continue
					}
					if did != (one.Verdict == interop.Works) {
						t.Errorf("%s: predicted %q, and it worked: %v\n%s", one.ID, one.Sentence, did, evidence(one))
					}
					mu.Lock()
					held[one.Verdict][one.ID]++
					mu.Unlock()
				}
			})
		}
	})
	for verdict, ids := range held {
		t.Log(verdict, "held, with how many pairs:", ids)
	}
	require.GreaterOrEqual(t, len(held[interop.Works]), 25)
	if n > 1 {
		require.GreaterOrEqual(t, len(held[interop.Breaks]), n/2)
		require.NotEmpty(t, held[interop.Without])
	}
}

// forecasts are the pairs of which all that is printed is compared.
var forecasts = map[[2]string]string{
	chosen[0]: "right.txt", chosen[1]: "without.txt", chosen[2]: "breaks.txt",
}

// numbered are what differs from run to run.
var numbered = regexp.MustCompile(`(call|observation) \d+|127\.0\.0\.1:\d+`)

// compareGolden compares what is printed of a pair, but for the numbers of calls.
func compareGolden(t *testing.T, names [2]string, f *interop.Forecast) {
	t.Helper()
	if forecasts[names] == "" {
		return
	}
	text := numbered.ReplaceAllString(strings.Join(f.Lines(false), "\n")+"\n", "$1 N")
	golden.Equal(t, filepath.Join("testdata", forecasts[names]), text)
}

func evidence(p interop.Prediction) string {
	var text strings.Builder
	for _, e := range append(p.Vendor, p.Platform...) {
		fmt.Fprintf(&text, "   %+v\n", e)
	}
	return text.String()
}

package interop_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/interop"
)

// Small run files, of which the fuzzer makes odd ones.
const (
	smallVendor = `{"format":"cabrank-run/1","suite":{"suite":"third-party"},"target":"http://v","failOn":"must",
	"catalogue":[{"id":"BOK-34","level":"robustness","operations":["book"]},{"id":"IDM-01","level":"observed","operations":["book"]},{"id":"USR-14","level":"should","operations":["user"]}],
	"checks":[{"id":"BOK-34","level":"robustness","operation":"book","outcome":"pass","findings":[],"shownBy":[1]},
	{"id":"IDM-01","level":"observed","operation":"book","outcome":"observed","findings":[{"outcome":"observed","message":"x","exchanges":[1,2]}]}],
	"exchanges":[{"id":1,"operation":"book","request":{"body":"{\"phoneNumber\":\"+44\",\"pickupTime\":\"2026-10-12T10:00:00Z\"}"},"response":{"status":200,"body":"{\"journeyId\":\"Ab/é\"}","tls":{"version":"TLS 1.3"}}},
	{"id":2,"operation":"book","request":{"body":"[]"},"response":{"status":200,"body":"{\"journeyId\":7}"}},
	{"id":3,"operation":"status","request":{"body":"{}"},"response":{"status":200,"body":"{\"status\":\"ARRIVED\",\"driver\":null,\"date\":5}"}},
	{"id":4,"operation":"user","intent":"unknown-phone","request":{},"response":{"status":404}},
	{"id":5,"operation":"config","request":{},"response":{"status":200,"body":"{\"data\":{\"options\":[1]}}"}}]}`
	smallPlatform = `{"format":"cabrank-run/1","suite":{"suite":"caller"},"target":"http://p","failOn":"must",
	"catalogue":[{"id":"P-19","level":"should","operations":["book"]}],
	"checks":[{"id":"P-19","level":"should","operation":"book","outcome":"fail","findings":[{"outcome":"fail","message":"again","exchanges":[1],"observations":[2]}]}],
	"observations":[{"id":1,"probe":"a status","at":"2026-10-12T10:00:00Z","text":"asked for {\"journeyId\":\"x\"}"},{"id":2,"probe":"a status","at":"2026-10-12T10:00:00Z","text":"answered {\"said\":[\"14.6\"]}"},
	{"id":3,"probe":"404 from /user","at":"2026-10-12T10:00:00Z","text":"failed badly"},{"id":4,"probe":"a location by message","at":"2026-10-12T10:00:00Z","text":"not supported"}],
	"exchanges":[{"id":1,"operation":"book","direction":"received","probe":"a status","request":{"body":"{\"phoneNumber\":\"+44\",\"dropoffs\":[],\"pickupTime\":\"now\"}"}},
	{"id":2,"operation":"status","direction":"received","probe":"a status","request":{"body":"{\"journeyId\":\"y\"}"}}]}`
)

// join reads two run files and joins them; the error is that of either step.
func join(vendor, platform []byte) (*interop.Forecast, error) {
	v, err := conformance.ReadRunFile(bytes.NewReader(vendor), &dispatchside.Suite, &callingside.Suite)
	if err != nil {
		return nil, err
	}
	p, err := conformance.ReadRunFile(bytes.NewReader(platform), &dispatchside.Suite, &callingside.Suite)
	if err != nil {
		return nil, err
	}
	return interop.Join(v, p)
}

// TestSmallRuns has two run files in which little was seen.
func TestSmallRuns(t *testing.T) {
	t.Parallel()
	f, err := join([]byte(smallVendor), []byte(smallPlatform))
	require.NoError(t, err)
	byID := map[string]interop.Prediction{}
	for _, p := range f.Predictions {
		byID[p.ID] = p
	}
	require.Equal(t, interop.Without, byID["coming-now"].Verdict)
	require.Equal(t, "Coming Now will never be offered: no driver.phoneNumber at ARRIVED", byID["coming-now"].Sentence)
	require.Equal(t, interop.Evidence{Side: interop.Vendor, Call: 3, Pointer: "/driver/phoneNumber", Says: "no driver.phoneNumber"}, byID["coming-now"].Vendor[0])
	require.Equal(t, interop.Breaks, byID["refusals"].Verdict)
	require.Equal(t, interop.Breaks, byID["lost-answer"].Verdict, byID["lost-answer"].Sentence)
	require.Equal(t, interop.Unknown, byID["badge"].Verdict)
	require.Equal(t, interop.Works, byID["numbers"].Verdict)
	require.Contains(t, byID["ids"].Sentence, "the platform was not tried with ids with")

	_, err = join([]byte(smallPlatform), []byte(smallVendor))
	require.ErrorContains(t, err, "the other way round")
	_, err = join([]byte(strings.Replace(smallVendor, "third-party", "platform", 1)), []byte(smallPlatform))
	require.ErrorContains(t, err, `the first is a run of the suite "platform"`)
}

// TestLongTextsAreCut has run files that say far too much.
func TestLongTextsAreCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 100_000)
	platform := strings.ReplaceAll(smallPlatform, `"again"`, `"`+long+`"`)
	f, err := join([]byte(strings.ReplaceAll(smallVendor, "http://v", long)), []byte(platform))
	require.NoError(t, err)
	for _, line := range f.Lines(true) {
		require.Less(t, len(line), 1500)
	}
}

// TestSpoiltRuns joins run files of which something was cut out, doubled or exchanged.
func TestSpoiltRuns(t *testing.T) {
	t.Parallel()
	r, joined := rand.New(rand.NewPCG(1, 2)), 0
	spoil := func(text string) []byte {
		b := []byte(text)
		for range r.IntN(3) {
			from := r.IntN(len(b))
			to := min(len(b), from+1+r.IntN(40))
			piece, at := slices.Clone(b[from:to]), r.IntN(len(b))
			if r.IntN(2) == 0 {
				b = slices.Delete(b, from, to)
				at = min(at, len(b))
			}
			b = slices.Insert(b, at, piece...)
		}
		return b
	}
	for range 2000 {
		if f, err := join(spoil(smallVendor), spoil(smallPlatform)); err == nil {
			require.NotEmpty(t, f.Lines(true))
			joined++
		}
	}
	require.Greater(t, joined, 100)
}

// FuzzJoin joins whatever can be read.
func FuzzJoin(f *testing.F) {
	f.Add([]byte(smallVendor), []byte(smallPlatform))
	f.Add([]byte(smallVendor), []byte(strings.Replace(smallPlatform, "again", "\x1b[31m", 1)))
	f.Fuzz(func(t *testing.T, vendor, platform []byte) {
		one, err := join(vendor, platform)
		if err != nil {
			return
		}
		for _, p := range one.Predictions {
			if p.Verdict == interop.Works && (len(p.Vendor) == 0 || len(p.Platform) == 0) {
				t.Errorf("%s works, and one side shows nothing", p.ID)
			}
		}
		require.NotEmpty(t, one.Lines(true))
	})
}

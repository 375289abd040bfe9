package platform_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/fixtures"
)

// spelt replaces the words for digits.
var spelt = strings.NewReplacer(
	"zero", "0", "oh", "0", "nought", "0", "one", "1", "two", "2", "three", "3", "four", "4",
	"five", "5", "six", "6", "seven", "7", "eight", "8", "nine", "9",
)

var (
	twice   = regexp.MustCompile(`double[^a-z0-9]*([0-9])`)
	thrice  = regexp.MustCompile(`(?:triple|treble)[^a-z0-9]*([0-9])`)
	between = regexp.MustCompile(`([0-9])[^a-z0-9]+`)
)

// figuresOf returns a text with all digits and words for digits as figures, without anything between them.
func figuresOf(text string) string {
	text = spelt.Replace(strings.ToLower(text))
	text = thrice.ReplaceAllString(text, "$1$1$1")
	text = twice.ReplaceAllString(text, "$1$1")
	return between.ReplaceAllString(text, "$1")
}

// TestFiguresOfNormalisesSpeltNumbers checks that figuresOf finds a telephone number in any spelling, and does not
// join figures with other words between them.
func TestFiguresOfNormalisesSpeltNumbers(t *testing.T) {
	for _, text := range []string{
		"+442079460001", "020 7946 0001", "020-7946-0001", "(020) 7946.0001", "2 0 7 9 4 6 0 0 0 1",
		"two zero seven, nine four six, zero zero zero one", "Two oh seven nine four six triple oh one",
		"two zero seven nine four six double zero, zero one", `"0","2","0","7","9","4","6","0","0","0","1"`,
	} {
		require.Contains(t, figuresOf(text), "2079460001", text)
	}
	require.NotContains(t, figuresOf("in 20 minutes, at 7946 metres; a 0001 b"), "2079460001")
}

// withoutOwn removes the from of inbound calls from a JSON text: it is the number that the caller shows, and hooks
// are meant to get it.
func withoutOwn(t *testing.T, text string) string {
	t.Helper()
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	strip(v)
	out, err := json.Marshal(v)
	require.NoError(t, err)
	return string(out)
}

func strip(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			strip(e)
		}
	case map[string]any:
		if v["direction"] == "inbound" || v["rung"] == false {
			delete(v, "from")
		}
		for _, e := range v {
			strip(e)
		}
	}
}

// outputs returns everything that both ends write, except dispatch's answers to the platform and the numbers that
// callers show.
func (e *ends) outputs(all []*endsCaller) map[string]string {
	out := map[string]string{
		"logs": e.logs.String(), "recordings": e.recorded(),
		"/sim/v1/calls":      withoutOwn(e.t, string(e.ask(http.MethodGet, "/sim/v1/calls?limit=1000", ""))),
		"/sim/v1/deliveries": withoutOwn(e.t, string(e.ask(http.MethodGet, "/sim/v1/deliveries?limit=1000", ""))),
	}
	for _, c := range e.calls() {
		out["/sim/v1/calls/"+c.ID] = withoutOwn(e.t, string(e.ask(http.MethodGet, "/sim/v1/calls/"+c.ID, "")))
	}
	for i, body := range e.hook.order {
		out[fmt.Sprintf("event %d", i)] = withoutOwn(e.t, body)
	}
	for _, c := range all {
		out["/sim/v1/phones/"+c.phone] = withoutOwn(e.t, string(e.ask(http.MethodGet, "/sim/v1/phones/"+c.phone, "")))
	}
	return out
}

// nothingLeaks checks that no output contains the number of a caller or a driver.
func (e *ends) nothingLeaks(all []*endsCaller) {
	var secret []string
	for _, c := range all {
		if n := strings.TrimPrefix(string(c.digits()), "44"); n != "anonymous" {
			secret = append(secret, n)
		}
	}
	for i := range 60 {
		secret = append(secret, strings.TrimPrefix(string(fixtures.DriverAt(i).PhoneNumber.Digits()), "44"))
	}
	for where, text := range e.outputs(all) {
		figures := figuresOf(text)
		for _, number := range secret {
			if i := strings.Index(figures, number); i >= 0 {
				e.t.Errorf("%s tells %s: …%s…", where, number, figures[max(0, i-200):min(len(figures), i+60)])
			}
		}
	}
}

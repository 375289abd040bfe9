package conformance

import (
	"bytes"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// mask hides telephone numbers in what a report shows.
type mask struct{ *strings.Replacer }

// newMask learns the numbers that a history carries: whatever stands in a field
// named phoneNumber.
func newMask(history []*Exchange) mask {
	numbers := map[string]bool{}
	for _, x := range history {
		for _, said := range []struct {
			body Body
			v    any
		}{{x.Request.Body, x.sent.v}, {x.replied(), x.reply.v}} {
			if bytes.Contains(said.body, []byte("phoneNumber")) || bytes.Contains(said.body, []byte(`\u`)) { // which may spell anything
				collectNumbers(said.v, numbers)
			}
		}
	}
	var pairs []string
	for n := range numbers {
		pairs = append(pairs, n, taxi.E164(n).Masked())
	}
	return mask{strings.NewReplacer(pairs...)}
}

func collectNumbers(v any, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			if n, ok := child.(string); ok && key == "phoneNumber" && len(digits(n)) >= 7 {
				into[n] = true
				into[digits(n)] = true
				continue
			}
			collectNumbers(child, into)
		}
	case []any:
		for _, child := range v {
			collectNumbers(child, into)
		}
	}
}

func (m mask) finding(f *Finding) {
	f.Message, f.Expected, f.Got = m.Replace(f.Message), m.Replace(f.Expected), m.Replace(f.Got)
}

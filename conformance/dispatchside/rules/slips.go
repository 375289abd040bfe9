package rules

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Unknown members are allowed and ignored, so a misspelt member such as "passengerx"
// would be lost unnoticed. A member that is a misspelling of a missing one is reported
// with the right name.

// slipOf returns the known word of which a word is a misspelling; "" if it is none, or is itself
// known. A misspelling differs in case, in hyphens or underscores, or, in a long word, in one
// letter.
func slipOf(word string, known []string) string {
	if slices.Contains(known, word) {
		return ""
	}
	for _, k := range known {
		if plain(k) == plain(word) || len(k) >= longWord && oneLetterApart(plain(k), plain(word)) {
			return k
		}
	}
	return ""
}

// longWord is the length from which one changed letter counts as a misspelling: "rate" is
// not one of "date".
const longWord = 6

// oneLetterApart reports whether two words differ by one added or changed letter.
func oneLetterApart(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i < len(a) && a[i+1:] == b[i+1:]
	}
	return len(b)-len(a) == 1 && a[i:] == b[i+1:]
}

// judgeMembers warns of members whose name is a misspelling of a known member that the object
// lacks. checks maps each known member to its check.
func judgeMembers(o jsonvalue.Value, checks map[string]string, x *conformance.Exchange, s *conformance.Findings) {
	known := slices.Sorted(maps.Keys(checks))
	missing := slices.DeleteFunc(slices.Clone(known), func(name string) bool { return o.At(name).Present() })
	for key, v := range o.Members() {
		meant := slipOf(key, known)
		if !slices.Contains(missing, meant) {
			continue
		}
		s.Warn(checks[meant], fmt.Sprintf("%s is ignored: the member is called %s", v.Pointer(), meant), meant, v, x)
		s.Suggest("Write " + meant + ", to the letter.")
	}
}

// The members whose misspellings are reported, and their checks.
var (
	journeyMembers = map[string]string{
		"date": "STA-03", "pickup": "STA-03", "dropoffs": "STA-03", "passenger": "STA-14",
		"eta": "ENR-01", "price": "ENR-04", "vehicle": "ENR-08", "driver": "ENR-09", "location": "ENR-12",
	}
	userMembers = map[string]string{"status": "USR-06", "data": "USR-07", "activeBookings": "USR-08"}
)

// settingMembers returns the settings in data, all mapped to one check.
func settingMembers(check string) map[string]string {
	return map[string]string{"features": check, "options": check, "skipDropOff": check}
}

// judgeOptionNames warns of misspelt options.
func judgeOptionNames(data jsonvalue.Value, check string, x *conformance.Exchange, s *conformance.Findings) {
	for _, o := range data.At("options").Items() {
		if meant := slipOf(o.Text(), words(taxi.Options())); o.HasText() && meant != "" {
			s.Warn(check, fmt.Sprintf("%s is ignored: the option is called %s", o.Show(), meant), "string "+meant, o, x)
			s.Suggest("Write " + meant + ", to the letter.")
		}
	}
}

// statusSlip returns the hint for a misspelt status, or "" if it is not misspelt.
func statusSlip(v jsonvalue.Value) string {
	if meant := slipOf(v.Text(), words(taxi.Statuses())); meant != "" {
		return "Write " + meant + ", to the letter."
	}
	return ""
}

// StatusMeant returns the status of which a text is a misspelling, or "" if there is none.
func StatusMeant(text string) taxi.Status { return taxi.Status(slipOf(text, words(taxi.Statuses()))) }

// words returns the texts of typed constants.
func words[S ~string](all []S) []string {
	var texts []string
	for _, w := range all {
		texts = append(texts, string(w))
	}
	return texts
}

package redact

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Members knows which members of a suite's bodies hold telephone numbers: phone and phoneNumber, whatever
// their text is, and those that the suite names, if their text is just a number.
type Members struct {
	own    map[string]bool // names that the suite adds, in lower case
	inText *regexp.Regexp  // finds such members in a body that is no JSON
}

// phoneName matches the names of members that hold numbers in every suite.
var phoneName = regexp.MustCompile(`(?i)^phone([_-]?number)?$`)

// numberOnly matches a text that is a telephone number and nothing else.
var numberOnly = regexp.MustCompile(`^\+?\d[\d ()./-]{5,24}$`)

// MembersOf returns the members of a suite's bodies that hold telephone numbers.
func MembersOf(suite *conformance.Suite) Members {
	m := Members{own: map[string]bool{}}
	names := []string{`phone(?:[_-]?number)?`}
	for _, name := range suite.Numbers {
		m.own[strings.ToLower(name)] = true
		names = append(names, regexp.QuoteMeta(name))
	}
	m.inText = regexp.MustCompile(`(?i)"(` + strings.Join(names, "|") + `)"\s*:\s*(?:"([^"\\]{7,60})"|(\d{7,20}))`)
	return m
}

// Collect adds to into the telephone numbers in a JSON value, both as they are written and as digits alone.
func (m Members) Collect(v jsonvalue.Value, into map[string]bool) {
	for name, written := range v.Scalars() {
		if d := jsonvalue.Digits(written); len(d) >= 7 && len(written) <= 60 && m.holds(name, written) {
			into[written], into[d] = true, true
		}
	}
}

// holds reports whether a member with this name and text holds a telephone number.
func (m Members) holds(name, text string) bool {
	return phoneName.MatchString(name) || m.own[strings.ToLower(name)] && numberOnly.MatchString(text)
}

// in returns the telephone numbers of a call as they are written, sorted.
func (m Members) in(x *conformance.Exchange) []string {
	x.Read()
	found := map[string]bool{}
	m.Collect(x.Sent(), found)
	m.Collect(x.Reply(), found)
	for _, body := range []conformance.Body{x.Request.Body, x.Replied()} {
		for _, groups := range m.inText.FindAllSubmatch(body[:min(len(body), mostTold)], -1) {
			if number := string(groups[2]) + string(groups[3]); m.holds(string(groups[1]), number) {
				found[number] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Numbers returns every telephone number of a history as it is written, in the order in
// which they first occur.
func (m Members) Numbers(history []*conformance.Exchange) []string {
	var all []string
	seen := map[string]bool{}
	for _, x := range history {
		for _, n := range m.in(x) {
			if !seen[n] {
				seen[n] = true
				all = append(all, n)
			}
		}
	}
	return all
}

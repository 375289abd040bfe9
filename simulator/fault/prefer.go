package fault

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The header by which a request asks for a fault itself, and the one that says what of
// it was done (RFC 7240). IgnoredHeader says what was not, although it begins as if it were
// meant for this package: a word is misspelt, or cannot be had with that operation.
const (
	PreferHeader  = "Prefer"
	AppliedHeader = "Preference-Applied"
	IgnoredHeader = "X-Cabrank-Ignored"
)

// Limits of what is told of preferences that are ignored.
const (
	longestIgnored = 60  // bytes of one
	mostIgnored    = 100 // that are told of once
)

// preferred reads what a request prefers: code=503, wait=2 (seconds, of the wall),
// scenario=no-cars or fault=garbage (names of the catalogue). What makes no sense, or
// cannot happen to the operation, is not applied, as that header has it, and is told. Nor is what
// befalls the bookings of others: whoever reaches the operations can send the header,
// with no credentials, and rules are there for it.
func (e *exchange) preferred() *chosen {
	asked := e.r.Header.Values(PreferHeader)
	if len(asked) == 0 {
		return nil
	}
	c := &chosen{id: "prefer"}
	var applied, ignored []string
	for part := range strings.SplitSeq(strings.Join(asked, ","), ",") {
		part, _, _ = strings.Cut(part, ";")
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.Trim(strings.TrimSpace(value), `"`)
		switch {
		case e.prefers(c, name, value):
			applied = append(applied, name+"="+value)
		case slices.Contains(preferences, name):
			one := name + "=" + value
			ignored = append(ignored, one[:min(len(one), longestIgnored)])
		}
	}
	e.ignore(ignored)
	if len(applied) == 0 {
		return nil
	}
	c.memory = e.set.memoryOf(c.id)
	e.w.Header().Set(AppliedHeader, strings.Join(applied, ", "))
	return c
}

// preferences are what a request can ask for by the header.
var preferences = []string{"wait", "code", "scenario", "fault"}

// ignore tells of preferences that are not applied.
func (e *exchange) ignore(all []string) {
	if len(all) == 0 {
		return
	}
	e.w.Header().Set(IgnoredHeader, strings.Join(all[:min(len(all), len(preferences))], ", "))
	for _, one := range all {
		if e.set.firstIgnored(one) {
			e.set.options.Ignored(one)
		}
	}
}

// firstIgnored reports a preference that is to be told of, as it was not before.
func (s *Set) firstIgnored(one string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.options.Ignored == nil || s.ignored[one] || len(s.ignored) >= mostIgnored {
		return false
	}
	s.ignored[one] = true
	return true
}

// prefers takes one preference, if it can be had.
func (e *exchange) prefers(c *chosen, name, value string) bool {
	switch name {
	case "wait":
		seconds, err := strconv.ParseFloat(value, 64)
		if err != nil || !(seconds > 0 && seconds <= time.Duration(longestPause).Seconds()) {
			return false
		}
		c.wait = time.Duration(seconds * float64(time.Second))
		return true
	case "code":
		status, err := strconv.Atoi(value)
		if err != nil || status < 400 || status > 599 || http.StatusText(status) == "" || c.do.Kind != "" {
			return false
		}
		c.do = withStatus(status)
		return true
	case "scenario", "fault":
		f := catalogue().byName[value]
		if f == nil || c.do.Kind != "" || !slices.Contains(f.Ops, e.asked.op) {
			return false
		}
		do := usual(value)
		if e.set.can(do) != nil || befallsAll(do) {
			return false
		}
		c.do = do
		return true
	}
	return false
}

// Preferences describes the header for people.
func Preferences() string {
	return fmt.Sprintf("%s: code=503, wait=2, scenario=no-cars (or fault=NAME, any of the catalogue but restarts); %s says what was done", PreferHeader, AppliedHeader)
}

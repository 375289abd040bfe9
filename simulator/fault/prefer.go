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
// it was done (RFC 7240).
const (
	PreferHeader  = "Prefer"
	AppliedHeader = "Preference-Applied"
)

// preferred reads what a request prefers: code=503, wait=2 (seconds, of the wall),
// scenario=no-cars or fault=garbage (names of the catalogue). What makes no sense, or
// cannot happen to the operation, is not applied, as that header has it. Nor is what
// befalls the bookings of others: whoever reaches the operations can send the header,
// with no credentials, and rules are there for it.
func (e *exchange) preferred() *chosen {
	asked := e.r.Header.Values(PreferHeader)
	if len(asked) == 0 {
		return nil
	}
	c := &chosen{id: "prefer"}
	var applied []string
	for part := range strings.SplitSeq(strings.Join(asked, ","), ",") {
		part, _, _ = strings.Cut(part, ";")
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.Trim(strings.TrimSpace(value), `"`)
		if e.prefers(c, name, value) {
			applied = append(applied, name+"="+value)
		}
	}
	if len(applied) == 0 {
		return nil
	}
	c.memory = e.set.memoryOf(c.id)
	e.w.Header().Set(AppliedHeader, strings.Join(applied, ", "))
	return c
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
		if err != nil || status < 200 || http.StatusText(status) == "" || c.do.Kind != "" {
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

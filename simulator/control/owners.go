package control

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control/tokens"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// Limits of the names on sandboxes.
const (
	mostLabels   = 10
	longestLabel = 100 // characters of a value
	longestEnd   = 30 * 24 * time.Hour
)

// tokenName matches the name of a token, and of an owner.
var tokenName = regexp.MustCompile(`^[a-z0-9-]{1,40}$`)

const tokenNameSays = "wants 1 to 40 lower-case letters, digits and hyphens"

// labelName matches the name of a label, which Prometheus accepts.
var labelName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]{0,39}$`)

// checkLabels refuses labels with invalid names or values.
func checkLabels(labels map[string]string) error {
	if len(labels) > mostLabels {
		return taxi.InvalidField("/labels", "range", "has %d labels, want at most %d", len(labels), mostLabels)
	}
	for name, value := range labels {
		switch {
		case !labelName.MatchString(name):
			return taxi.InvalidField("/labels", "format", "has the name %.40q, want 1 to 40 letters, digits and _, not a digit first", name)
		case utf8.RuneCountInString(value) > longestLabel || strings.ContainsFunc(value, unicode.IsControl) || !utf8.ValidString(value):
			return taxi.InvalidField("/labels/"+name, "format", "wants at most %d characters, and no control characters", longestLabel)
		}
	}
	return nil
}

// ahead parses a moment, or the time until then such as 8h or 30d. It returns an error if the
// moment is not after now, or further ahead than most.
func ahead(text string, now time.Time, most time.Duration) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		var by time.Duration
		if by, err = spanOf(text); err != nil {
			return at, fmt.Errorf("is %.40q, want a time such as 2026-06-01T18:00:00Z, or how far ahead it is, such as 8h or 3d", text)
		}
		at = now.Add(by)
	}
	if !at.After(now) || at.Sub(now) > most {
		return at, fmt.Errorf("is %.40q, want a time that is at most %.0f days ahead", text, most.Hours()/24)
	}
	return at.UTC(), nil
}

// spanOf parses a duration such as 8h or 3d. A day has 24 hours.
func spanOf(text string) (time.Duration, error) {
	days, ok := strings.CutSuffix(text, "d")
	if !ok {
		return time.ParseDuration(text)
	}
	n, err := strconv.ParseUint(days, 10, 15)     // so that it does not overflow
	return time.Duration(n) * 24 * time.Hour, err //nolint:gosec // it has 15 bits
}

// named returns the order for a sandbox with its name, owner, labels and end, after checking them.
func (c *call) named(o *SandboxOrder) (order worlds.Order, err error) {
	order = worlds.Order{Name: o.Name, Owner: cmp.Or(o.Owner, c.who.name), Labels: o.Labels, TTL: time.Duration(o.TTL)}
	switch {
	case o.Name != "" && !sandboxName.MatchString(o.Name):
		return order, taxi.InvalidField("/name", "format", "wants up to 40 lower-case letters, digits and hyphens")
	case o.TTL < 0 || time.Duration(o.TTL) > longestTTL:
		return order, taxi.InvalidField("/ttl", "range", "is %v, want up to %v", time.Duration(o.TTL), longestTTL)
	case o.Owner != "" && !tokenName.MatchString(o.Owner):
		return order, taxi.InvalidField("/owner", "format", tokenNameSays)
	case order.Owner != c.who.name && c.who.may != tokens.MayEverything:
		return order, taxi.NewProblem(http.StatusForbidden, taxi.CodeForbidden, "/owner is %s: a sandbox for others needs the right %s, and the token %s has the right %s", order.Owner, tokens.MayEverything, c.who.name, c.who.may)
	}
	if o.Ends != "" {
		if order.Until, err = ahead(o.Ends, c.server.options.Now(), longestEnd); err != nil {
			return order, taxi.InvalidField("/ends", "range", "%v", err)
		}
	}
	return order, checkLabels(o.Labels)
}

// namesFilter selects sandboxes.
type namesFilter struct {
	owner  string // "": any
	labels map[string]string
}

// namesFilter reads the selection of sandboxes from the parameters of a request.
func (c *call) namesFilter() (f namesFilter, err error) {
	q, err := c.query()
	if err != nil {
		return f, err
	}
	f = namesFilter{q.get("owner"), make(map[string]string)}
	for _, label := range q.values["label"] {
		name, value, ok := strings.Cut(label, "=")
		if !ok || !labelName.MatchString(name) {
			return f, refuseParameter("label", "is %.40q, want a label such as team=checkout", label)
		}
		if other, twice := f.labels[name]; twice && other != value {
			return f, refuseParameter("label", "has two values of %s, and a sandbox has only one", name)
		}
		f.labels[name] = value
	}
	return f, nil
}

// takes reports whether a sandbox with an owner and labels is selected.
func (f *namesFilter) takes(owner string, labels map[string]string) bool {
	for name, value := range f.labels {
		if has, ok := labels[name]; !ok || has != value {
			return false
		}
	}
	return f.owner == "" || f.owner == owner
}

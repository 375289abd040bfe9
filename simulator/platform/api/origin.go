package api

import (
	"net/url"
	"strings"
)

// SameOrigin reports whether two http or https addresses have the same scheme, host and
// port.
func SameOrigin(one, other string) bool {
	a, errA := url.Parse(one)
	b, errB := url.Parse(other)
	return errA == nil && errB == nil && a.Host != "" && strings.EqualFold(a.Scheme, b.Scheme) &&
		strings.EqualFold(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case strings.EqualFold(u.Scheme, "https"):
		return "443"
	}
	return "80"
}

package platformapi

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// Target is a platform and the options for testing it. URL, Credentials, Now and Nonce are
// required; the zero value of the others works.
type Target struct {
	URL         string // {base_url}
	VoiceURL    string // {voice_base_url}; "": URL
	Credentials Credentials
	Now         func() time.Time
	Nonce       uint64 // makes the names of the run's objects unique: different for each run

	TLS       *tls.Config       // trusted roots; nil: the system's
	Transport http.RoundTripper // nil: one of the run's own
	Timeout   time.Duration     // for one call; 0: 10 s
	AllowHost bool              // permits a host other than this machine
	Only      []string          // ids of the chosen checks; empty: all

	// Wait waits for a duration of at most MostWait, until a token has expired; nil: expiry is not tested.
	Wait func(ctx context.Context, d time.Duration)

	Preflight func(conformance.Step)
	Progress  func(conformance.Progress)
}

// MostWait is how long an access token may be valid for a run to wait until it expires.
const MostWait = 5 * time.Second

// ErrHost is the error for a target on another machine if AllowHost is not set.
var ErrHost = errors.New("the host is not this machine: a run makes trunks, hooks, devices and calls there that the interface cannot delete, so it must be allowed")

// withDefaults checks a target and returns it with defaults for what was left out.
func (t Target) withDefaults() (Target, error) {
	if t.VoiceURL == "" {
		t.VoiceURL = t.URL
	}
	for _, address := range []*string{&t.URL, &t.VoiceURL} {
		u, err := url.Parse(*address)
		switch {
		case err != nil:
			return t, fmt.Errorf("target: %w", err)
		case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
			return t, fmt.Errorf("target %q: want http://host/path or https://host/path", *address)
		case u.User != nil || u.RawQuery != "" || u.Fragment != "":
			return t, fmt.Errorf("target %s: want an address without credentials, ? and #", u.Host)
		case !t.AllowHost && !rules.Loopback(u.Host):
			return t, fmt.Errorf("target %s: %w", u.Host, ErrHost)
		}
		*address = strings.TrimRight(*address, "/")
	}
	if t.Now == nil {
		return t, errors.New("target: Now is required")
	}
	if t.Timeout == 0 {
		t.Timeout = 10 * time.Second
	}
	return t, t.Credentials.check()
}

package matrix

import (
	"context"
	"crypto/tls"
	"hash/fnv"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// Mutant is a server that is wrong in one way, made of a sound one; or, when
// KilledBy is "", one that is odd and right.
type Mutant struct {
	Name string // what it breaks, in a few words

	// KilledBy names the checks that have to fail, separated by spaces: "USR-01",
	// or "W-03@status" for one operation of several.
	KilledBy string

	// Warns names checks that have to warn: those that can do no more.
	Warns string

	// Most is how many verdicts may fail, those named included; 0: four more than
	// are named.
	Most int

	// Wrap makes the server. It is called again when the server is restarted, so
	// that what a layer only remembers is lost.
	Wrap func(http.Handler) http.Handler

	// Lag is how much longer an operation's answer takes than it did, by the clock
	// that is handed to the run; nil: no longer. It is called once for each server.
	Lag func() func(conformance.Operation) time.Duration

	// Own says that the sound server is not used: what helps with that one,
	// credentials, hooks and known users, is left out.
	Own bool

	// Path is a prefix that the operations are served under; "": none.
	Path string

	// Listen opens the port that the server is reached at; nil: plain HTTP on this
	// machine.
	Listen func(now time.Time) (*Port, error)
}

// Port is the address of a server, and how a run connects to it.
type Port struct {
	net.Listener
	URL       string            // base address
	TLS       *tls.Config       // whom the run trusts; nil: as always
	Transport http.RoundTripper // of the run; nil: its own
}

// Elsewhere opens a port for plain HTTP that is reached under the name of another host.
func Elsewhere(host string) func(time.Time) (*Port, error) {
	return func(time.Time) (*Port, error) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		to := listener.Addr().String()
		return &Port{Listener: listener, URL: "http://" + host, Transport: &http.Transport{
			DisableCompression: true, MaxIdleConnsPerHost: 16,
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, network, to)
			},
		}}, nil
	}
}

// InSample reports whether a name is in a sample of about one in n. It depends on the name alone: a further
// item in a list moves no other item into the sample, or out of it.
func InSample(name string, n uint32) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // never fails
	return h.Sum32()%n == 0
}

// Named finds a server among some by its name; there must be one.
func Named(all []Mutant, name string) Mutant {
	at := slices.IndexFunc(all, func(m Mutant) bool { return m.Name == name })
	if at < 0 {
		panic("no server is called " + name)
	}
	return all[at]
}

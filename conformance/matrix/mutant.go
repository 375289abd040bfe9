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

// Mutant is a server made from a correct one: wrong in one way, or, if KilledBy is "", unusual but correct.
type Mutant struct {
	Name string // what is wrong or unusual about it, in a few words

	// KilledBy names the checks that have to fail, separated by spaces: "USR-01",
	// or "W-03@status" for one operation of several.
	KilledBy string

	// Warns names the checks that have to warn, separated by spaces.
	Warns string

	// Most is how many verdicts may fail, including those in KilledBy; 0: four more than KilledBy names.
	Most int

	// Wrap makes the server from a correct one. It is called again when the server is restarted, so that the
	// server loses what it had only in memory.
	Wrap func(http.Handler) http.Handler

	// Lag returns a function that tells how much later an operation is answered, by the run's clock, than it
	// really was; nil: no later. It is called once for each server.
	Lag func() func(conformance.Operation) time.Duration

	// Own says that the correct server is not used, so that its credentials, hooks and known users are left
	// out.
	Own bool

	// Path is a prefix below which the operations are served; "": none.
	Path string

	// Listen opens the port on which the server is reached; nil: plain HTTP on this machine.
	Listen func(now time.Time) (*Port, error)
}

// Port is the address of a server, and how a run connects to it.
type Port struct {
	net.Listener
	URL       string            // base address
	TLS       *tls.Config       // the roots that the run trusts; nil: the usual ones
	Transport http.RoundTripper // for the run's calls; nil: the run's own
}

// Elsewhere returns a function that opens a port of this machine for plain HTTP, to which calls for another
// host are sent.
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

// InSample reports whether a name is in a sample of about one in n names. It depends on the name alone, so
// that adding names to a list does not change which others are in the sample.
func InSample(name string, n uint32) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // never fails
	return h.Sum32()%n == 0
}

// Named returns the server with a name, and panics if there is none.
func Named(all []Mutant, name string) Mutant {
	at := slices.IndexFunc(all, func(m Mutant) bool { return m.Name == name })
	if at < 0 {
		panic("no server is called " + name)
	}
	return all[at]
}

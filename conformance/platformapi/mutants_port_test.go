package platformapi_test

import (
	"net"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/conformance/matrix"
)

// elsewhere is a host that is not this machine.
const elsewhere = "voice.example"

// plainElsewhere opens a port for plain HTTP that is reached under the name of another
// host.
func plainElsewhere(time.Time) (*matrix.Port, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	there := &http.Transport{DisableCompression: true}
	return &matrix.Port{Listener: listener, URL: "http://" + elsewhere, Transport: &signpost{there, listener.Addr().String()}}, nil
}

// signpost leads calls of any host to one port.
type signpost struct {
	http.RoundTripper
	to string
}

// RoundTrip implements [http.RoundTripper].
func (s *signpost) RoundTrip(r *http.Request) (*http.Response, error) {
	here := r.Clone(r.Context())
	here.Host, here.URL.Host = r.URL.Host, s.to
	return s.RoundTripper.RoundTrip(here)
}

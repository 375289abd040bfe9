package mutants

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"time"
)

// Setting is the clock of a platform and of the suite that judges it, and the network between them.
type Setting struct {
	Clock
	Listen func(context.Context) (net.Listener, error)                          // nil: on a port of this machine
	Dial   func(ctx context.Context, network, address string) (net.Conn, error) // nil: by TCP
}

func (s Setting) listen(ctx context.Context) (net.Listener, error) {
	if s.Listen != nil {
		return s.Listen(ctx)
	}
	return (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
}

// serve starts a server with a handler; the caller must close it.
func (s Setting) serve(ctx context.Context, h http.Handler) (*httptest.Server, error) {
	listener, err := s.listen(ctx)
	if err != nil {
		return nil, err
	}
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}}
	server.Start()
	return server, nil
}

// Clock is the time for a platform and the suite that judges it. A fast clock shortens scenes that
// follow a journey for seconds.
type Clock struct {
	Now  func() time.Time
	Wait func(context.Context, time.Duration)
}

// Fast returns a clock that runs a number of times as fast as another clock.
func Fast(c Clock, times int) Clock {
	began := c.Now()
	return Clock{
		Now: func() time.Time { return began.Add(c.Now().Sub(began) * time.Duration(times)) },
		Wait: func(ctx context.Context, d time.Duration) {
			c.Wait(ctx, d/time.Duration(times))
		},
	}
}

package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch"
)

// serve answers requests and lets the world live until stop.
func (s *system) serve(ctx context.Context, listener net.Listener, serving dispatch.HTTPOptions, log *slog.Logger) {
	handler := s.world.Service().Handler(now, serving)
	if loopback(listener.Addr()) {
		handler = localOnly(handler)
	}
	s.server = dispatch.Server(handler)
	s.server.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelWarn)
	living, die := context.WithCancel(context.WithoutCancel(ctx)) // requests under way still need it
	s.finish = append(s.finish, func() error {
		die()
		<-s.lived
		return nil
	}, s.shutDown)
	go func() {
		defer close(s.lived)
		s.world.Run(living)
	}()
	go func() {
		if err := s.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- err
		}
	}()
}

// stopWithin is how long requests under way have to be answered.
const stopWithin = 10 * time.Second

// shutDown answers the requests under way and takes no more.
func (s *system) shutDown() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	return s.server.Shutdown(ctx)
}

// stop ends what start began, the last first: requests under way are answered,
// the world stands still, and everything booked is on disk.
func (s *system) stop() error {
	var all error
	for _, finish := range slices.Backward(s.finish) {
		all = errors.Join(all, finish())
	}
	return all
}

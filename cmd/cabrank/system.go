package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// system is a dispatch system that is being served.
type system struct {
	url      string
	database string     // for the banner
	streets  *town.Town // nil on an open plane
	world    *simulator.World
	records  *store.Store

	server *http.Server
	failed chan error // the server ended by itself
	lived  chan struct{}
	finish []func() error // what is to be closed, first opened first
}

// start opens the database, wakes the world and serves. What it started ends
// with [system.stop].
func (f *systemFlags) start(ctx context.Context, cmd *cobra.Command, out outside) (_ *system, err error) {
	opts, serving, err := f.options(cmd, out)
	if err != nil {
		return nil, err
	}
	s := &system{failed: make(chan error, 1), lived: make(chan struct{})}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.stop())
		}
	}()
	listener, err := f.occupy(ctx, s)
	if err != nil {
		return nil, err
	}
	recording, err := f.openRecording(cmd, s, &opts, out)
	if err != nil {
		return nil, err
	}
	if err := f.openRecords(ctx, cmd, s, &opts); err != nil {
		return nil, err
	}
	if err := f.withdraw(); err != nil { // no other server has our port, recording or database
		return nil, err
	}
	s.finish = append(s.finish, f.withdraw)
	if err := f.lay(&opts); err != nil {
		return nil, err
	}
	s.streets = opts.Town
	if err := recording.begin(s.records); err != nil {
		return nil, err
	}
	if s.world, err = simulator.New(ctx, s.records, opts); err != nil {
		return nil, &exitError{exitUsage, err}
	}
	if err := f.firstDay(ctx, s); err != nil {
		return nil, err
	}
	s.url = "http://" + reachable(listener.Addr())
	s.serve(ctx, listener, serving, opts.Log)
	return s, f.announce(s.url)
}

// occupy takes the address to serve on, before anything is begun that a server
// which is there already may need. Who calls early waits until [system.serve].
func (f *systemFlags) occupy(ctx context.Context, s *system) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.listen)
	if err != nil {
		return nil, &exitError{exitUsage, fmt.Errorf("cannot listen on %s: %w; choose another with --listen HOST:PORT such as 127.0.0.1:0, or stop what listens there", f.listen, err)}
	}
	s.finish = append(s.finish, func() error {
		_ = listener.Close() // the server has, if there was one
		return nil
	})
	return listener, nil
}

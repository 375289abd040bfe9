//go:build ignore

// The program as it serves: its start, and /status for 32 clients over TCP.

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	warmFor  = 2 * time.Second
	roundFor = 700 * time.Millisecond
)

// everythingOff are flags that disable everything but the five operations; a commit without
// one of the flags does not have the feature either.
var everythingOff = []string{"--no-journal", "--no-control", "--variation=0"}

// way is a configuration of serve, with its figures.
type way struct {
	flags            []string
	rate, busy, tail *figure
}

func newWay(name string, flags []string) *way {
	return &way{
		flags: flags,
		rate:  &figure{row: row{name: name, unit: "answers/s", higher: true}},
		busy:  &figure{row: row{name: name, unit: "µs of CPU an answer"}},
		tail:  &figure{row: row{name: name, unit: "ms, p99"}},
	}
}

func (w *way) figures() []*figure { return []*figure{w.rate, w.busy, w.tail} }

// measureServers starts and loads both programs in turns.
func measureServers(ctx context.Context, sides [2]*side, rounds int) ([]*figure, error) {
	start := &figure{row: row{name: "serve: start on a new database", unit: "ms"}}
	if err := measureStarts(ctx, sides, start, rounds); err != nil {
		return nil, err
	}
	if start.worse() {
		if err := measureStarts(ctx, sides, start, rounds); err != nil {
			return nil, err
		}
	}
	all := []*figure{start}
	for _, w := range []*way{newWay("serve: /status", nil), newWay("serve: /status, all else off", everythingOff)} {
		if err := w.measure(ctx, sides, rounds); err != nil {
			return nil, err
		}
		all = append(all, w.figures()...)
	}
	return all, nil
}

// measureStarts starts each program several times a round, since the disk's part varies.
func measureStarts(ctx context.Context, sides [2]*side, start *figure, rounds int) error {
	const each = 3
	for round := range rounds {
		for i := range sides {
			s := sides[(round+i)%2]
			var took []float64
			for range each {
				database, err := s.newDatabase()
				if err != nil {
					return err
				}
				p, until, err := launch(ctx, serve(s.binary(), database), get("/readyz"))
				if err != nil {
					return err
				}
				p.stop()
				took = append(took, milliseconds(until))
			}
			start.values[(round+i)%2] = append(start.values[(round+i)%2], median(took))
		}
	}
	return nil
}

// measure loads a server of each program, and again if one of the figures looks worse.
func (w *way) measure(ctx context.Context, sides [2]*side, rounds int) error {
	var servers [2]*process
	var requests [2][]byte
	for i, s := range sides {
		p, request, err := w.serve(ctx, s)
		if err != nil {
			return err
		}
		defer p.stop()
		servers[i], requests[i] = p, request
	}
	if err := w.load(ctx, servers, requests, rounds); err != nil {
		return err
	}
	for _, f := range w.figures() {
		if f.worse() {
			return w.load(ctx, servers, requests, rounds)
		}
	}
	return nil
}

// load loads the servers in turns.
func (w *way) load(ctx context.Context, servers [2]*process, requests [2][]byte, rounds int) error {
	for round := range rounds {
		for i := range servers {
			which := (round + i) % 2
			before := servers[which].processorTime()
			r, err := load(ctx, servers[which].address, requests[which], roundFor)
			if err != nil {
				return err
			}
			used := servers[which].processorTime() - before
			w.rate.values[which] = append(w.rate.values[which], r.rate)
			w.tail.values[which] = append(w.tail.values[which], r.p99)
			w.busy.values[which] = append(w.busy.values[which], float64(used.Microseconds())/float64(r.answers))
		}
	}
	return nil
}

// serve starts a program with a journey that is booked for tomorrow, and warms it up.
func (w *way) serve(ctx context.Context, s *side) (*process, []byte, error) {
	flags, err := s.known(ctx, w.flags)
	if err != nil {
		return nil, nil, err
	}
	database, err := s.newDatabase()
	if err != nil {
		return nil, nil, err
	}
	p, _, err := launch(ctx, serve(s.binary(), database, flags...), get("/readyz"))
	if err != nil {
		return nil, nil, err
	}
	request, err := bookSubject(ctx, p)
	if err == nil {
		_, err = load(ctx, p.address, request, warmFor)
	}
	if err != nil {
		p.stop()
		return nil, nil, fmt.Errorf("serve of %.12s: %w", s.commit, err)
	}
	return p, request, nil
}

// newDatabase names a database that is not there yet.
func (s *side) newDatabase() (string, error) {
	dir, err := os.MkdirTemp(filepath.Dir(s.binary()), "db")
	return filepath.Join(dir, "cabrank.db"), err
}

// known returns the flags that this commit's serve supports.
func (s *side) known(ctx context.Context, flags []string) ([]string, error) {
	help, err := exec.CommandContext(ctx, s.binary(), "serve", "--help").Output()
	if err != nil {
		return nil, fmt.Errorf("serve --help of %.12s: %w", s.commit, err)
	}
	var has []string
	for _, flag := range flags {
		name, _, _ := strings.Cut(flag, "=")
		if strings.Contains(string(help), name+" ") {
			has = append(has, flag)
		}
	}
	return has, nil
}

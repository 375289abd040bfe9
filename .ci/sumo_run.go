//go:build ignore

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

const (
	rounds   = 2
	ownRuns  = 5               // of cabrank in each round
	sumoMost = 3 * time.Minute // for a run of SUMO, and what the runs before it left over
	ownMost  = time.Minute
)

// rides is what the passengers saw of the journeys that were over by the end.
type rides map[taxi.JourneyID]ride

// contender is one who lives the day, and how it went.
type contender struct {
	name    string
	command []string
	rides   func() (rides, error) // of the run that has just ended
	runs    []run
	err     error // why it cannot
}

// run is what one process took.
type run struct {
	day       float64 // seconds of the wall for the day, or for as much of it as was reached
	start     float64 // … and for all else
	processor float64 // seconds of the processor for both
	memory    float64 // MB, at the most
	reached   float64 // seconds of the day
	rides     rides
	log       string
}

// rate is how many seconds of the day pass in one of the wall.
func (r run) rate() float64 { return r.reached / r.day }

// runAll runs everybody in turn.
func runAll(ctx context.Context, own *contender, sumo []*contender) error {
	limit := sumoMost
	for range rounds {
		for range ownRuns {
			if err := own.run(ctx, ownMost); err != nil {
				return fmt.Errorf("%s: %w", own.name, err)
			}
		}
		for _, c := range sumo {
			if c.err != nil {
				continue
			}
			began := time.Now()
			c.err = c.run(ctx, limit)
			limit += sumoMost - time.Since(began)
		}
	}
	return ctx.Err()
}

// run runs the contender once, on one core. SUMO ends well when it is told to.
func (c *contender) run(ctx context.Context, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	command := c.command
	if _, err := exec.LookPath("taskset"); err == nil {
		command = append([]string{"taskset", "--cpu-list", "0"}, command...)
	}
	var log bytes.Buffer
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	began := time.Now()
	err := cmd.Run()
	took := time.Since(began).Seconds()
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %s", err, lastLine(log.String()))
	}
	r := run{log: log.String()}
	if r.rides, err = c.rides(); err != nil {
		return err
	}
	if r.reached = r.figure(ended); r.reached == 0 {
		return fmt.Errorf("it does not tell how far it came in %.0f s", took)
	}
	r.day = r.figure(lasted) - r.figure(prepared)/1000
	r.start = took - r.day
	used := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	r.processor = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	r.memory = float64(used.Maxrss) * 1024 / 1e6
	c.runs = append(c.runs, r)
	return nil
}

// What SUMO says of itself.
var (
	ended    = regexp.MustCompile(`Simulation ended at time: ([\d.]+)`)
	lasted   = regexp.MustCompile(`Duration: ([\d.]+)s`)
	prepared = regexp.MustCompile(`(?s)Building Contraction Hierarchy.*?done \((\d+)ms\)`) // within Duration
	asked    = regexp.MustCompile(`answered (\d+) queries`)
	routing  = regexp.MustCompile(`spent ([\d.]+)s answering`)
	version  = regexp.MustCompile(`Simulation version (\S+)`)
)

// figure is what the log says in one place; 0 where it does not.
func (r run) figure(what *regexp.Regexp) float64 { return number(r.word(what)) }

func (r run) word(what *regexp.Regexp) string {
	if found := what.FindStringSubmatch(r.log); found != nil {
		return found[1]
	}
	return ""
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

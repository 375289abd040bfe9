//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// observer starts the processes of one command on the same files, one after another, uses them,
// and compares.
type observer interface {
	start() *process               // does not wait until it serves
	compare(p *process)            // what a new process has with what earlier ones acknowledged
	use(p *process, before func()) // until it does not answer; before is called before each request
	end(p *process)                // ends the last process in good order, and compares everything
	fmt.Stringer                   // what was acknowledged
}

// TestNothingIsLostByKills kills servers and platforms, under load and while they start, at moments
// that a seed draws, and starts them again on what they have left. Afterwards
//   - each booking that was acknowledged, in the main world and in a sandbox that is kept, is there, once,
//     and so is what was asked without an answer, after it has been asked again;
//   - an event hook that answers each request with 204 has received each call that was acknowledged, from
//     its first event to its last, without a gap, and none ends twice. (After the last attempt at a hook
//     that fails, a delivery is a dead letter.)
//   - the credentials of a platform are all in its file, also if it was killed at its first start.
//
// TIMES=200 makes a campaign of it with a binary of its own, SEED=7 another one.
func TestNothingIsLostByKills(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts processes")
	}
	t.Parallel()
	kills, campaign := number(t, "TIMES")
	seed, _ := number(t, "SEED")
	binary := program(t, campaign)
	for what, observe := range map[string]func(t *testing.T, dir string) observer{
		"bookings": func(t *testing.T, dir string) observer { return newBookings(t, binary, dir, uint64(seed)) },
		"events":   func(t *testing.T, dir string) observer { return newEvents(t, binary, dir) },
	} {
		t.Run(what, func(t *testing.T) {
			c := &killing{t: t, chance: rand.New(rand.NewPCG(uint64(seed), uint64(len(what))))}
			all := observe(t, t.TempDir())
			for range kills {
				c.atFirstStart(observe)
				if c.chance.IntN(4) == 0 {
					c.atStart(all)
				}
				c.underLoad(all)
			}
			p := all.start().serving()
			all.compare(p)
			all.end(p)
			t.Logf("%d kills and %d at the start, of which %d left a draft, seed %d: %s", kills, c.early, c.drafts, seed, all)
		})
	}
}

// killing chooses the moments of the kills.
type killing struct {
	t      *testing.T
	chance *rand.Rand
	early  int // kills before a process served
	drafts int // of them, those that left a file that was being written
}

// atFirstStart kills a process that makes its files, and starts it again.
func (c *killing) atFirstStart(observe func(*testing.T, string) observer) {
	dir := c.t.TempDir()
	first := observe(c.t, dir)
	c.atStart(first)
	if drafts, _ := filepath.Glob(filepath.Join(dir, ".*.draft")); len(drafts) > 0 {
		c.drafts++
	}
	p := first.start().serving()
	first.compare(p)
	p.Kill()
}

// atStart kills a process that makes or reads its files.
func (c *killing) atStart(o observer) {
	p := o.start()
	soon := time.AfterFunc(time.Duration(c.chance.IntN(350))*time.Millisecond, func() { _ = p.Cmd.Process.Kill() })
	defer soon.Stop()
	<-p.Ended
	c.early++
}

// underLoad kills a process that is used.
func (c *killing) underLoad(o observer) {
	p := o.start().serving()
	o.compare(p)
	var left atomic.Int64
	left.Store(int64(20 + c.chance.IntN(300)))
	o.use(p, func() {
		if left.Add(-1) == 0 {
			_ = p.Cmd.Process.Kill()
		}
	})
	p.Kill()
}

// number reads a whole number from the environment; 1 if it is not given.
func number(t *testing.T, name string) (n int, given bool) {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return 1, false
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, name)
	return n, true
}

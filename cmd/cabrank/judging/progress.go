package judging

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/report"
)

// betweenLines is the least time between two lines that say how far a run is. A log
// keeps each of them.
const betweenLines = 15 * time.Second

// watcher shows how far a run is: on a terminal in a line that changes, elsewhere in
// a plain line now and then.
type watcher struct {
	terminal *report.Terminal
	w        io.Writer // the error output
	quiet    bool
	now      func() time.Time
	stopped  func() bool // the run was told to stop

	last time.Time // when the last plain line was written
	told bool      // that the run stops
}

// newWatcher returns the watcher of a run that begins now and is stopped by ctx.
func newWatcher(ctx context.Context, out cli.Outside, terminal *report.Terminal, quiet bool) *watcher {
	return &watcher{
		terminal: terminal, w: out.Stderr, quiet: quiet, now: cli.Now, last: cli.Now(),
		stopped: func() bool { return ctx.Err() != nil },
	}
}

// progress shows one point of the run. The suite never calls it twice at a time.
func (s *watcher) progress(p conformance.Progress) {
	if s.stopped() && !s.told && p.Stage == conformance.StageCancelling {
		s.told = true
		s.stopping(p)
	}
	switch {
	case s.terminal.Status != nil:
		s.terminal.Progress(p)
	case !s.quiet && s.now().Sub(s.last) >= betweenLines:
		s.last = s.now()
		s.plain(p)
	}
}

// stopping says what happens once a run was stopped, and what another Ctrl-C does.
func (s *watcher) stopping(p conformance.Progress) {
	const clearLine = "\r\x1b[K"
	if p.All == 0 {
		return
	}
	if s.terminal.Status != nil {
		fmt.Fprint(cli.Raw(s.w), clearLine)
	}
	fmt.Fprintf(s.w, "stopping: %s to be cancelled first%s; another Ctrl-C ends it at once and leaves what is booked\n",
		conformance.Count(p.All, "booking"), about(p.Left))
	s.last = s.now()
}

func (s *watcher) plain(p conformance.Progress) {
	fmt.Fprintf(s.w, "%s %d of %d%s\n", p.Stage, p.Done, p.All, about(p.Left))
}

// about says how long something takes; "": not worth saying.
func about(d time.Duration) string {
	if d < time.Second {
		return ""
	}
	return ", about " + d.Round(time.Second).String() + " left"
}

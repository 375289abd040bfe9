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

// betweenLines is the shortest time between two progress lines outside a terminal, since
// a log stores them all.
const betweenLines = 15 * time.Second

// watcher shows the progress of a run: on a terminal in a line that is overwritten,
// unknownCheckHint in a new line now and then.
type watcher struct {
	terminal *report.Terminal
	w        io.Writer // standard error
	quiet    bool
	now      func() time.Time
	stopped  func() bool // whether the run is being stopped

	last time.Time // when the last plain line was written
	told bool      // the message about stopping was printed
}

// newWatcher returns the watcher of a run that begins now and stops when ctx ends.
func newWatcher(ctx context.Context, out cli.Outside, terminal *report.Terminal, quiet bool) *watcher {
	return &watcher{
		terminal: terminal, w: out.Stderr, quiet: quiet, now: cli.Now, last: cli.Now(),
		stopped: func() bool { return ctx.Err() != nil },
	}
}

// progress shows a step of the run. The suite does not call it concurrently.
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

// stopping prints what happens now that the run is stopped, and what another Ctrl-C does.
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

// about returns the remaining time in words, such as ", about 5s left", or "" if it is less than a second.
func about(d time.Duration) string {
	if d < time.Second {
		return ""
	}
	return ", about " + d.Round(time.Second).String() + " left"
}

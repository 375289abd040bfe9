package serving

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/phoning"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// conversation prints a call line by line, with the requests that it causes: after the
// caller's words, and before the platform's answer.
type conversation struct {
	w io.Writer

	mu       sync.Mutex
	coloured bool
	caller   *phoning.Caller // nil before the call
	shown    int             // lines of the transcript that are printed
	booked   taxi.JourneyRef
	folded   bool // requests of /status are no longer printed
}

// fold stops printing the repeated requests of /status.
func (c *conversation) fold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.folded = true
}

// colour sets whether the output is coloured.
func (c *conversation) colour(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.coloured = on
}

// catchUp prints the new lines of the transcript; the lock is held.
func (c *conversation) catchUp(ctx context.Context) error {
	if c.caller == nil {
		return nil
	}
	view, err := c.caller.Look(ctx, c.shown)
	if err != nil {
		return err
	}
	for _, l := range view.Transcript {
		c.shown++
		if text := spokenLine(l); text != "" {
			ink := cli.Cyan
			if l.Kind != voice.LineSay {
				ink = cli.Bold
			}
			fmt.Fprintf(c.w, "  %-9s %s\n", l.Party, cli.Paint(c.coloured, ink, cli.Printable(text)))
		}
	}
	return nil
}

func spokenLine(l voice.Line) string {
	switch l.Kind {
	case voice.LineSay:
		return l.Text
	case voice.LineSpeech:
		return "“" + l.Text + "”"
	case voice.LinePress:
		return "presses " + l.Text
	case voice.LineHangup:
		return "hangs up"
	}
	return ""
}

// called prints a request of the interface before its response arrives. The lines that
// were said before it come first.
func (c *conversation) called(e exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.folded && e.path == taxi.PathStatus {
		return
	}
	_ = c.catchUp(context.Background()) // what cannot be read now is printed later
	line := fmt.Sprintf("            POST %-8s %d  %s", e.path, e.status, cli.Printable(c.outline(e)))
	fmt.Fprintln(c.w, cli.Paint(c.coloured, cli.Dim, line))
}

// outline describes a request in a few words, without phone numbers. It also notes a booking that was made.
func (c *conversation) outline(e exchange) string {
	var asked taxi.BookRequest
	var answer struct {
		taxi.Journey

		Name           string
		Code           string
		ActiveBookings []struct{}
	}
	_ = json.Unmarshal(e.request, &asked) // missing members are not printed
	_ = json.Unmarshal(e.answer, &answer)
	if e.status >= 400 {
		return answer.Code
	}
	switch e.path {
	case taxi.PathUser:
		return fmt.Sprintf("%s, %d booked", answer.Name, len(answer.ActiveBookings))
	case taxi.PathBook:
		c.booked = taxi.JourneyRef{UserID: asked.UserID, JourneyID: answer.JourneyID}
		return fmt.Sprintf("%s: %s %s", trip(asked), answer.JourneyID, answer.Status)
	case taxi.PathConfig:
		return string(answer.Status)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s", answer.JourneyID, answer.Status))
}

// trip returns the pickup and the first drop-off of a booking in a few words.
func trip(r taxi.BookRequest) string {
	from, to := "", ""
	if r.Pickup != nil {
		from, _, _ = strings.Cut(r.Pickup.Address, ",")
	}
	if len(r.Dropoffs) > 0 {
		to, _, _ = strings.Cut(r.Dropoffs[0].Address, ",")
	}
	return cmp.Or(from, "?") + " → " + cmp.Or(to, "?")
}

package serving

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/phoning"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// book makes a simulated caller call the taxi number and book a taxi, and returns the booked journey.
func (d *demonstration) book(ctx context.Context) (taxi.JourneyRef, error) {
	user, err := d.inside().User(ctx, taxi.UserRequest{PhoneNumber: calling.DemoCaller})
	if err != nil {
		return taxi.JourneyRef{}, fmt.Errorf("demo: %w", err)
	}
	from, to := sampleTrip(d.system.host().Town())
	if t := d.system.host().Town(); t == nil || t.Attribution != "" {
		from.Name, to.Name = "", "" // names of an imported map are hard to say: the caller presses keys
	}
	skip := d.config.System.Data != nil && d.config.System.Data.SkipDropOff != nil && *d.config.System.Data.SkipDropOff
	script, err := json.Marshal(callerScript(len(user.ActiveBookings), skip, from, to))
	if err != nil {
		return taxi.JourneyRef{}, err
	}
	fmt.Fprintf(d.out.Stdout, "\n%s rings the taxi number:\n", cli.Printable(user.Name))
	caller, err := d.platform.Ring(ctx, calling.DemoCaller, script)
	if err != nil {
		return taxi.JourneyRef{}, fmt.Errorf("demo: %w", err)
	}
	if err := d.talk.follow(ctx, caller); err != nil {
		return taxi.JourneyRef{}, fmt.Errorf("demo: %w", err)
	}
	if d.talk.booked.JourneyID == "" {
		return taxi.JourneyRef{}, cli.Exit(cli.ExitFindings, errors.New("the caller got no taxi; 'cabrank book' books one without a telephone"))
	}
	return d.talk.booked, nil
}

// callerScript returns the script of the caller: what to wait for, and what to say. A caller who has a booking asks for
// another taxi.
func callerScript(booked int, skipDropOff bool, from, to booking.Place) []map[string]string {
	wish := "a taxi"
	if booked > 0 {
		wish = "another taxi"
	}
	wish += " from " + called(from)
	if !skipDropOff {
		wish += " to " + called(to)
	}
	return []map[string]string{{"expect": "?"}, {"say": wish + ", now please"}, {"expect": "shall i book it?"}, {"say": "yes please"}, {"expect": "goodbye"}}
}

// called returns the name that a caller uses for a place.
func called(p booking.Place) string {
	if p.Name != "" {
		return p.Name
	}
	name, _, _ := strings.Cut(p.Address.Address, ",")
	return name
}

// follow prints the conversation until the call ends.
func (c *conversation) follow(ctx context.Context, caller *phoning.Caller) error {
	c.mu.Lock()
	c.caller = caller
	c.mu.Unlock()
	for version := -1; ; {
		view, err := caller.Wait(ctx, version)
		if err != nil {
			return err
		}
		c.mu.Lock()
		err = c.catchUp(ctx)
		c.mu.Unlock()
		if err != nil || phoning.Over(view) {
			return err
		}
		version = view.Version
	}
}

// exchange is a request of one of the operations and its response.
type exchange struct {
	path    string
	request []byte
	status  int
	answer  []byte
}

// voicePlatform is the User-Agent of the voice platform.
const voicePlatform = "cabrank-platform"

// overhear calls show with each request of a voice platform and its response, just before the platform receives the
// response.
func overhear(next http.Handler, show func(exchange)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.UserAgent(), voicePlatform) {
			next.ServeHTTP(w, r)
			return
		}
		body, _ := io.ReadAll(io.LimitReader(r.Body, mostOverheard)) // the operation sees the same incomplete body
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
		answer := &answering{ResponseWriter: w, exchange: exchange{path: r.URL.Path, request: body, status: http.StatusOK}}
		next.ServeHTTP(answer, r)
		show(answer.exchange)
		_, _ = w.Write(answer.answer) // the caller may have disconnected
	})
}

// mostOverheard limits how much of a request's body is read.
const mostOverheard = 1 << 20

// answering is a response writer that buffers the body.
type answering struct {
	http.ResponseWriter
	exchange
}

// WriteHeader implements [http.ResponseWriter].
func (a *answering) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (a *answering) Write(body []byte) (int, error) {
	a.answer = append(a.answer, body...)
	return len(body), nil
}

// warningWriter returns the writer for a server's warnings. With --log json they go to
// the log, so that each line of standard error is JSON.
func (f *systemFlags) warningWriter(stderr io.Writer, log *slog.Logger) io.Writer {
	if f.logging == "json" {
		return loggedLines{log}
	}
	return stderr
}

// loggedLines logs each line that is written to it as a warning.
type loggedLines struct{ log *slog.Logger }

// Write implements [io.Writer].
func (l loggedLines) Write(text []byte) (int, error) {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "warning: "), "cabrank: ")
		l.log.Warn(line)
	}
	return len(text), nil
}

package trial

import (
	"bytes"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// call is one request of the platform, with its repeats.
type call struct {
	ride *ride
	path string
	body []byte
	key  string // Idempotency-Key; "": none
	then func(*answer)

	began  time.Time // when it was first sent, or last refused for certain
	tries  int
	unsure bool // one of them may have been served without a response
}

// answer is a response; status 0: none.
type answer struct {
	status int
	header http.Header
	body   []byte

	journey taxi.Journey // what it holds, by its path and status
	user    taxi.EndUser
	problem taxi.Problem
}

func (a *answer) ok() bool { return a.status == http.StatusOK }

// Header implements [http.ResponseWriter].
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements [http.ResponseWriter].
func (a *answer) WriteHeader(status int) { a.status = status }

// Write implements [http.ResponseWriter].
func (a *answer) Write(p []byte) (int, error) {
	a.body = append(a.body, p...)
	return len(p), nil
}

// serve sends a request to the handler, and checks the rules after it.
func (d *day) serve(path, key string, body []byte) *answer {
	req, err := http.NewRequestWithContext(d.ctx, http.MethodPost, "http://cabrank.test"+path, bytes.NewReader(body))
	if err != nil {
		d.fail(ruleAnswer, err.Error())
		return &answer{}
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set(taxi.IdempotencyHeader, key)
	}
	edit, edits := d.watch.newEdit(path, body)
	a := &answer{header: http.Header{}}
	d.handler.ServeHTTP(a, req)
	d.outcome.Calls++
	d.watch.checkAnswer(path, a)
	if edits {
		d.watch.checkEdit(edit, a)
	}
	if !a.ok() {
		count(&d.outcome.Coverage.Codes, a.problem.Code, 1)
	}
	d.afterEvent()
	return a
}

// Limits of the platform's repeats.
const (
	retrySoon  = 2 * time.Second
	retryLate  = 10 * time.Second
	repeatable = 45 * time.Second // the system recognises a repeated booking without a key for a minute
	mostTries  = 8
	mostWaits  = 200 // while the system answers 503
)

// send sends a request, with the faults of its request and response.
func (d *day) send(c *call) {
	if c.began.IsZero() {
		c.began = d.now
	}
	c.tries++
	f, draw := d.o.Faults, c.ride.draw
	switch luck := draw.IntN(100); {
	case luck < 3 && f.has(Lost): // faults of the request
		d.retry(c)
	case luck < 5 && f.has(Garbled):
		d.sendHalf(c)
		d.retry(c)
	case luck < 9 && f.has(Duplicate):
		d.serve(c.path, c.key, c.body)
		d.handle(c, d.serve(c.path, c.key, c.body))
	case luck < 13 && f.has(Reorder):
		d.sendLate(c)
		d.handle(c, d.serve(c.path, c.key, c.body))
	case luck < 19 && f.has(Lost): // faults of the response
		d.serve(c.path, c.key, c.body)
		d.retry(c)
	default:
		d.handle(c, d.serve(c.path, c.key, c.body))
	}
}

// handle passes on a response. If the process is about to end, the response was never
// sent, so the request is repeated; so is a request with the response 503.
func (d *day) handle(c *call, a *answer) {
	switch {
	case d.over():
	case d.dieAfter > 0:
		d.retry(c)
	case a.status == http.StatusServiceUnavailable:
		if a.problem.Code == taxi.CodeOutcomeUnknown { // the booking may have been accepted, and will be written later
			c.unsure = true
		}
		if !c.unsure {
			c.began = time.Time{}
		}
		d.resend(c, retryLate+c.ride.upTo(30*time.Second), mostWaits)
	default:
		c.then(a)
	}
}

// retry repeats a request without a response, with the same bytes.
func (d *day) retry(c *call) {
	c.unsure = true
	d.resend(c, retrySoon+c.ride.upTo(retryLate-retrySoon), mostTries)
}

// resend repeats a request after a delay, as long as the system recognises it and the
// platform has not tried too often.
func (d *day) resend(c *call, after time.Duration, most int) {
	d.agenda.add(d.now.Add(after), func() {
		if c.late() || c.tries >= most {
			c.then(&answer{})
			return
		}
		d.send(c)
	})
}

// sendLate lets a copy of a request arrive later.
func (d *day) sendLate(c *call) {
	sent := d.now
	d.agenda.add(d.now.Add(c.ride.upTo(2*time.Minute)), func() {
		if !c.lateSince(sent) && !c.late() {
			d.serve(c.path, c.key, c.body)
		}
	})
}

// late reports whether a call is too old to be sent again, since the system might take
// it for a new booking. The platform then looks at the user's bookings first.
func (c *call) late() bool { return !c.began.IsZero() && c.lateSince(c.began) }

func (c *call) lateSince(t time.Time) bool {
	return c.path == taxi.PathBook && c.key == "" && c.ride.day.now.Sub(t) > repeatable
}

// sendHalf makes only the first part of a request arrive.
func (d *day) sendHalf(c *call) {
	cut := 1 + c.ride.draw.IntN(len(c.body)-1)
	if a := d.serve(c.path, c.key, c.body[:cut]); a.status != http.StatusBadRequest && d.dieAfter == 0 {
		d.fail(ruleAnswer, "half a request to "+c.path+" was answered "+http.StatusText(a.status))
	}
}

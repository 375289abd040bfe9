package inbound

import (
	"fmt"
	"net/http"
	"time"
)

// Beat is the interval at which a [Stream] without events sends a sign of life.
const Beat = 15 * time.Second

// TakesWithin is the time within which a client must receive an event, or a part of a long response.
const TakesWithin = 10 * time.Second

// Stream sends server-sent events to one client. If the client receives nothing for ten
// seconds or closes its connection, all methods return the same error from then on. It is for
// one goroutine.
type Stream struct {
	w   http.ResponseWriter
	out *http.ResponseController
	err error
}

// NewStream begins the response of a request whose body has been read, and lifts the server's
// limits on how long it may take.
func NewStream(w http.ResponseWriter) *Stream {
	s := &Stream{w: w, out: http.NewResponseController(w)}
	_ = s.out.SetReadDeadline(time.Time{}) // a test's recorder has no deadlines
	_ = s.out.SetWriteDeadline(time.Time{})
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusOK)
	return s
}

// Event writes an event; data is JSON on one line. The id is left out where it is empty.
func (s *Stream) Event(id, name string, data []byte) error {
	if id != "" {
		id = "id: " + id + "\n"
	}
	return s.write(fmt.Sprintf("%sevent: %s\ndata: %s\n\n", id, name, data))
}

// Retry tells the client after what time to connect again if the stream breaks.
func (s *Stream) Retry(after time.Duration) error {
	return s.write(fmt.Sprintf("retry: %d\n\n", after.Milliseconds()))
}

// Comment writes a text that clients ignore, such as a sign of life.
func (s *Stream) Comment(text string) error { return s.write(": " + text + "\n\n") }

// Flush sends what has been written.
func (s *Stream) Flush() error {
	if s.err == nil {
		defer BreakOff(s.out, TakesWithin)()
		s.err = s.out.Flush()
	}
	return s.err
}

func (s *Stream) write(text string) error {
	if s.err == nil {
		defer BreakOff(s.out, TakesWithin)()
		_, s.err = s.w.Write([]byte(text))
	}
	return s.err
}

// BreakOff makes the current write fail unless done is called within a time.
func BreakOff(out *http.ResponseController, within time.Duration) (done func() bool) {
	return time.AfterFunc(within, func() {
		_ = out.SetWriteDeadline(time.Unix(1, 0)) // long ago
	}).Stop
}

package mutant

import (
	"net/http"
	"sync"
	"time"
)

// raceFaults show when calls meet on the way, or are sent twice.
var raceFaults = []fault{
	{name: "no more than ten bookings at a time", killedBy: "CON-01", most: 16, layer: crowded("book", 10, everybody)},
	{name: "cancelling twice at once crashes", killedBy: "CON-02", layer: crowded("cancel", 1, func(c *call) string { return text(c.req["journeyId"]) })},
	{name: "a cancellation that meets an edit is lost", killedBy: "CON-03", layer: func() layer {
		rooms := newRooms()
		return func(c *call, next func()) {
			id := text(c.req["journeyId"])
			if c.op != "book" && c.op != "cancel" || id == "" {
				next()
				return
			}
			n, leave := rooms.enter(id)
			defer leave()
			if n > 1 && c.op == "cancel" {
				c.answer(http.StatusOK, object{"journeyId": id, "status": "CANCELLED"})
				return
			}
			next()
		}
	}},
	{name: "a new number twice at once crashes", killedBy: "CON-04", layer: crowded("user", 1, func(c *call) string { return text(c.req["phoneNumber"]) })},
	{name: "edits at once are mixed", killedBy: "CON-05", layer: func() layer {
		rooms, m := newRooms(), newMemory()
		return func(c *call, next func()) {
			id := text(c.req["journeyId"])
			if c.op != "book" || id == "" {
				next()
				return
			}
			m.set(id, c.req["pickup"])
			n, leave := rooms.enter(id)
			defer leave()
			if n > 1 {
				c.req["pickup"] = m.get(id)
				c.req["dropoffs"] = []any{somewhere}
			}
			next()
		}
	}},
	{name: "no more than twenty reads at a time", killedBy: "CON-06", most: 8, layer: crowded("status", 20, everybody)},
	{name: "hanging up locks the user", killedBy: "IDM-02", most: 12, layer: func() layer {
		m := newMemory()
		return func(c *call, next func()) {
			phone := text(c.req["phoneNumber"])
			if c.creates() && m.get(phone) != nil {
				c.answer(http.StatusConflict, object{"error": "another booking is under way"})
				return
			}
			next()
			if c.creates() && c.http.Close {
				wait := time.NewTimer(20 * time.Millisecond)
				defer wait.Stop()
				select {
				case <-c.http.Context().Done():
					m.set(phone, true)
				case <-wait.C:
				}
			}
		}
	}},
	{name: "an Idempotency-Key is an unknown header", killedBy: "IDM-03", http: refusing(func(r *http.Request) bool {
		return r.Header.Get("Idempotency-Key") != ""
	})},
}

// rooms count who is in them at the same time.
type rooms struct {
	mu sync.Mutex
	in map[string]int
}

func newRooms() *rooms { return &rooms{in: map[string]int{}} }

// stay is how long one waits for others to come, so that calls sent together do
// meet.
const stay = 8 * time.Millisecond

// enter goes into a room, waits for a moment and tells how many are in it.
func (r *rooms) enter(name string) (n int, leave func()) {
	r.mu.Lock()
	r.in[name]++
	met := r.in[name]
	r.mu.Unlock()
	wait := time.NewTimer(stay)
	<-wait.C
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(met, r.in[name]), func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.in[name]--
	}
}

// everybody is in one room.
func everybody(*call) string { return "everybody" }

// crowded answers 503 when more than most calls of an operation are under way in
// one room.
func crowded(op string, most int, room func(*call) string) func() layer {
	return func() layer {
		rooms := newRooms()
		return func(c *call, next func()) {
			if c.op == op && room(c) != "" {
				n, leave := rooms.enter(room(c))
				defer leave()
				if n > most {
					c.answer(http.StatusServiceUnavailable, object{"error": "busy"})
					return
				}
			}
			next()
		}
	}
}

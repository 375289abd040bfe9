package dispatchside_test

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// anyone is the most verdicts that fail of a server which refuses, or loses, what comes at once, whoever sends it: how
// many other probes are among them depends on the machine.
const anyone = 40

// raceFaults show when calls meet on the way, or are sent twice.
var raceFaults = []fault{
	{name: "no more than ten bookings at a time", killedBy: "CON-01", most: anyone, layer: crowded("book", 10, everybody)},
	{name: "bookings at once are lost", killedBy: "CON-01", most: anyone, layer: func() layer {
		rooms, lost := newRooms(10, forACrowd), newMemory()
		return func(c *call, next func()) {
			if (c.op == "status" || c.op == "cancel") && lost.get(text(c.req["journeyId"])) != nil {
				c.answer(http.StatusNotFound, object{"error": "no such journey"})
				return
			}
			if !c.creates() {
				next()
				return
			}
			crowded, leave := rooms.enter("")
			defer leave()
			if next(); crowded {
				lost.set(text(c.reply["journeyId"]), true)
			}
		}
	}},
	{name: "cancelling twice at once crashes", killedBy: "CON-02", layer: crowded("cancel", 1, func(c *call) string { return text(c.req["journeyId"]) })},
	{name: "a cancellation that meets an edit is lost", killedBy: "CON-03", layer: func() layer {
		rooms := newRooms(1, forAnother)
		return func(c *call, next func()) {
			id := text(c.req["journeyId"])
			if c.op != "book" && c.op != "cancel" || id == "" {
				next()
				return
			}
			crowded, leave := rooms.enter(id)
			defer leave()
			if crowded && c.op == "cancel" {
				c.answer(http.StatusOK, object{"journeyId": id, "status": "CANCELLED"})
				return
			}
			next()
		}
	}},
	{name: "a new number twice at once crashes", killedBy: "CON-04", layer: crowded("user", 1, func(c *call) string { return text(c.req["phoneNumber"]) })},
	{name: "edits at once are mixed", killedBy: "CON-05", layer: func() layer {
		rooms, m, met := newRooms(1, forAnother), newMemory(), newMemory()
		return func(c *call, next func()) {
			id := text(c.req["journeyId"])
			if c.op != "book" || id == "" {
				next()
				return
			}
			m.set(id, c.req["pickup"])
			crowded, leave := rooms.enter(id)
			defer leave()
			if crowded {
				met.set(id, true) // and those that come late are mixed, too
			}
			if met.get(id) != nil {
				c.req["pickup"] = m.get(id)
				c.req["dropoffs"] = []any{somewhere}
			}
			next()
		}
	}},
	{name: "no more than twenty reads at a time", killedBy: "CON-06", most: anyone, layer: crowded("status", 20, everybody)},
	{name: "hanging up locks the user", killedBy: "IDM-02", most: 12, layer: remembering(func(m *memory, c *call, next func()) {
		phone := text(c.req["phoneNumber"])
		if c.creates() && m.get(phone) != nil {
			c.answer(http.StatusConflict, object{"error": "another booking is under way"})
			return
		}
		next()
		if c.creates() && c.http.Close {
			wait := time.NewTimer(time.Second) // a busy machine takes its time to hear of it
			defer wait.Stop()
			select {
			case <-c.http.Context().Done():
				m.set(phone, true)
			case <-wait.C:
			}
		}
	})},
	{name: "an Idempotency-Key is an unknown header", killedBy: "IDM-03", http: refusing(func(r *http.Request) bool {
		return r.Header.Get("Idempotency-Key") != ""
	})},
}

// rooms hold calls until more than most have met in one, or nobody has come for a
// while.
type rooms struct {
	most int
	stay time.Duration
	mu   sync.Mutex
	in   map[string]*room
}

type room struct {
	n    int
	full chan struct{} // closed while there are more than most in it
}

// How long one waits for others to come, so that calls sent together do meet: a
// pair longer than a crowd, of which there are more.
const (
	forAnother = 30 * time.Millisecond
	forACrowd  = 25 * time.Millisecond
)

func newRooms(most int, stay time.Duration) *rooms {
	return &rooms{most: most, stay: stay, in: map[string]*room{}}
}

// enter enters a room and waits. It reports whether more than most have met there.
func (r *rooms) enter(name string) (crowded bool, leave func()) {
	r.mu.Lock()
	here := r.in[name]
	if here == nil {
		here = &room{full: make(chan struct{})}
		r.in[name] = here
	}
	if here.n++; here.n == r.most+1 {
		close(here.full)
	}
	full := here.full
	r.mu.Unlock()
	wait := time.NewTimer(r.stay)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-full:
		crowded = true
	}
	return crowded, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if here.n--; here.n == r.most {
			here.full = make(chan struct{})
		}
		if here.n == 0 {
			delete(r.in, name)
		}
	}
}

// everybody puts all calls into one room.
func everybody(*call) string { return "everybody" }

// crowded makes a layer that answers 503 when more than most calls of an operation are under way in one room.
func crowded(op string, most int, room func(*call) string) func() layer {
	stay := forACrowd
	if most == 1 {
		stay = forAnother
	}
	return func() layer {
		rooms := newRooms(most, stay)
		return func(c *call, next func()) {
			if c.op == op && room(c) != "" {
				crowded, leave := rooms.enter(room(c))
				defer leave()
				if crowded {
					c.answer(http.StatusServiceUnavailable, object{"error": "busy"})
					return
				}
			}
			next()
		}
	}
}

// timingFaults take their time, or have the wrong one.
var timingFaults = []fault{
	{name: "six seconds for a look", killedBy: "TIM-01", lag: always(rules.OpStatus, 6*time.Second)},
	{name: "a second and a half for /config", killedBy: "CFG-10", lag: always(rules.OpConfig, 1500*time.Millisecond)},
	{name: "slower with each booking", killedBy: "TIM-03", lag: func() func(conformance.Operation) time.Duration {
		var mu sync.Mutex
		booked := 0
		return func(op conformance.Operation) time.Duration {
			mu.Lock()
			defer mu.Unlock()
			if op == rules.OpBook {
				booked++
			}
			if op == rules.OpConfig {
				return 0
			}
			return time.Duration(booked) * 4 * time.Millisecond
		}
	}},
	{name: "one body at a time", killedBy: "TIM-02", http: func(h http.Handler) http.Handler {
		var reading sync.Mutex // held while a body is read
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			reading.Lock()
			_ = readAll(r)
			reading.Unlock()
			h.ServeHTTP(w, r)
		})
	}},
	{name: "a clock ten minutes fast", killedBy: "TIM-04", layer: after(func(c *call) {
		if date, err := http.ParseTime(c.header.Get("Date")); err == nil {
			c.header.Set("Date", date.Add(10*time.Minute).UTC().Format(http.TimeFormat))
		} else {
			c.header.Set("Date", "Thu, 01 Jan 1970 00:00:00 GMT")
		}
	})},
	{name: "times by the clock on the wall", killedBy: "TIM-05", layer: before(func(c *call) {
		at, err := time.Parse(time.RFC3339, text(c.req["pickupTime"]))
		if _, offset := at.Zone(); c.op == "book" && err == nil && offset == 3600 && at.UTC().Weekday() == time.Sunday && at.UTC().Hour() <= 1 && at.Minute() == 30 {
			c.req["pickupTime"] = text(c.req["pickupTime"])[:19] + "Z"
		}
	})},
	{name: "the year of the week", killedBy: "BOK-11", layer: after(func(c *call) {
		at, err := time.Parse(time.RFC3339, text(c.reply["date"]))
		if year, _ := at.ISOWeek(); err == nil {
			c.reply["date"] = fmt.Sprint(year) + text(c.reply["date"])[4:]
		}
	})},
}

// always returns a lag that adds the same time to each answer of an operation.
func always(slow conformance.Operation, by time.Duration) func() func(conformance.Operation) time.Duration {
	return func() func(conformance.Operation) time.Duration {
		return func(op conformance.Operation) time.Duration {
			if op == slow {
				return by
			}
			return 0
		}
	}
}

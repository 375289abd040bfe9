package fault

import (
	"crypto/sha256"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
)

func outcomeFaults() []Fault {
	once := Parameter{Name: "once", Type: "boolean", Means: "a request that is repeated byte for byte gets a normal response"}
	return []Fault{
		{
			Name: "commit-then-drop", Group: Outcome,
			Proof: Proof{NoticedBy: "BOK-01", on: Book, Done: true, Does: "the request is processed once, and the connection is closed without a response"},
			Parameters: []Parameter{
				once, number("status", 0, 500, 599, "the response is this error, instead of none"),
				lasting(0, "how long the connection stays open; it is closed before that when the client goes"),
			},
			Examples: []Example{
				{Do{Status: 500}, Proof{was: "commit-then-500", NoticedBy: "BOK-01", on: Book, Done: true, Does: "the request is processed once, and the response is an error"}},
				{Do{For: host.Duration(time.Minute)}, Proof{was: "commit-then-hang", NoticedBy: "BOK-01", on: Book, Done: true, Does: "the request is processed once, and there is no response"}},
			},
			act: func(e *exchange) {
				e.ask(e.body)
				e.wait(time.Duration(e.what.do.For))
				if e.what.do.Status != 0 {
					e.send(e.problem(e.what.do.Status))
					return
				}
				e.drop(false)
			},
		},
		{
			Name: "commit-twice", Group: Outcome, Ops: []Op{Book},
			Proof: Proof{NoticedBy: "BOK-19", Done: true, Does: "the booking is made twice; the response describes the first one"},
			act: func(e *exchange) {
				a := e.ask(e.body)
				if !a.ok() || e.said().JourneyID != "" {
					e.sendUnchanged(a)
					return
				}
				e.r = e.r.Clone(e.r.Context())
				e.r.Header.Del(taxi.IdempotencyHeader)
				e.ask(append(e.body, ' ')) // for dispatch, the same bytes are the same booking
				e.send(a)
			},
		},
		{
			Name: "stale", Group: Outcome, Ops: []Op{Config, User, Status},
			Proof: Proof{NoticedBy: "CAN-02", on: Status, Does: "the same request gets the same response, until that response is too old"},
			Parameters: []Parameter{{
				Name: "by", Type: "duration", Default: host.Duration(30 * time.Second), Least: host.Duration(time.Second), Most: host.Duration(24 * time.Hour),
				Means: "how old a response may be, by the world's clock",
			}},
			act: func(e *exchange) { e.send(e.stale()) },
		},
		{
			Name: "cancel-ignored", Group: Outcome, Ops: []Op{Cancel},
			Proof: Proof{NoticedBy: "CAN-02", Does: "/cancel returns CANCELLED, and the journey continues"},
			act: func(e *exchange) {
				e.r = e.r.Clone(e.r.Context())
				e.r.URL.Path, e.r.RequestURI = taxi.PathStatus, taxi.PathStatus
				a := e.ask(e.body)
				t := readTree(a.body)
				if a.status != http.StatusOK || t == nil {
					e.sendUnchanged(a)
					return
				}
				t["status"] = string(taxi.Cancelled)
				forgetCar(t)
				a.body = writeTree(t)
				e.send(a)
			},
		},
	}
}

// earlier is a remembered response, with its time by the world's clock.
type earlier struct {
	at time.Time
	*answer
}

// stale returns a remembered response to the same request if there is a recent one, and
// otherwise the current response.
func (e *exchange) stale() *answer {
	sum := sha256.Sum256(e.body)
	key, now := string(e.asked.op)+string(sum[:]), e.set.options.Now()
	var known *answer
	e.what.memory.meet(key, func(p *past) {
		if was, ok := p.value.(earlier); ok && now.Sub(was.at) < time.Duration(e.what.do.By) {
			known = was.answer
		}
	})
	if known != nil {
		return known
	}
	a := e.ask(e.body)
	if a.ok() {
		e.what.memory.meet(key, func(p *past) { p.value = earlier{now, a} })
	}
	return a
}

// forgetCar removes from a journey all members about its car.
func forgetCar(j tree) {
	for _, name := range []string{"eta", "vehicle", "driver", "location"} {
		delete(j, name)
	}
}

package fault

import (
	"net/http"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

func outcomeFaults() []Fault {
	once := Parameter{Name: "once", Type: "boolean", Means: "a request that comes again byte for byte is answered"}
	return []Fault{
		{
			Name: "commit-then-drop", Group: Outcome, NoticedBy: "BOK-01", on: Book, Done: true,
			Parameters: []Parameter{once},
			Does:       "dispatch does what it was asked, once, and the connection is closed without an answer",
			act: func(e *exchange) {
				e.ask(e.body)
				e.drop(false)
			},
		},
		{
			Name: "commit-then-500", Group: Outcome, NoticedBy: "BOK-01", on: Book, Done: true,
			Parameters: []Parameter{once, statusParameter(500, 500, 599)},
			Does:       "dispatch does what it was asked, once, and says that it failed",
			act: func(e *exchange) {
				e.ask(e.body)
				e.send(e.problem(e.what.do.Status))
			},
		},
		{
			Name: "commit-then-hang", Group: Outcome, NoticedBy: "BOK-01", on: Book, Done: true,
			Parameters: []Parameter{once, lasting(time.Minute, "how long the connection stays open; it is closed before that when the client goes")},
			Does:       "dispatch does what it was asked, once, and there is no answer",
			act: func(e *exchange) {
				e.ask(e.body)
				e.wait(time.Duration(e.what.do.For))
				e.drop(false)
			},
		},
		{
			Name: "commit-twice", Group: Outcome, Ops: []Op{Book}, NoticedBy: "BOK-19", Done: true,
			Does: "a booking is made twice; the answer tells of the first",
			act: func(e *exchange) {
				a := e.ask(e.body)
				if !a.ok() || e.said().JourneyID != "" {
					e.unbroken(a)
					return
				}
				e.r = e.r.Clone(e.r.Context())
				e.r.Header.Del(taxi.IdempotencyHeader)
				e.ask(append(e.body, ' ')) // dispatch takes the same bytes for the same booking
				e.send(a)
			},
		},
		{
			Name: "cancel-ignored", Group: Outcome, Ops: []Op{Cancel}, NoticedBy: "CAN-02",
			Does: "/cancel answers CANCELLED, and the journey goes on",
			act: func(e *exchange) {
				e.r = e.r.Clone(e.r.Context())
				e.r.URL.Path, e.r.RequestURI = taxi.PathStatus, taxi.PathStatus
				a := e.ask(e.body)
				t := readTree(a.body)
				if a.status != http.StatusOK || t == nil {
					e.unbroken(a)
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

// forgetCar takes from a journey what it has by a car that is on its way.
func forgetCar(j tree) {
	for _, name := range []string{"eta", "vehicle", "driver", "location"} {
		delete(j, name)
	}
}

package control

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

var journeyRoutes = []route{
	get("/journeys", listJourneys), get("/journeys/{id}", readJourney), get("/journeys/{id}/route", readJourneyRoute),
	post("/journeys/next/script", scriptNext), del("/journeys/next/script", forgetScripts),
	post("/journeys/{id}/transition", transition), post("/journeys/{id}/hold", hold), post("/journeys/{id}/release", release),
	post("/journeys/{id}/reassign", reassign), post("/journeys/{id}/script", script),
}

// The bounds of lists.
const (
	pageUsual   = 50
	pageMost    = 500
	mostScanned = 10_000 // records that one call looks at
)

// JourneyList is a page of journeys, those booked last first.
type JourneyList struct {
	Now      time.Time               `json:"now"` // by the world's clock
	Journeys []simulator.JourneyView `json:"journeys"`
	Next     string                  `json:"next,omitempty"` // to be sent as after, for what follows
}

// journeyFilter is which journeys are asked for.
type journeyFilter struct {
	statuses []taxi.Status
	phone    taxi.E164   // digits; "": any
	user     taxi.UserID // who has that number; "": nobody
	since    time.Time
}

func (f *journeyFilter) takes(j *store.Snapshot) bool {
	switch {
	case len(f.statuses) > 0 && !slices.Contains(f.statuses, j.Status), j.UpdatedAt.Before(f.since):
		return false
	case f.phone == "":
		return true
	}
	return f.user != "" && j.UserID == f.user || j.Passenger != nil && j.Passenger.PhoneNumber.Digits() == f.phone
}

// journeyFilter reads the filter of a request.
func (c *call) journeyFilter(q query) (f journeyFilter, err error) {
	for _, s := range q.list("status") {
		status := taxi.Status(strings.ToUpper(s))
		if !status.Known() {
			return f, refuseParameter("status", "is %q, want some of %v", s, taxi.Statuses())
		}
		f.statuses = append(f.statuses, status)
	}
	if f.phone = taxi.E164(q.get("phone")).Digits(); f.phone != "" {
		switch u, err := c.world().Service().FindUser(c, string(f.phone)); {
		case err == nil:
			f.user = u.UserID
		case !errors.Is(err, store.ErrNotFound):
			return f, err
		}
	}
	if since := q.get("since"); since != "" {
		if f.since, err = time.Parse(time.RFC3339, since); err != nil {
			return f, refuseParameter("since", "is %q, want a time such as %s", since, simulator.Epoch.Format(time.RFC3339))
		}
	}
	return f, nil
}

// listJourneys lists journeys, those booked last first.
func listJourneys(c *call) (any, error) {
	q, err := c.query("id", "status", "phone", "since", "limit", "after")
	if err != nil {
		return nil, err
	}
	filter, err := c.journeyFilter(q)
	if err != nil {
		return nil, err
	}
	if ids := q.list("id"); len(ids) > 0 {
		return c.namedJourneys(ids, filter)
	}
	limit, err := q.limit()
	if err != nil {
		return nil, err
	}
	below := uint64(math.MaxInt64)
	if after := q.get("after"); after != "" {
		if below, err = strconv.ParseUint(after, 10, 63); err != nil {
			return nil, refuseParameter("after", "is %q, want the next of another page", after)
		}
	}
	found, next, err := c.scan(filter, below, limit)
	if err != nil {
		return nil, err
	}
	now, views := c.world().JourneyViews(found)
	return JourneyList{now, views, next}, nil
}

// namedJourneys lists those of some journeys that there are, each once, in the order asked for.
func (c *call) namedJourneys(ids []string, f journeyFilter) (any, error) {
	if len(ids) > pageMost {
		return nil, refuseParameter("id", "names %d journeys, at most %d are listed", len(ids), pageMost)
	}
	found, seen := []*store.Snapshot{}, map[string]bool{}
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		switch j, err := c.host.Records().Journey(c, taxi.JourneyID(id)); {
		case err == nil && f.takes(j) && c.world().Service().Remembers(j.Journey):
			found = append(found, j)
		case err != nil && !errors.Is(err, store.ErrNotFound):
			return nil, err
		}
	}
	now, views := c.world().JourneyViews(found)
	return JourneyList{Now: now, Journeys: views}, nil
}

// scan looks for journeys below a serial that are not forgotten. Where it stops before the end, next says where.
func (c *call) scan(f journeyFilter, below uint64, limit int) (found []*store.Snapshot, next string, err error) {
	for scanned := 0; scanned < mostScanned; {
		page, err := c.host.Records().JourneysBelow(c, below, pageMost)
		if err != nil {
			return nil, "", err
		}
		for _, j := range page {
			if below = j.Serial; f.takes(j) && c.world().Service().Remembers(j.Journey) {
				if found = append(found, j); len(found) == limit {
					return found, strconv.FormatUint(below, 10), nil
				}
			}
		}
		if scanned += len(page); len(page) < pageMost {
			return found, "", nil
		}
	}
	return found, strconv.FormatUint(below, 10), nil
}

// journeyID is the journey of the path; "latest" is the one booked last.
func (c *call) journeyID() (taxi.JourneyID, error) {
	id := taxi.JourneyID(c.path("id"))
	if id != latest {
		return id, nil // the world says if there is none
	}
	last, err := c.journey(id)
	if err != nil {
		return "", err
	}
	return last.JourneyID, nil
}

func readJourney(c *call) (any, error) {
	id, err := c.journeyID()
	if err != nil {
		return nil, err
	}
	return c.world().Journey(c, id)
}

// TransitionBody says where a journey is to go, see [simulator.TransitionOrder].
type TransitionBody struct {
	To    taxi.Status    `json:"to"`
	Event dispatch.Event `json:"event,omitempty"`
	Force bool           `json:"force,omitempty"`
}

func transition(c *call) (any, error) {
	return orderJourney(c, func(id taxi.JourneyID, b TransitionBody) (simulator.JourneyView, error) {
		return c.world().Transition(c, simulator.TransitionOrder{Journey: id, To: b.To, Event: b.Event, Force: b.Force})
	})
}

func hold(c *call) (any, error) {
	return orderJourney(c, func(id taxi.JourneyID, _ struct{}) (simulator.JourneyView, error) { return c.world().Hold(c, id) })
}

func release(c *call) (any, error) {
	return orderJourney(c, func(id taxi.JourneyID, _ struct{}) (simulator.JourneyView, error) { return c.world().Release(c, id) })
}

// ReassignBody says who gets a journey, see [simulator.ReassignOrder].
type ReassignBody struct {
	Vehicle string `json:"vehicle,omitempty"`
}

func reassign(c *call) (any, error) {
	return orderJourney(c, func(id taxi.JourneyID, b ReassignBody) (simulator.JourneyView, error) {
		return c.world().Reassign(c, simulator.ReassignOrder{Journey: id, Vehicle: b.Vehicle})
	})
}

// ScriptBody is what a driver will do, see [simulator.ScriptOrder].
type ScriptBody struct {
	Steps []simulator.ScriptStep `json:"steps"`
}

func script(c *call) (any, error) {
	return orderJourney(c, func(id taxi.JourneyID, b ScriptBody) (simulator.JourneyView, error) {
		return c.world().Script(c, simulator.ScriptOrder{Journey: id, Steps: b.Steps})
	})
}

// NextScriptBody is what the driver of the next booking will do, see
// [simulator.NextScriptOrder].
type NextScriptBody struct {
	Phone taxi.E164              `json:"phone,omitempty"`
	Steps []simulator.ScriptStep `json:"steps"`
}

// ScriptsWaiting is how many scripts wait for a booking.
type ScriptsWaiting struct {
	Waiting int `json:"waiting"`
}

func scriptNext(c *call) (any, error) {
	b, err := body[NextScriptBody](c)
	if err != nil {
		return nil, err
	}
	waiting, err := c.world().ScriptNext(c, simulator.NextScriptOrder{Phone: b.Phone, Steps: b.Steps})
	if err != nil {
		return nil, err
	}
	return ScriptsWaiting{waiting}, nil
}

// forgetScripts drops those that wait.
func forgetScripts(c *call) (any, error) { return nil, c.world().ForgetScripts(c) }

// orderJourney reads an order about the journey of the path and gives it.
func orderJourney[B any](c *call, give func(taxi.JourneyID, B) (simulator.JourneyView, error)) (any, error) {
	b, err := body[B](c)
	if err != nil {
		return nil, err
	}
	id, err := c.journeyID()
	if err != nil {
		return nil, err
	}
	return give(id, b)
}

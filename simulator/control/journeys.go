package control

import (
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

func journeyCalls() calls {
	conflict := http.StatusConflict
	return calls{
		get("listJourneys", "/journeys", "Journeys, those booked last first", listJourneys).takes(
			parameter{name: "id", means: "those of these ids that there are, up to 500, listed with commas, all on one page", example: "J1,J2"},
			parameter{name: "status", means: "one of these, listed with commas", example: "WAITING,ACCEPTED"},
			parameter{name: "phone", means: "of the passenger or of whoever booked"},
			parameter{name: "since", means: "changed since then", schema: object{"type": "string", "format": "date-time"}},
			pageLimit, pageAfter,
		),
		get("readJourney", "/journeys/{id}", "A journey as it stands", readJourney),
		get("readJourneyRoute", "/journeys/{id}/route", "The way of a journey's car, as GeoJSON (RFC 7946)", readJourneyRoute).answers("JourneyRoute").
			more(`The drive to the pickup, from where the car is or set off, and those to the drop-offs, in their order. The drive under way
				is two lines: what is done, and what is still to come. Without a car the way begins at the pickup. Where somebody goes
				who says so only on the way is known until the journey is over.`),
		post("transitionJourney", "/journeys/{id}/transition", "Take a journey one step on, or force it into any status", ofJourney(transition)).
			more("A step of the table of transitions is taken with all that follows from it. A step that the table does not have is " +
				"refused, and `legal` of the problem names those that it has. With `force` no condition is asked, and the journey is " +
				"put into a status to which no step leads: a car and its driver are found or let go, and what was planned is dropped. " +
				"A journey that comes to HELD although its release is due is held until another order takes it on.").refuses(conflict),
		post("holdJourney", "/journeys/{id}/hold", "Stop a journey: nothing of it moves by itself, its car neither", ofJourney(hold)).refuses(conflict),
		post("releaseJourney", "/journeys/{id}/release", "Let a journey go on that was held", ofJourney(release)).refuses(conflict),
		post("reassignJourney", "/journeys/{id}/reassign", "Give a journey to another driver", ofJourney(reassign)).
			more("Without a free car the journey stays WAITING, and the search goes on.").refuses(conflict),
		post("scriptJourney", "/journeys/{id}/script", "Say what the driver of a journey will do", ofJourney(script)).
			more("Until the last step nothing else of the journey happens by itself; then it goes on as any other. A step that cannot be " +
				"taken when its time has come ends the script, and `scriptStopped` of the journey says why. No steps end a script.").refuses(conflict),
		post("scriptNextJourney", "/journeys/next/script", "Say what the driver of the next booking will do", scriptNext).
			more("The script holds from the first moment of the journey. Up to 500 wait in line, each for one booking.").refuses(conflict),
		del("forgetScripts", "/journeys/next/script", "Drop the scripts that wait for a booking", forgetScripts).says("they are dropped"),
	}.tagged("Journeys").where(parameter{name: "id", means: "its id, or `latest` for the one booked last"})
}

// JourneyList is a page of journeys, those booked last first.
type JourneyList struct {
	Now      time.Time               `json:"now"` // by the world's clock
	Journeys []simulator.JourneyView `json:"journeys"`
	Next     string                  `json:"next,omitempty"` // to be sent as `after`, for what follows
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
func listJourneys(c *call) (list JourneyList, err error) {
	q, err := c.query()
	if err != nil {
		return list, err
	}
	filter, err := c.journeyFilter(q)
	if err != nil {
		return list, err
	}
	if ids := q.list("id"); len(ids) > 0 {
		return c.namedJourneys(ids, filter)
	}
	limit, err := q.limit()
	if err != nil {
		return list, err
	}
	below := uint64(math.MaxInt64)
	if after := q.get("after"); after != "" {
		if below, err = strconv.ParseUint(after, 10, 63); err != nil {
			return list, refuseParameter("after", "is %q, want the next of another page", after)
		}
	}
	found, next, err := c.scan(filter, below, limit)
	if err != nil {
		return list, err
	}
	now, views := c.world().JourneyViews(found)
	return JourneyList{now, views, next}, nil
}

// namedJourneys lists those of some journeys that there are, each once, in the order asked for.
func (c *call) namedJourneys(ids []string, f journeyFilter) (list JourneyList, err error) {
	if len(ids) > pageMost {
		return list, refuseParameter("id", "names %d journeys, at most %d are listed", len(ids), pageMost)
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
			return list, err
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

func readJourney(c *call) (view simulator.JourneyView, err error) {
	id, err := c.journeyID()
	if err != nil {
		return view, err
	}
	return c.world().Journey(c, id)
}

// ofJourney makes the handler of an order about the journey of the path.
func ofJourney[In any](give func(*call, taxi.JourneyID, In) (simulator.JourneyView, error)) func(*call, In) (simulator.JourneyView, error) {
	return func(c *call, in In) (view simulator.JourneyView, err error) {
		id, err := c.journeyID()
		if err != nil {
			return view, err
		}
		return give(c, id, in)
	}
}

// TransitionBody says where a journey is to go. See [simulator.TransitionOrder].
type TransitionBody struct {
	To    taxi.Status    `json:"to"`
	Event dispatch.Event `json:"event,omitempty"` // which of several ways there, such as no-show
	Force bool           `json:"force,omitempty"`
}

func transition(c *call, id taxi.JourneyID, b TransitionBody) (simulator.JourneyView, error) {
	return c.world().Transition(c, simulator.TransitionOrder{Journey: id, To: b.To, Event: b.Event, Force: b.Force})
}

func hold(c *call, id taxi.JourneyID, _ empty) (simulator.JourneyView, error) {
	return c.world().Hold(c, id)
}

func release(c *call, id taxi.JourneyID, _ empty) (simulator.JourneyView, error) {
	return c.world().Release(c, id)
}

// ReassignBody says who gets a journey. See [simulator.ReassignOrder].
type ReassignBody struct {
	Vehicle string `json:"vehicle,omitempty"` // whose driver gets it; left out: whoever would be there first
}

func reassign(c *call, id taxi.JourneyID, b ReassignBody) (simulator.JourneyView, error) {
	return c.world().Reassign(c, simulator.ReassignOrder{Journey: id, Vehicle: b.Vehicle})
}

// ScriptBody is what a driver will do. See [simulator.ScriptOrder].
type ScriptBody struct {
	Steps []simulator.ScriptStep `json:"steps" schema:"maxItems: 32"`
}

func script(c *call, id taxi.JourneyID, b ScriptBody) (simulator.JourneyView, error) {
	return c.world().Script(c, simulator.ScriptOrder{Journey: id, Steps: b.Steps})
}

// NextScriptBody is what the driver of the next booking will do. See
// [simulator.NextScriptOrder].
type NextScriptBody struct {
	Phone taxi.E164              `json:"phone,omitempty"` // of the passenger; left out: whoever books next
	Steps []simulator.ScriptStep `json:"steps" schema:"maxItems: 32"`
}

// ScriptsWaiting is how many scripts wait for a booking.
type ScriptsWaiting struct {
	Waiting int `json:"waiting"`
}

func scriptNext(c *call, b NextScriptBody) (ScriptsWaiting, error) {
	waiting, err := c.world().ScriptNext(c, simulator.NextScriptOrder{Phone: b.Phone, Steps: b.Steps})
	return ScriptsWaiting{waiting}, err
}

// forgetScripts drops those that wait.
func forgetScripts(c *call) (none, error) { return none{}, c.world().ForgetScripts(c) }

// journey is a journey by its id; "latest" is the one that was booked last. One that is
// forgotten is none, also until it is deleted.
func (c *call) journey(id taxi.JourneyID) (*store.Snapshot, error) {
	if id != latest {
		return c.world().Service().Find(c, id)
	}
	all, _, err := c.scan(journeyFilter{}, math.MaxInt64, 1)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, store.ErrNotFound
	}
	return all[0], nil
}

// latest stands for the id of the journey that was booked last.
const latest = "latest"

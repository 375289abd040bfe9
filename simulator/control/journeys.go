package control

import (
	"errors"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// Calls of a [Server].
var (
	ListJourneys = Call[url.Values, JourneyList]{get("listJourneys", "/journeys", "Journeys, newest booking first", listJourneys).takes(
		parameter{name: "id", means: "only journeys with these ids, up to 500, separated by commas, on one page", example: "J1,J2"},
		parameter{name: "status", means: "any of these, separated by commas", example: "WAITING,ACCEPTED"},
		parameter{name: "phone", means: "phone number of the passenger or the user"},
		parameter{name: "since", means: "changed at this time or later", schema: object{"type": "string", "format": "date-time"}},
		pageLimit, pageAfter,
	)}
	ReadJourney      = Call[url.Values, simulator.JourneyView]{get("readJourney", "/journeys/{id}", "A journey", readJourney)}
	ReadJourneyRoute = Call[url.Values, FeatureCollection]{get("readJourneyRoute", "/journeys/{id}/route", "The route of a journey's car, as GeoJSON (RFC 7946)", readJourneyRoute).answers("JourneyRoute").
				more(`The drive to the pickup, from the car's position or from where it set off, and the drives to the drop-offs, in order. The
				current drive has two lines: the part that is done, and the rest. Without a car the route begins at the pickup.
				Directions that a passenger gives on the way are known only until the journey is over.`)}
	TransitionJourney = Call[simulator.TransitionOrder, simulator.JourneyView]{post("transitionJourney", "/journeys/{id}/transition", "Change the status of a journey by one transition, or force any status", ofJourney(transition)).
				more("Applies a transition of the table with all its effects. Other transitions are refused, and `legal` of the problem lists " +
			"the possible ones. `force` ignores conditions and allows any status: a car and its driver are found or released, and " +
			"earlier plans are dropped. A journey that is moved to HELD after its release was due is held until the next order moves it.").refuses(http.StatusConflict)}
	HoldJourney     = Call[None, simulator.JourneyView]{post("holdJourney", "/journeys/{id}/hold", "Hold a journey: it and its car do not change by themselves", ofJourney(hold)).refuses(http.StatusConflict)}
	ReleaseJourney  = Call[None, simulator.JourneyView]{post("releaseJourney", "/journeys/{id}/release", "Release a journey that is held", ofJourney(release)).refuses(http.StatusConflict)}
	ReassignJourney = Call[simulator.ReassignOrder, simulator.JourneyView]{post("reassignJourney", "/journeys/{id}/reassign", "Assign another car to a journey", ofJourney(reassign)).
			more("Without a free car the journey stays WAITING, and the search continues.").refuses(http.StatusConflict)}
	ScriptJourney = Call[simulator.ScriptOrder, simulator.JourneyView]{post("scriptJourney", "/journeys/{id}/script", "Set the script of a journey's driver", ofJourney(script)).
			more("Until the last step, nothing else about the journey changes by itself; after it, the journey continues normally. A step that " +
			"is not possible when it is due ends the script, and `scriptStopped` of the journey says why. An empty list ends the script.").refuses(http.StatusConflict)}
	ScriptNextJourney = Call[simulator.NextScriptOrder, ScriptsWaiting]{post("scriptNextJourney", "/journeys/next/script", "Set the script for the next booking", scriptNext).
				more("The script applies from the first moment of the journey. Up to 500 scripts can wait, each for one booking.").refuses(http.StatusConflict)}
	ForgetScripts = Call[url.Values, None]{del("forgetScripts", "/journeys/next/script", "Remove the scripts that wait for a booking", forgetScripts).says("the scripts are removed")}
)

// JourneyList is a page of journeys, newest booking first.
type JourneyList struct {
	Now      time.Time               `json:"now"` // by the world's clock
	Journeys []simulator.JourneyView `json:"journeys"`
	Next     string                  `json:"next,omitempty"` // the value of `after` for the next page
}

// journeyFilter selects journeys.
type journeyFilter struct {
	statuses []taxi.Status
	phone    taxi.E164   // digits; "": any
	user     taxi.UserID // the user with that number; "": none
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

// listJourneys lists journeys, newest booking first.
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

// namedJourneys lists the journeys with the given ids, each once, in the given order;
// unknown ids are left out.
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

// scan looks for journeys below a serial number that have not been deleted. If it stops
// before the end, next is where to continue.
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

// journeyID returns the journey id of the path, which may be "latest".
func (c *call) journeyID() (taxi.JourneyID, error) {
	id := taxi.JourneyID(c.path("id"))
	if id != latest {
		return id, nil // the world checks whether it exists
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

// ofJourney returns the handler of an order about the journey of the path.
func ofJourney[In any](give func(*call, taxi.JourneyID, In) (simulator.JourneyView, error)) func(*call, In) (simulator.JourneyView, error) {
	return func(c *call, in In) (view simulator.JourneyView, err error) {
		id, err := c.journeyID()
		if err != nil {
			return view, err
		}
		return give(c, id, in)
	}
}

func transition(c *call, id taxi.JourneyID, o simulator.TransitionOrder) (simulator.JourneyView, error) {
	o.Journey = id
	return c.world().Transition(c, o)
}

func hold(c *call, id taxi.JourneyID, _ None) (simulator.JourneyView, error) {
	return c.world().Hold(c, id)
}

func release(c *call, id taxi.JourneyID, _ None) (simulator.JourneyView, error) {
	return c.world().Release(c, id)
}

func reassign(c *call, id taxi.JourneyID, o simulator.ReassignOrder) (simulator.JourneyView, error) {
	o.Journey = id
	return c.world().Reassign(c, o)
}

func script(c *call, id taxi.JourneyID, o simulator.ScriptOrder) (simulator.JourneyView, error) {
	o.Journey = id
	return c.world().Script(c, o)
}

// ScriptsWaiting is the number of scripts that wait for a booking.
type ScriptsWaiting struct {
	Waiting int `json:"waiting"`
}

func scriptNext(c *call, o simulator.NextScriptOrder) (ScriptsWaiting, error) {
	waiting, err := c.world().ScriptNext(c, o)
	return ScriptsWaiting{waiting}, err
}

// forgetScripts removes the scripts that wait for a booking.
func forgetScripts(c *call) (None, error) { return None{}, c.world().ForgetScripts(c) }

// journey returns a journey by its id; "latest" is the newest booking since the world began,
// never one that it began with: a test whose booking failed must not go on with another. A
// journey that is about to be deleted does not exist.
func (c *call) journey(id taxi.JourneyID) (*store.Snapshot, error) {
	if id != latest {
		return c.world().Service().Find(c, id)
	}
	all, _, err := c.scan(journeyFilter{}, math.MaxInt64, 1)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 || c.host.Past(all[0]) {
		return nil, taxi.NewProblem(http.StatusNotFound, taxi.CodeJourneyNotFound, "nothing has been booked since the world began, was reset, or was given bookings by a scenario; GET /journeys lists what was there")
	}
	return all[0], nil
}

// latest stands for the id of the newest booking since the world began.
const latest = "latest"

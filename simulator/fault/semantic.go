package fault

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
)

func semanticFaults() []Fault {
	return slices.Concat(fieldFaults(), journeyFaults(), moneyAndTimeFaults(), placeFaults(), courseFaults(), userFaults())
}

func word(usual, means string) Parameter {
	return Parameter{Name: "text", Type: "string", Default: usual, Most: mostText, Means: means}
}

// fieldFaults break one member of a response.
func fieldFaults() []Fault {
	field := []Parameter{{
		Name: "field", Type: "string", Most: mostText,
		Means: "a JSON Pointer; left out: /status of /config, /userId of /user, /journeyId of the others",
	}}
	broken := func(name, does string, change func(any) (any, bool)) Fault {
		return Fault{
			Name: name, Group: Semantic, NoticedBy: "STA-01", on: Status, Done: true, Parameters: field, Does: does,
			act: edited(func(e *exchange, t tree) bool {
				usual := map[Op]string{Config: "/status", User: "/userId"}[e.asked.op]
				return at(t, cmp.Or(e.what.do.Field, usual, "/journeyId"), change)
			}),
		}
	}
	return []Fault{
		broken("field-missing", "a required member is left out", func(any) (any, bool) { return nil, false }),
		broken("field-null", "a required member is null", func(any) (any, bool) { return nil, true }),
		broken("field-empty", `a required member is empty: "", [] or {}`, func(old any) (any, bool) { return emptied(old), true }),
		broken("field-type", "a required member is of another type", func(old any) (any, bool) { return mistyped(old), true }),
	}
}

func emptied(old any) any {
	switch old.(type) {
	case []any:
		return []any{}
	case tree:
		return tree{}
	default:
		return ""
	}
}

func mistyped(old any) any {
	switch v := old.(type) {
	case string:
		return 7
	case json.Number:
		return v.String()
	case []any:
		return tree{}
	case tree:
		return "none"
	default:
		return fmt.Sprint(v)
	}
}

// journeyFaults are about which journey is returned, and its status.
func journeyFaults() []Fault {
	return []Fault{
		{
			Name: "unknown-status", Group: Semantic, Ops: shows(), NoticedBy: "STA-02", Done: true, on: Status,
			Parameters: []Parameter{word("PENDING", "the status")},
			Does:       "a journey's status is not defined by the interface",
			act: eachJourney(func(e *exchange, j tree) bool {
				j["status"] = e.what.do.Text
				return true
			}),
		},
		{
			Name: "stuck-status", Group: Semantic, Ops: shows(), Done: true, on: Status,
			Unnoticed:  "a journey may be WAITING for a long time",
			Parameters: []Parameter{{Name: "at", Type: "string", Default: taxi.Waiting, OneOf: []any{taxi.Held, taxi.Waiting}, Means: "the status"}},
			Does:       "an active journey stays at a status and has no car",
			act: eachJourney(func(e *exchange, j tree) bool {
				if s := statusOf(j); s.Terminal() || !s.Known() {
					return false
				}
				forgetCar(j)
				j["status"] = string(e.what.do.At)
				return true
			}),
		},
		{
			Name: "journey-id-changes", Group: Semantic, Ops: []Op{User, Status, Cancel}, NoticedBy: "STA-01", Done: true, on: Status,
			Does: "each response has a different journeyId for the same journey",
			act: eachJourney(func(e *exchange, j tree) bool {
				j["journeyId"] = fmt.Sprintf("%s-%d", text(j["journeyId"]), e.what.memory.count(text(j["journeyId"])))
				return true
			}),
		},
		{
			Name: "journey-id-of-another", Group: Semantic, Ops: bookings(), NoticedBy: "BOK-04", on: Book, Done: true,
			Does: "the response has the journeyId of the previous request's journey",
			act: edited(func(e *exchange, t tree) bool {
				was, is := "", text(t["journeyId"])
				e.what.memory.meet("", func(p *past) { was, p.value = text(p.value), is })
				if was == "" || was == is {
					return false
				}
				t["journeyId"] = was
				return true
			}),
		},
		{
			Name: "dropoffs-empty", Group: Semantic, Ops: shows(), NoticedBy: "BOK-07", Done: true,
			Does: "a journey's dropoffs are []",
			act: eachJourney(func(_ *exchange, j tree) bool {
				_, there := j["dropoffs"]
				j["dropoffs"] = []any{}
				return there
			}),
		},
		{
			Name: "phone-in-address", Group: Semantic, Ops: shows(), NoticedBy: "BOK-33", Done: true,
			Parameters: []Parameter{word("020 7946 0123", "the number")},
			Does:       "the pickup's address, which is spoken, contains a phone number",
			act: eachJourney(func(e *exchange, j tree) bool {
				p := object(j["pickup"])
				if p == nil {
					return false
				}
				p["address"] = text(p["address"]) + ", ring " + e.what.do.Text
				return true
			}),
		},
		{
			Name: "cancel-answers", Group: Semantic, Ops: []Op{Cancel}, NoticedBy: "CAN-01", Done: true,
			Parameters: []Parameter{word("CANCELED", "the status")},
			Does:       "/cancel cancels the journey and returns a status other than CANCELLED",
			act: edited(func(e *exchange, t tree) bool {
				t["status"] = e.what.do.Text
				return true
			}),
		},
	}
}

// moneyAndTimeFaults are about prices, waiting times, dates and clocks.
func moneyAndTimeFaults() []Fault {
	eta := func(change func(e *exchange, j, eta tree)) func(*exchange) {
		in := eachJourney(func(e *exchange, j tree) bool {
			if t := object(j["eta"]); t != nil {
				change(e, j, t)
				return true
			}
			return false
		})
		config := edited(func(e *exchange, t tree) bool {
			if now := object(t["eta"]); now != nil {
				change(e, tree{"journeyId": "the next car"}, now)
				return true
			}
			return false
		})
		return func(e *exchange) {
			if e.asked.op == Config {
				config(e)
			} else {
				in(e)
			}
		}
	}
	return []Fault{
		{
			Name: "eta-negative", Group: Semantic, NoticedBy: "ENR-02", Done: true,
			Does: "the ETA is minus three minutes",
			act:  eta(func(_ *exchange, _, eta tree) { eta["value"] = -3 }),
		},
		{
			Name: "eta-growing", Group: Semantic, NoticedBy: "ENR-02", Done: true,
			Does: "the ETA grows by three minutes with each response",
			act: eta(func(e *exchange, j, eta tree) {
				eta["value"] = numberOf(eta["value"]) + float64(3*e.what.memory.count(text(j["journeyId"])))
			}),
		},
		{
			Name: "eta-unit", Group: Semantic, NoticedBy: "ENR-03", Done: true,
			Parameters: []Parameter{word("jiffies", "the unit")},
			Does:       "the ETA has an unknown unit",
			act:        eta(func(e *exchange, _, eta tree) { eta["unit"] = e.what.do.Text }),
		},
		{
			Name: "eta-is", Group: Semantic, Ops: shows(), Done: true,
			Unnoticed:  "the interface does not limit the ETA",
			Parameters: []Parameter{number("minutes", 20, 1, 1440, "to the pickup")},
			Does:       "sets the ETA, in minutes, until the car has arrived",
			act: eachJourney(func(e *exchange, j tree) bool {
				switch statusOf(j) {
				case taxi.Waiting, taxi.Accepted, taxi.EnRoute:
					j["eta"] = tree{"value": e.what.do.Minutes, "unit": taxi.UnitMinutes}
					return true
				}
				return false
			}),
		},
		{
			Name: "price-no-currency", Group: Semantic, Ops: shows(), NoticedBy: "ENR-04", Done: true,
			Does: "a price has no currency",
			act: eachJourney(func(_ *exchange, j tree) bool {
				p := object(j["price"])
				delete(p, "currency")
				return p != nil
			}),
		},
		{
			Name: "price-changes", Group: Semantic, Ops: shows(), Done: true,
			Unnoticed: "an edit may change the price",
			Does:      "each edit adds 2.50 to the price",
			act: eachJourney(func(e *exchange, j tree) bool {
				edits := 0
				e.what.memory.meet(text(j["journeyId"]), func(p *past) {
					edits, _ = p.value.(int)
					if e.asked.op == Book && e.said().JourneyID != "" {
						edits++
					}
					p.value = edits
				})
				price := object(j["price"])
				if price == nil || edits == 0 {
					return false
				}
				price["value"] = numberOf(price["value"]) + 2.5*float64(edits)
				return true
			}),
		},
		{
			Name: "date-no-zone", Group: Semantic, Ops: shows(), NoticedBy: "STA-04", Done: true,
			Does: "a pickup time has no time zone",
			act: eachJourney(func(_ *exchange, j tree) bool {
				at, err := time.Parse(time.RFC3339, text(j["date"]))
				j["date"] = at.Format("2006-01-02T15:04:05")
				return err == nil
			}),
		},
		{
			Name: "date-past", Group: Semantic, Ops: shows(), NoticedBy: "BOK-11", Done: true,
			Does: "a pickup time is a year in the past",
			act: eachJourney(func(_ *exchange, j tree) bool {
				at, err := time.Parse(time.RFC3339, text(j["date"]))
				j["date"] = at.AddDate(-1, 0, 0).Format(time.RFC3339)
				return err == nil
			}),
		},
		{
			Name: "clock-skew", Group: Semantic, NoticedBy: "TIM-04", Done: true,
			Parameters: []Parameter{{
				Name: "by", Type: "duration", Default: host.Duration(time.Hour), Least: host.Duration(-24 * time.Hour), Most: host.Duration(24 * time.Hour),
				Means: "how far the server's clock is ahead; negative: behind",
			}},
			Does: "the server's clock is wrong, as the header Date shows",
			act: altered(func(e *exchange, a *answer) {
				a.header.Set("Date", e.set.options.Wall().Add(time.Duration(e.what.do.By)).UTC().Format(http.TimeFormat))
			}),
		},
	}
}

// placeFaults are about locations.
func placeFaults() []Fault {
	location := func(change func(e *exchange, j, location tree)) func(*exchange) {
		return eachJourney(func(e *exchange, j tree) bool {
			if at := object(j["location"]); at != nil {
				change(e, j, at)
				return true
			}
			return false
		})
	}
	return []Fault{
		{
			Name: "coordinates-swapped", Group: Semantic, Ops: shows(), NoticedBy: "BOK-32", Done: true,
			Does: "longitude and latitude are swapped, for the addresses and the car",
			act: eachJourney(func(_ *exchange, j tree) bool {
				points := []tree{object(j["location"]), object(object(j["pickup"])["location"])}
				dropoffs, _ := j["dropoffs"].([]any)
				for _, d := range dropoffs {
					points = append(points, object(object(d)["location"]))
				}
				found := false
				for _, p := range points {
					if p != nil {
						p["longitude"], p["latitude"] = p["latitude"], p["longitude"]
						found = true
					}
				}
				return found
			}),
		},
		{
			Name: "location-zero", Group: Semantic, Ops: shows(), NoticedBy: "ENR-14", Done: true,
			Does: "the car is at (0,0), in the Gulf of Guinea",
			act:  location(func(_ *exchange, _, at tree) { at["longitude"], at["latitude"] = 0, 0 }),
		},
		{
			Name: "location-frozen", Group: Semantic, Ops: shows(), NoticedBy: "ENR-15", Done: true,
			Does: "the car's location never changes",
			act: location(func(e *exchange, j, at tree) {
				e.what.memory.meet(text(j["journeyId"]), func(p *past) {
					if first := object(p.value); first != nil {
						maps.Copy(at, first)
					} else {
						p.value = maps.Clone(at)
					}
				})
			}),
		},
		{
			Name: "location-jumping", Group: Semantic, Ops: shows(), NoticedBy: "ENR-17", on: Status, Done: true,
			Does: "the car is half a degree further east in every second response",
			act: location(func(e *exchange, j, at tree) {
				if e.what.memory.count(text(j["journeyId"]))%2 == 0 {
					at["longitude"] = numberOf(at["longitude"]) + 0.5
				}
			}),
		},
		{
			Name: "location-far", Group: Semantic, Ops: shows(), NoticedBy: "ENR-16", Done: true,
			Does: "the car's location is two degrees too far north, outside the town",
			act:  location(func(_ *exchange, _, at tree) { at["latitude"] = numberOf(at["latitude"]) + 2 }),
		},
	}
}

// courseFaults are about the order of events.
func courseFaults() []Fault {
	shown := func(is, as taxi.Status) func(*exchange) {
		return eachJourney(func(_ *exchange, j tree) bool {
			if statusOf(j) != is {
				return false
			}
			j["status"] = string(as)
			return true
		})
	}
	return []Fault{
		{
			Name: "status-backwards", Group: Semantic, Ops: []Op{Status}, NoticedBy: "JRN-08", Done: true,
			Does: "a journey that is POB or COMPLETE is WAITING in every second response",
			act: eachJourney(func(e *exchange, j tree) bool {
				if s := statusOf(j); s != taxi.POB && s != taxi.Complete || e.what.memory.count(text(j["journeyId"]))%2 != 0 {
					return false
				}
				forgetCar(j)
				j["status"] = string(taxi.Waiting)
				return true
			}),
		},
		{
			Name: "arrived-skipped", Group: Semantic, Ops: shows(), Done: true,
			Unnoticed: "a driver may pick up a passenger without reporting the arrival, and polling misses statuses",
			Does:      "a car that has arrived is still EN_ROUTE",
			act:       shown(taxi.Arrived, taxi.EnRoute),
		},
		{
			Name: "pob-skipped", Group: Semantic, Ops: shows(), Done: true,
			Unnoticed: "polling misses statuses",
			Does:      "the journey skips POB: COMPLETE follows ARRIVED",
			act:       shown(taxi.POB, taxi.Arrived),
		},
		{
			Name: "new-driver-en-route", Group: Semantic, Ops: []Op{Status}, Done: true,
			Unnoticed: "another driver may take over the journey between two requests",
			Does:      "at EN_ROUTE every second response has another driver and vehicle",
			act: eachJourney(func(e *exchange, j tree) bool {
				if statusOf(j) != taxi.EnRoute || e.what.memory.count(text(j["journeyId"]))%2 != 0 {
					return false
				}
				j["driver"] = tree{"name": "Gwen Somebody", "phoneNumber": "+441134960999", "badgeNumber": "B 0999"}
				j["vehicle"] = tree{"description": "Blue Skoda Octavia", "registration": "ZT99 ZZZ"}
				return true
			}),
		},
	}
}

// userFaults are about the user and their journeys.
func userFaults() []Fault {
	return []Fault{
		{
			Name: "bookings-stale", Group: Semantic, Ops: []Op{User}, NoticedBy: "USR-11", Done: true,
			Does: "activeBookings contains a journey of yesterday that is COMPLETE",
			act: edited(func(e *exchange, t tree) bool {
				list, _ := t["activeBookings"].([]any)
				old := e.invented("J-STALE", text(t["name"]))
				old["status"] = string(taxi.Complete)
				old["date"] = e.set.options.Now().AddDate(0, 0, -1).Format(time.RFC3339)
				t["activeBookings"] = append(list, old)
				return true
			}),
		},
		{
			Name: "bookings-huge", Group: Semantic, Ops: []Op{User}, Done: true,
			Unnoticed:  "a user may have a thousand bookings, and only the server knows who made them",
			Parameters: []Parameter{number("count", 1000, 1, 20_000, "journeys")},
			Does:       "activeBookings contains a thousand journeys that nobody booked",
			act: edited(func(e *exchange, t tree) bool {
				list, _ := t["activeBookings"].([]any)
				for i := range e.what.do.Count {
					list = append(list, e.invented(fmt.Sprintf("J-HUGE-%d", i+1), text(t["name"])))
				}
				t["activeBookings"] = list
				return true
			}),
		},
		{
			Name: "wrong-user", Group: Semantic, Ops: []Op{User}, NoticedBy: "USR-03", Done: true,
			Does: "/user returns another user",
			act: edited(func(_ *exchange, t tree) bool {
				t["userId"], t["name"], t["phoneNumber"] = "u-9999", "Somebody Else", "442079460199"
				return true
			}),
		},
		{
			Name: "odd-name", Group: Semantic, Ops: shows(), Done: true,
			Unnoticed:  "a name may be anything",
			Parameters: []Parameter{{Name: "text", Type: "string", Default: "quotes", OneOf: []any{"long", "rtl", "emoji", "quotes"}, Means: "the kind of name"}},
			Does:       "the names of the user and the driver are very long, right-to-left, emoji or full of quotation marks",
			act: edited(func(e *exchange, t tree) bool {
				found, name := false, oddName(e.what.do.Text)
				if e.asked.op == User {
					t["name"], found = name, true
				}
				for _, j := range journeysOf(e.asked.op, t) {
					if d := object(j["driver"]); d != nil {
						d["name"], found = name, true
					}
				}
				return found
			}),
		},
		{
			Name: "config-flips", Group: Semantic, Ops: []Op{Config}, NoticedBy: "CFG-14", Done: true,
			Does: "features and options are alternately complete and empty",
			act: edited(func(e *exchange, t tree) bool {
				data := object(t["data"])
				if data == nil {
					data = tree{}
				}
				data["features"], data["options"] = []any{}, []any{}
				if e.what.memory.count("")%2 == 1 {
					data["features"], data["options"] = []taxi.Feature{taxi.FeatureVoice}, taxi.Options()
				}
				t["data"] = data
				return true
			}),
		},
	}
}

// invented returns a journey that nobody booked.
func (e *exchange) invented(id, name string) tree {
	place := func(address string) tree {
		return tree{"address": address, "location": tree{"longitude": 2.1, "latitude": 54.7}}
	}
	return tree{
		"journeyId": id, "status": string(taxi.Held),
		"date":   e.set.options.Now().Add(24 * time.Hour).UTC().Truncate(time.Minute).Format(time.RFC3339),
		"pickup": place("1 Nowhere Lane, ZT1 1AA"), "dropoffs": []any{place("2 Nowhere Lane, ZT1 1AA")},
		"passenger": tree{"name": name, "phoneNumber": "+442079460199"},
	}
}

func oddName(what string) string {
	switch what {
	case "long":
		return strings.TrimSpace(strings.Repeat("Wolfeschlegelsteinhausen ", 40))
	case "rtl":
		return "ليلى منصور"
	case "emoji":
		return "Robin 🚕 👩‍👩‍👧‍👦 Tayo"
	default:
		return `Siobhán "O'Rourke" <D'Arcy>\`
	}
}

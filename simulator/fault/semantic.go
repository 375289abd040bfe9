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
	return slices.Concat([]Fault{memberFault()}, journeyFaults(), moneyAndTimeFaults(), placeFaults(), courseFaults(), userFaults())
}

// memberFault changes one member of a response.
func memberFault() Fault {
	proof := func(by string, on Op, was, does string) Proof {
		return Proof{NoticedBy: by, on: on, was: was, Does: does, Done: true}
	}
	set := func(member, value string, p Proof) Example { return Example{Do{Member: member, Value: value}, p} }
	status := func(value string, p Proof) Example {
		return Example{Do{Member: "/status", Part: partJourney, Value: value}, p}
	}
	cancelled := proof("CAN-01", Cancel, "cancel-answers", "/cancel cancels the journey and returns a status other than CANCELLED")
	cancelled.Op = Cancel
	return Fault{
		Name: "member", Group: Semantic, Proof: proof("STA-01", Status, "field-missing", "a required member is left out"),
		Parameters: []Parameter{
			{
				Name: "member", Type: "string", Most: mostText,
				Means: "a JSON Pointer into the response, or else into each of its journeys; left out: /status of /config, /userId of /user, /journeyId of the others",
			},
			choice("part", "what has the member; journey: each of the journeys only", partResponse, partJourney),
			formOf("what it is", "missing", "null", "empty", "another-type").only("", "value"),
			{Name: "value", Type: "string", Most: mostText, Means: "instead of form: its value, as JSON or as a text"},
		},
		Examples: []Example{
			{Do{Form: "null"}, proof("STA-01", Status, "field-null", "a required member is null")},
			{Do{Form: "empty"}, proof("STA-01", Status, "field-empty", `a required member is empty: "", [] or {}`)},
			{Do{Form: "another-type"}, proof("STA-01", Status, "field-type", "a required member is of another type")},
			status("PENDING", proof("STA-02", Status, "unknown-status", "a journey's status is not defined by the interface")),
			status("CANCELED", cancelled),
			set("/dropoffs", "[]", proof("BOK-07", "", "dropoffs-empty", "a journey's dropoffs are []")),
			set("/pickup/address", "14 Mill Lane, ring 020 7946 0123", proof("BOK-33", "", "phone-in-address", "the pickup's address, which is spoken, contains a phone number")),
			set("/eta/value", "-3", proof("ENR-02", "", "eta-negative", "the ETA is minus three minutes")),
			set("/eta/unit", "jiffies", proof("ENR-03", "", "eta-unit", "the ETA has an unknown unit")),
			{Do{Member: "/price/currency"}, proof("ENR-04", "", "price-no-currency", "a price has no currency")},
			set("/location", `{"longitude":0,"latitude":0}`, proof("ENR-14", "", "location-zero", "the car is at (0,0), in the Gulf of Guinea")),
		},
		act: edited(func(e *exchange, t tree) bool {
			d := e.what.do
			change := func(old any) (any, bool) { return d.formed(old) }
			if d.Value != "" {
				value := valueOf(d.Value)
				change = func(any) (any, bool) { return value, true }
			}
			usual := map[Op]string{Config: "/status", User: "/userId"}[e.asked.op]
			pointer := cmp.Or(d.Member, usual, "/journeyId")
			found := d.Part == partResponse && at(t, pointer, change)
			if !found {
				for _, j := range journeysOf(e.asked.op, t) {
					found = at(j, pointer, change) || found
				}
			}
			return found
		}),
	}
}

// formed returns a member in the form that the fault asks for; false means that the member is removed.
func (d Do) formed(old any) (any, bool) {
	switch d.Form {
	case "null":
		return nil, true
	case "empty":
		return emptied(old), true
	case "another-type":
		return mistyped(old), true
	default:
		return nil, false
	}
}

// valueOf returns a text decoded as JSON, or the text itself if it is not one JSON value.
func valueOf(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return text
	}
	return v
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
			Name: "stuck-status", Group: Semantic, Ops: shows(),
			Proof: Proof{
				Done: true, on: Status,
				Unnoticed: "a journey may be WAITING for a long time",
				Does:      "an active journey stays at a status and has no car",
			},
			Parameters: []Parameter{{Name: "at", Type: "string", Default: taxi.Waiting, OneOf: []any{taxi.Held, taxi.Waiting}, Means: "the status"}},
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
			Name: "journey-id", Group: Semantic, Ops: shows(),
			Proof:      Proof{NoticedBy: "STA-01", Done: true, on: Status, was: "journey-id-changes", Does: "each response has a different journeyId for the same journey"},
			Parameters: []Parameter{formOf("what it is; /book has no id to change", "changing", "another")},
			Examples: []Example{{Do{Form: "another"}, Proof{
				NoticedBy: "BOK-04", on: Book, Done: true, was: "journey-id-of-another", Does: "the response has the journeyId of the previous request's journey",
			}}},
			act: func(e *exchange) {
				if e.what.do.Form == "another" {
					idOfAnother(e)
					return
				}
				idChanges(e)
			},
		},
	}
}

var idChanges = eachJourney(func(e *exchange, j tree) bool {
	if e.asked.op == Book {
		return false
	}
	j["journeyId"] = fmt.Sprintf("%s-%d", text(j["journeyId"]), e.what.memory.count(text(j["journeyId"])))
	return true
})

var idOfAnother = edited(func(e *exchange, t tree) bool {
	if e.asked.op == User {
		return false // and has no journeyId to remember
	}
	was, is := "", text(t["journeyId"])
	e.what.memory.meet("", func(p *past) { was, p.value = text(p.value), is })
	if was == "" || was == is {
		return false
	}
	t["journeyId"] = was
	return true
})

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
			Name: "eta-growing", Group: Semantic,
			Proof: Proof{NoticedBy: "ENR-02", Done: true, Does: "the ETA grows by three minutes with each response"},
			act: eta(func(e *exchange, j, eta tree) {
				eta["value"] = numberOf(eta["value"]) + float64(3*e.what.memory.count(text(j["journeyId"])))
			}),
		},
		{
			Name: "eta-is", Group: Semantic,
			Proof:      Proof{Done: true, Unnoticed: "the interface does not limit the ETA", Does: "sets the ETA, in minutes, until the car has arrived"},
			Parameters: []Parameter{number("minutes", 20, 1, 1440, "to the pickup")},
			act: func(e *exchange) {
				is := tree{"value": e.what.do.Minutes, "unit": taxi.UnitMinutes}
				if e.asked.op == Config {
					eta(func(_ *exchange, _, now tree) { maps.Copy(now, is) })(e)
					return
				}
				eachJourney(func(_ *exchange, j tree) bool {
					switch statusOf(j) {
					case taxi.Waiting, taxi.Accepted, taxi.EnRoute:
						j["eta"] = is
						return true
					}
					return false
				})(e)
			},
		},
		{
			Name: "price-changes", Group: Semantic, Ops: shows(),
			Proof: Proof{Done: true, Unnoticed: "an edit may change the price", Does: "each edit adds 2.50 to the price"},
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
			Name: "date", Group: Semantic, Ops: shows(), Proof: Proof{NoticedBy: "STA-04", Done: true, was: "date-no-zone", Does: "a pickup time has no time zone"},
			Parameters: []Parameter{formOf("what is wrong", "no-zone", "past")},
			Examples:   []Example{{Do{Form: "past"}, Proof{NoticedBy: "BOK-11", Done: true, was: "date-past", Does: "a pickup time is a year in the past"}}},
			act: eachJourney(func(e *exchange, j tree) bool {
				at, err := time.Parse(time.RFC3339, text(j["date"]))
				j["date"] = at.Format("2006-01-02T15:04:05")
				if e.what.do.Form == "past" {
					j["date"] = at.AddDate(-1, 0, 0).Format(time.RFC3339)
				}
				return err == nil
			}),
		},
		{
			Name: "clock-skew", Group: Semantic,
			Proof: Proof{NoticedBy: "TIM-04", Done: true, Does: "the server's clock is wrong, as the header Date shows"},
			Parameters: []Parameter{{
				Name: "by", Type: "duration", Default: host.Duration(time.Hour), Least: host.Duration(-24 * time.Hour), Most: host.Duration(24 * time.Hour),
				Means: "how far the server's clock is ahead; negative: behind",
			}},
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
			Name: "coordinates-swapped", Group: Semantic, Ops: shows(),
			Proof: Proof{NoticedBy: "BOK-32", Done: true, Does: "longitude and latitude are swapped, for the addresses and the car"},
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
			Name: "location", Group: Semantic, Ops: shows(),
			Proof:      Proof{NoticedBy: "ENR-15", Done: true, was: "location-frozen", Does: "the car's location never changes"},
			Parameters: []Parameter{formOf("what is wrong", "frozen", "jumping", "far")},
			Examples: []Example{
				{Do{Form: "jumping"}, Proof{
					NoticedBy: "ENR-17", on: Status, Done: true, was: "location-jumping", Does: "the car is half a degree further east in every second response",
				}},
				{Do{Form: "far"}, Proof{NoticedBy: "ENR-16", Done: true, was: "location-far", Does: "the car's location is two degrees too far north, outside the town"}},
			},
			act: location(func(e *exchange, j, at tree) {
				switch e.what.do.Form {
				case "jumping":
					if e.what.memory.count(text(j["journeyId"]))%2 == 0 {
						at["longitude"] = numberOf(at["longitude"]) + 0.5
					}
				case "far":
					at["latitude"] = numberOf(at["latitude"]) + 2
				default:
					e.what.memory.meet(text(j["journeyId"]), func(p *past) {
						if first := object(p.value); first != nil {
							maps.Copy(at, first)
						} else {
							p.value = maps.Clone(at)
						}
					})
				}
			}),
		},
	}
}

// courseFaults are about the order of events.
func courseFaults() []Fault {
	return []Fault{
		{
			Name: "status-backwards", Group: Semantic, Ops: []Op{Status},
			Proof: Proof{NoticedBy: "JRN-08", Done: true, Does: "a journey that is POB or COMPLETE is WAITING in every second response"},
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
			Name: "status-skipped", Group: Semantic, Ops: shows(),
			Proof: Proof{
				Done: true, was: "arrived-skipped", Does: "a car that has arrived is still EN_ROUTE",
				Unnoticed: "a driver may pick up a passenger without reporting the arrival, and polling misses statuses",
			},
			Parameters: []Parameter{{Name: "at", Type: "string", Default: taxi.Arrived, OneOf: []any{taxi.Arrived, taxi.POB}, Means: "the status that is skipped"}},
			Examples: []Example{{Do{At: taxi.POB}, Proof{
				Done: true, was: "pob-skipped", Does: "the journey skips POB: COMPLETE follows ARRIVED", Unnoticed: "polling misses statuses",
			}}},
			act: eachJourney(func(e *exchange, j tree) bool {
				if statusOf(j) != e.what.do.At {
					return false
				}
				j["status"] = string(taxi.EnRoute)
				if e.what.do.At == taxi.POB {
					j["status"] = string(taxi.Arrived)
				}
				return true
			}),
		},
		{
			Name: "new-driver-en-route", Group: Semantic, Ops: []Op{Status},
			Proof: Proof{
				Done:      true,
				Unnoticed: "another driver may take over the journey between two requests",
				Does:      "at EN_ROUTE every second response has another driver and vehicle",
			},
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
			Name: "bookings-added", Group: Semantic, Ops: []Op{User},
			Proof:      Proof{NoticedBy: "USR-11", Done: true, was: "bookings-stale", Does: "activeBookings contains a journey of yesterday that is COMPLETE"},
			Parameters: []Parameter{formOf("which journeys", "stale", "invented"), number("count", 1, 1, 20_000, "journeys")},
			Examples: []Example{{Do{Form: "invented", Count: 1000}, Proof{
				Done: true, was: "bookings-huge", Does: "activeBookings contains a thousand journeys that nobody booked",
				Unnoticed: "a user may have a thousand bookings, and only the server knows who made them",
			}}},
			act: edited(func(e *exchange, t tree) bool {
				list, _ := t["activeBookings"].([]any)
				for i := range e.what.do.Count {
					j := e.invented(fmt.Sprintf("J-ADDED-%d", i+1), text(t["name"]))
					if e.what.do.Form == "stale" {
						j["status"] = string(taxi.Complete)
						j["date"] = e.set.options.Now().AddDate(0, 0, -1).Format(time.RFC3339)
					}
					list = append(list, j)
				}
				t["activeBookings"] = list
				return true
			}),
		},
		{
			Name: "wrong-user", Group: Semantic, Ops: []Op{User},
			Proof: Proof{NoticedBy: "USR-03", Done: true, Does: "/user returns another user"},
			act: edited(func(_ *exchange, t tree) bool {
				t["userId"], t["name"], t["phoneNumber"] = "u-9999", "Somebody Else", "442079460199"
				return true
			}),
		},
		{
			Name: "odd-name", Group: Semantic, Ops: shows(),
			Proof: Proof{
				Done:      true,
				Unnoticed: "a name may be anything",
				Does:      "the names of the user and the driver are very long, right-to-left, emoji or full of quotation marks",
			},
			Parameters: []Parameter{formOf("of the name", "quotes", "long", "rtl", "emoji")},
			act: edited(func(e *exchange, t tree) bool {
				found, name := false, oddName(e.what.do.Form)
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
			Name: "config-flips", Group: Semantic, Ops: []Op{Config},
			Proof: Proof{NoticedBy: "CFG-14", Done: true, Does: "features and options are alternately complete and empty"},
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

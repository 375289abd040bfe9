package operations

import (
	"encoding/json"
	"math"
	"sync/atomic"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Journey is a journey with the members that could be parsed. Only the id and the status
// are always present.
type Journey struct {
	taxi.Journey
	Ref   ID     // the id for requests
	Asked uint64 // the number of the request whose response it is, which increases; 0: none
}

// requests counts the requests for journeys. Responses may arrive in another order.
var requests atomic.Uint64

// readJourney parses a journey; false if it has no id or no status.
func readJourney(o object) (Journey, bool) {
	j := Journey{Ref: o.id("journeyId")}
	j.JourneyID, j.Status = taxi.JourneyID(j.Ref.Text()), taxi.Status(o.text("status"))
	if date, err := taxi.ParseTime(o.text("date")); err == nil {
		j.Date = date
	}
	j.ETA, j.Price = readETA(o), readPrice(o)
	if a, ok := readAddress(o["pickup"]); ok {
		j.Pickup = &a
	}
	for _, raw := range o.list("dropoffs") {
		if a, ok := readAddress(raw); ok {
			j.Dropoffs = append(j.Dropoffs, a)
		}
	}
	if p, ok := o.object("passenger"); ok {
		j.Passenger = &taxi.Passenger{PhoneNumber: taxi.E164(p.text("phoneNumber")), Name: p.text("name")}
	}
	if v, ok := o.object("vehicle"); ok {
		j.Vehicle = &taxi.Vehicle{Description: v.text("description"), Registration: v.text("registration")}
	}
	if d, ok := o.object("driver"); ok {
		j.Driver = &taxi.Driver{
			Name: d.text("name"), PhoneNumber: taxi.E164(d.text("phoneNumber")), BadgeNumber: d.text("badgeNumber"),
		}
	}
	j.Location = readPoint(o, "location")
	return j, j.Ref != "" && j.Status != ""
}

func readETA(o object) *taxi.ETA {
	e, ok := o.object("eta")
	if !ok {
		return nil
	}
	value, ok := e.number("value")
	if !ok || value < 0 || math.IsInf(value, 0) || math.IsNaN(value) {
		return nil
	}
	return &taxi.ETA{Value: value, Unit: e.text("unit")}
}

func readPrice(o object) *taxi.Price {
	p, ok := o.object("price")
	if !ok {
		return nil
	}
	value, ok := p.number("value")
	if !ok || value < 0 || math.IsInf(value, 0) || math.IsNaN(value) {
		return nil
	}
	return &taxi.Price{Value: value, Currency: p.text("currency"), Type: taxi.PriceType(p.text("type")).Canonical()}
}

// readAddress parses an address, which may be only its text.
func readAddress(raw json.RawMessage) (taxi.Address, bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		return taxi.Address{Address: text}, true
	}
	o, ok := readObject(raw)
	if !ok {
		return taxi.Address{}, false
	}
	a := taxi.Address{Address: o.text("address"), Location: readPoint(o, "location")}
	return a, a.Address != ""
}

// readPoint parses a point; nil if it is out of range.
func readPoint(o object, name string) *taxi.Point {
	p, ok := o.object(name)
	if !ok {
		return nil
	}
	x, okX := p.number("longitude")
	y, okY := p.number("latitude")
	if !okX || !okY || !(math.Abs(x) <= 180) || !(math.Abs(y) <= 90) {
		return nil
	}
	return &taxi.Point{Longitude: x, Latitude: y}
}

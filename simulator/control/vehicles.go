package control

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

// Calls of a [Server].
var (
	ListVehicles = Call[url.Values, VehicleList]{get("listVehicles", "/vehicles", "The cars, the firm's own first", listVehicles).
			takes(parameter{name: "state", means: "any of these, separated by commas", example: "free,asked"}, pageLimit, pageAfter)}
	ReadVehicle = Call[url.Values, Vehicle]{get("readVehicle", "/vehicles/{id}", "A car", readVehicle).answers("Car")}
	PutVehicle  = Call[VehicleBody, Vehicle]{put("putVehicle", "/vehicles/{id}", "Move a car, or put it on or off duty", putVehicle).answers("Car").refuses(http.StatusConflict).
			more(`A car that is put off duty finishes its job. A driving car continues from the new position; a car that
				waits at a pickup cannot be moved. Members that are left out stay unchanged.`)}
	PlaceVehicle     = Call[PositionBody, Vehicle]{post("placeVehicle", "/vehicles/{id}/position", "Move a car", placeVehicle).of("Point").answers("Car").refuses(http.StatusConflict)}
	BreakVehicleDown = Call[simulator.BreakdownOrder, Vehicle]{post("breakVehicleDown", "/vehicles/{id}/breakdown", "Make a car break down", breakVehicleDown).answers("Car").refuses(http.StatusConflict).
				more("It is off duty until it is repaired, or put on duty. If it was on its way to a passenger or waited for one, the journey " +
			"is `WAITING` again, and another car is looked for. With a passenger on board it is refused (409).")}
)

// Vehicle is the position and state of a car.
type Vehicle struct {
	ID        string             `json:"id"`
	State     simulator.CarState `json:"state"`
	OnDuty    bool               `json:"onDuty"` // false: an order or the driver's shift or break keeps it off duty
	Location  taxi.Point         `json:"location"`
	JourneyID taxi.JourneyID     `json:"journeyId,omitempty"` // the car's job
	Category  string             `json:"category,omitempty"`  // left out: a saloon
	Partner   bool               `json:"partner,omitempty"`   // a partner firm's car, which does one job
	Vehicle   taxi.Vehicle       `json:"vehicle"`
	Driver    taxi.Driver        `json:"driver"`
}

func shownVehicle(v simulator.Vehicle) Vehicle {
	return Vehicle{
		ID: v.ID, State: v.State, OnDuty: !v.Grounded && v.State != simulator.CarOffDuty, Location: v.Location, JourneyID: v.Journey,
		Category: v.Crew.Category, Partner: v.Partner, Vehicle: v.Crew.Vehicle, Driver: v.Crew.Driver,
	}
}

// VehicleList is a page of the cars, the firm's own first.
type VehicleList struct {
	Now      time.Time `json:"now"` // by the world's clock
	Vehicles []Vehicle `json:"vehicles"`
	Next     string    `json:"next,omitempty"` // the value of after for the next page
}

// carStates lists the states of cars.
var carStates = []simulator.CarState{
	simulator.CarFree, simulator.CarAsked, simulator.CarToPickup, simulator.CarAtPickup, simulator.CarOnBoard, simulator.CarOffDuty,
}

func listVehicles(c *call) (list VehicleList, err error) {
	q, err := c.query()
	if err != nil {
		return list, err
	}
	limit, err := q.limit()
	if err != nil {
		return list, err
	}
	states := q.list("state")
	for _, s := range states {
		if !slices.Contains(carStates, simulator.CarState(s)) {
			return list, refuseParameter("state", "is %q, want some of %v", s, carStates)
		}
	}
	now, all := c.world().Vehicles()
	if after := q.get("after"); after != "" {
		at := slices.IndexFunc(all, func(v simulator.Vehicle) bool { return v.ID == after })
		if at < 0 {
			return list, refuseParameter("after", "is %q, want the next of another page; a partner's car goes home after its job", after)
		}
		all = all[at+1:]
	}
	list = VehicleList{Now: now, Vehicles: []Vehicle{}}
	for _, v := range all {
		if len(states) > 0 && !slices.Contains(states, string(v.State)) {
			continue
		}
		if len(list.Vehicles) == limit {
			list.Next = list.Vehicles[limit-1].ID
			break
		}
		list.Vehicles = append(list.Vehicles, shownVehicle(v))
	}
	return list, nil
}

func readVehicle(c *call) (Vehicle, error) {
	v, err := c.world().Vehicle(c.path("id"))
	return shownOr(v, err)
}

func shownOr(v simulator.Vehicle, err error) (Vehicle, error) {
	if err != nil {
		return Vehicle{}, err
	}
	return shownVehicle(v), nil
}

// VehicleBody changes a car. Members that are left out stay unchanged.
type VehicleBody struct {
	OnDuty   *bool       `json:"onDuty,omitempty"`
	Location *taxi.Point `json:"location,omitempty"`
}

// putVehicle moves a car, or puts it on or off duty. It is moved first, since a car that
// cannot be moved must stay unchanged.
func putVehicle(c *call, b VehicleBody) (Vehicle, error) {
	id := c.path("id")
	v, err := c.world().Vehicle(id)
	if err == nil && v.Partner && b.OnDuty != nil { // checked before anything changes
		return Vehicle{}, taxi.NewProblem(http.StatusConflict, codeConflict, "%.40q is a partner firm's car, which is not put on or off duty here", id)
	}
	if err == nil && b.Location != nil {
		v, err = c.world().PlaceVehicle(c, id, *b.Location)
	}
	if err == nil && b.OnDuty != nil {
		v, err = c.world().SetDuty(c, id, *b.OnDuty)
	}
	return shownOr(v, err)
}

// PositionBody is the new position of a car.
type PositionBody struct {
	Longitude *float64 `json:"longitude"`
	Latitude  *float64 `json:"latitude"`
}

func placeVehicle(c *call, b PositionBody) (Vehicle, error) {
	switch {
	case b.Longitude == nil:
		return Vehicle{}, taxi.InvalidField("/longitude", "required", "is missing")
	case b.Latitude == nil:
		return Vehicle{}, taxi.InvalidField("/latitude", "required", "is missing")
	}
	v, err := c.world().PlaceVehicle(c, c.path("id"), taxi.Point{Longitude: *b.Longitude, Latitude: *b.Latitude})
	return shownOr(v, refusalForBody(err, "/location"))
}

func breakVehicleDown(c *call, o simulator.BreakdownOrder) (Vehicle, error) {
	o.Vehicle = c.path("id")
	v, err := c.world().BreakDown(c, o)
	return shownOr(v, err)
}

// refusalForBody adapts the refusal of an order whose member is the whole body in this API.
func refusalForBody(err error, member string) error {
	if r, ok := asRefusal(err); ok {
		told := *r
		if told.Field = strings.TrimPrefix(r.Field, member); told.Field != r.Field && told.Field == "" {
			told.Detail = "the place " + r.Detail
		}
		return &told
	}
	return err
}

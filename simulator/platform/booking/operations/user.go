package operations

import (
	"maps"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// mostBookings bounds how many active bookings of a user are looked at.
const mostBookings = 100

// User is an end user as far as they could be read.
type User struct {
	taxi.EndUser
	Ref    ID        // what names them in requests; no id: unknown to the third party
	Active []Journey // that have an id, and are not over
}

// readUser reads a user, with journeys of the request of that number.
func readUser(o object, asked uint64) User {
	u := User{Ref: o.id("userId")}
	u.UserID, u.PhoneNumber = taxi.UserID(u.Ref.Text()), taxi.E164(o.text("phoneNumber"))
	u.Name, u.Status, u.Data = o.text("name"), taxi.UserStatus(o.text("status")), readSettings(o)
	for _, raw := range o.list("activeBookings") {
		if len(u.Active) == mostBookings {
			break
		}
		if inner, ok := readObject(raw); ok {
			if j, _ := readJourney(inner); j.Ref != "" && !j.Status.Terminal() {
				j.Asked = asked
				u.Active = append(u.Active, j)
			}
		}
	}
	return u
}

// readSettings reads the member data, which overrides what is set: a field that
// cannot be read overrides nothing.
func readSettings(o object) *taxi.Settings {
	d, ok := o.object("data")
	if !ok {
		return nil
	}
	s := taxi.Settings{
		Features: texts[taxi.Feature](d, "features"), Options: texts[taxi.Option](d, "options"), Other: maps.Clone(d),
	}
	switch string(d["skipDropOff"]) {
	case "true", "false":
		skip := string(d["skipDropOff"]) == "true"
		s.SkipDropOff = &skip
	}
	for _, known := range []string{"features", "options", "skipDropOff"} {
		delete(s.Other, known)
	}
	return &s
}

// Config is what a third party says at the start of a request.
type Config struct {
	Status taxi.SystemStatus // "": it did not say, and is taken to be up
	ETA    *taxi.ETA
	Data   *taxi.Settings
}

func readConfig(o object) Config {
	return Config{Status: taxi.SystemStatus(o.text("status")), ETA: readETA(o), Data: readSettings(o)}
}

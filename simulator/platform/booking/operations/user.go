package operations

import (
	"maps"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// mostBookings limits how many active bookings of a user are parsed.
const mostBookings = 100

// User is an end user with the members that could be parsed.
type User struct {
	taxi.EndUser
	Ref    ID        // the id for requests; none: unknown to the third party
	Active []Journey // journeys that have an id and are not over
}

// readUser parses a user. asked is the number of the request, which its journeys get.
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

// readSettings parses the member data, which overrides settings: an invalid member
// overrides nothing.
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

// Config is the response of /config.
type Config struct {
	Status taxi.SystemStatus // "": absent, which counts as open
	ETA    *taxi.ETA
	Data   *taxi.Settings
}

func readConfig(o object) Config {
	return Config{Status: taxi.SystemStatus(o.text("status")), ETA: readETA(o), Data: readSettings(o)}
}

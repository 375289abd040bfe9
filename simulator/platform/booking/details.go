package booking

import (
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// details returns what the customer may learn about a journey: each detail that the third
// party returned and that is switched on.
func (v *Visit) details(j operations.Journey) spoken.Slots {
	s := spoken.Slots{Firm: v.settings.Firm, Fare: j.Price}
	if !j.Date.IsZero() {
		s.When = j.Date.In(v.zone).Time
	}
	if j.Pickup != nil {
		s.Pickup = placeNameAt(*j.Pickup, v.settings.Places)
	}
	if len(j.Dropoffs) > 0 && j.Pickup != nil && !sameDoor(j.Dropoffs[0], *j.Pickup) {
		s.Dropoff = placeNameAt(j.Dropoffs[len(j.Dropoffs)-1], v.settings.Places)
	}
	if v.allowed.option(taxi.OptionJobID) {
		s.JobID = v.jobID(j.JourneyID)
	}
	if v.allowed.option(taxi.OptionETA) && !j.Status.Terminal() {
		s.ETA = j.ETA
	}
	if c := j.Vehicle; c != nil {
		if v.allowed.option(taxi.OptionVehicle) {
			s.Vehicle = c.Description
		}
		if v.allowed.option(taxi.OptionVehicleReg) {
			s.Registration = c.Registration
		}
	}
	if d := j.Driver; d != nil {
		if v.allowed.option(taxi.OptionDriverName) {
			s.Driver = d.Name
		}
		if v.allowed.option(OptionBadge) {
			s.Badge = d.BadgeNumber
		}
	}
	if j.Status == taxi.EnRoute && j.Location != nil && j.Pickup != nil && j.Pickup.Location != nil {
		s.Distance = metres(*j.Location, *j.Pickup.Location)
	}
	return s
}

// jobID returns a journey's id as a customer may hear it, or "" if it looks like a phone
// number of the customer's country, which may be somebody's.
func (v *Visit) jobID(id taxi.JourneyID) taxi.JourneyID {
	const shortest, longest, code = 10, 15, 2 // limits of the digits of a phone number
	digits := strings.TrimPrefix(string(id), "+")
	if len(digits) < shortest || len(digits) > longest || strings.Trim(digits, "0123456789") != "" {
		return id
	}
	home := string(v.Number.Digits())
	if digits != string(id) || digits[0] == '0' || len(home) > code && strings.HasPrefix(digits, home[:code]) {
		return ""
	}
	return id
}

// statusLines describes the status of a journey. aloud leaves out details that a listener
// cannot remember; the customer can ask for them.
func (v *Visit) statusLines(j operations.Journey, aloud bool) []string {
	slots := v.details(j)
	slots.Aloud = aloud
	return v.say(spoken.StatusPrompt(string(j.Status)), slots, false)
}

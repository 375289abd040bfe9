package trial

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// sendBroken sends a booking with one error, and expects the refusal for it.
func (r *ride) sendBroken() {
	wrong := brokenBookings[r.draw.IntN(len(brokenBookings))]
	r.keyed = false
	wrong.spoil(r)
	r.call(taxi.PathBook, "", r.asked, func(a *answer) {
		if a.status == 0 {
			return
		}
		if a.ok() || !r.refused(taxi.PathBook, a, wrong.code) {
			r.day.fail(ruleAnswer, fmt.Sprintf("a booking with %s was answered %d, not %s: %s", wrong.name, a.status, wrong.code, a.body))
		}
	})
}

// brokenBookings are the possible errors of a booking.
var brokenBookings = []struct {
	name  string
	code  taxi.Code
	spoil func(*ride)
}{
	{"no name", taxi.CodeValidationFailed, func(r *ride) { r.asked.Name = " " }},
	{"a number that is none", taxi.CodePhoneInvalid, func(r *ride) { r.asked.PhoneNumber = "+12" }},
	{"a look-up that failed", taxi.CodeAddressUnknown, func(r *ride) { r.asked.Pickup.Location = &taxi.Point{} }},
	{"a pickup far away", taxi.CodeOutsideServiceArea, func(r *ride) { r.asked.Pickup.Location = &taxi.Point{Longitude: -1, Latitude: 52} }},
	{"yesterday's time", taxi.CodePickupInPast, func(r *ride) { r.asked.PickupTime = taxi.At(r.day.now.Add(-24 * time.Hour)) }},
	{"next year's time", taxi.CodePickupTooFarAhead, func(r *ride) { r.asked.PickupTime = taxi.At(r.day.now.AddDate(1, 0, 0)) }},
	{"too many stops", taxi.CodeTooManyDropoffs, func(r *ride) {
		for len(r.asked.Dropoffs) <= 10 {
			r.asked.Dropoffs = append(r.asked.Dropoffs, *r.somewhere())
		}
	}},
	{"a rocket", taxi.CodeUnknownVehicleCategory, func(r *ride) { r.asked.VehicleCategory = "rocket" }},
	{"data that is no object", taxi.CodeValidationFailed, func(r *ride) { r.asked.Data = json.RawMessage(`[1]`) }},
	{"a journey that is none", taxi.CodeJourneyNotFound, func(r *ride) { id := taxi.JourneyID("J0000000"); r.asked.JourneyID = &id }},
	{"a userId that is none", taxi.CodeUserNotFound, func(r *ride) { r.asked.UserID = "U0000000" }},
	{"somebody disabled", taxi.CodeUserDisabled, func(r *ride) { r.asked.PhoneNumber = "+442079460101" }},
	{"somebody blacklisted", taxi.CodeUserBlacklisted, func(r *ride) { r.asked.PhoneNumber = "+442079460102" }},
}

package booking

import (
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
)

// MayComeNow reports whether "Coming Now" is offered: the driver has arrived, can
// be told, and the option is on. Clause: "When a driver has arrived and a driver
// phone number is present".
func (v *Visit) MayComeNow(j operations.Journey) bool {
	return j.Status == taxi.Arrived && reachable(j) && v.allowed.option(taxi.OptionComingNow)
}

// MayCallDriver reports whether the customer may be connected to the driver.
func (v *Visit) MayCallDriver(j operations.Journey) bool {
	return (j.Status == taxi.EnRoute || j.Status == taxi.Arrived) && reachable(j) && v.allowed.option(taxi.OptionCallDriver)
}

// MayCancel reports whether the customer may cancel a journey.
func (v *Visit) MayCancel(j operations.Journey) bool {
	switch j.Status {
	case taxi.POB, taxi.Complete, taxi.Cancelled:
		return false
	}
	return v.allowed.option(taxi.OptionCancel)
}

// MayEdit reports whether a booking can still be changed. Decision: not once the driver
// is on the way.
func (v *Visit) MayEdit(j operations.Journey) bool {
	switch j.Status {
	case taxi.Held, taxi.Waiting, taxi.Accepted:
		return true
	}
	return false
}

func reachable(j operations.Journey) bool {
	return j.Driver != nil && len(j.Driver.PhoneNumber.Digits()) > 0
}

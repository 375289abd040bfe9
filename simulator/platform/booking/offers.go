package booking

import (
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
)

// mayComeNow reports whether "Coming Now" is offered: the driver has arrived, can
// be told, and the option is on. Clause: "When a driver has arrived and a driver
// phone number is present".
func (v *Visit) mayComeNow(j operations.Journey) bool {
	return j.Status == taxi.Arrived && reachable(j) && v.allowed.option(taxi.OptionComingNow)
}

// mayCallDriver reports whether the customer may be connected to the driver.
func (v *Visit) mayCallDriver(j operations.Journey) bool {
	return (j.Status == taxi.EnRoute || j.Status == taxi.Arrived) && reachable(j) && v.allowed.option(taxi.OptionCallDriver)
}

// mayCancel reports whether the customer may cancel a journey.
func (v *Visit) mayCancel(j operations.Journey) bool {
	switch j.Status {
	case taxi.POB, taxi.Complete, taxi.Cancelled:
		return false
	}
	return v.allowed.option(taxi.OptionCancel)
}

// mayEdit reports whether a booking can still be changed. Decision: not once the driver
// is on the way.
func (v *Visit) mayEdit(j operations.Journey) bool {
	switch j.Status {
	case taxi.Held, taxi.Waiting, taxi.Accepted:
		return true
	}
	return false
}

func reachable(j operations.Journey) bool {
	return j.Driver != nil && len(j.Driver.PhoneNumber.Digits()) > 0
}

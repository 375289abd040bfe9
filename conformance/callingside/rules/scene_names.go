package rules

import (
	"fmt"

	"github.com/cabrank/cabrank/conformance"
)

// The scenes that others look for in a run, each by the probe of its request. A recorded
// name keeps its meaning.
const (
	SceneBooking         conformance.ProbeName = "a booking"
	SceneStatus          conformance.ProbeName = "a status"
	SceneCancellation    conformance.ProbeName = "a cancellation"
	SceneFollowed        conformance.ProbeName = "a journey is followed"
	SceneLocation        conformance.ProbeName = "a location by message"
	SceneOptionsOff      conformance.ProbeName = "/config switches all options off"
	SceneTwentyBookings  conformance.ProbeName = "twenty active bookings"
	SceneBookingsAbsent  conformance.ProbeName = "activeBookings absent"
	SceneBookingsNull    conformance.ProbeName = "activeBookings null"
	SceneNoBookingsAtAll conformance.ProbeName = "activeBookings empty"
)

// IDForm is a way in which an id can be odd, and a string all the same.
type IDForm string

// The forms of ids.
const (
	IDLeadingZeros IDForm = "leading zeros"
	IDLong         IDForm = "200 characters"
	IDSigns        IDForm = "slashes and signs"
	IDScript       IDForm = "letters of another script"
	IDMixedCase    IDForm = "mixed case"
	IDSpaces       IDForm = "spaces at both ends"
)

// SceneID is the scene in which a caller wants something of a journey with an odd id.
func SceneID(form IDForm, want Want) conformance.ProbeName {
	return conformance.ProbeName(fmt.Sprintf("ids with %s, %s", form, want))
}

// SceneRefusal is the scene in which an operation is refused with a status.
func SceneRefusal(status int, op conformance.Operation) conformance.ProbeName {
	return conformance.ProbeName(fmt.Sprintf("%d from /%s", status, op))
}

// SceneRequest is the probe of one request, from 1, of a scene with so many of them.
func SceneRequest(scene conformance.ProbeName, n, all int) conformance.ProbeName {
	if all == 1 {
		return scene
	}
	return conformance.ProbeName(fmt.Sprintf("%s (%d)", scene, n))
}

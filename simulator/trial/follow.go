package trial

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// follow plans the next poll of a journey, sooner if more happens.
func (r *ride) follow(j taxi.Journey) {
	const most = 40
	wait := 20*time.Second + r.upTo(5*time.Minute)
	switch {
	case j.Status == taxi.Held:
		wait = time.Minute + r.upTo(time.Hour)
	case j.Status == taxi.Arrived, j.Status == taxi.EnRoute && j.ETA != nil && j.ETA.Value <= 1:
		wait = time.Second + r.upTo(time.Minute)
	}
	if r.polls++; r.polls <= most {
		r.day.agenda.add(r.day.now.Add(wait), r.poll)
	}
}

// poll reads the journey with /status.
func (r *ride) poll() {
	r.call(taxi.PathStatus, "", r.ref, func(a *answer) {
		switch {
		case a.status == 0:
			r.follow(taxi.Journey{})
		case a.ok():
			r.decideNext(a.journey)
		default:
			r.refused(taxi.PathStatus, a)
		}
	})
}

// decideNext decides what the caller does after a status.
func (r *ride) decideNext(j taxi.Journey) {
	luck := r.draw.IntN(100)
	switch {
	case j.Status.Terminal() && luck < 60:
		r.edit(j, func() {})
	case j.Status.Terminal() && luck < 80:
		r.cancel(func() {})
	case j.Status.Terminal():
	case luck < 4:
		r.cancel(func() { r.follow(taxi.Journey{}) })
	case luck < 30:
		r.edit(j, func() { r.follow(j) })
	default:
		r.follow(j)
	}
}

// cancel cancels the journey.
func (r *ride) cancel(then func()) {
	r.call(taxi.PathCancel, "", r.ref, func(a *answer) {
		switch {
		case a.ok():
			r.cancelled = true
		case a.status != 0:
			r.refused(taxi.PathCancel, a, taxi.CodeJourneyInProgress, taxi.CodeJourneyClosed, taxi.CodeCancelRefused)
		}
		then()
	})
}

// edit changes one field of the journey, by a little or by a lot. The other fields are
// those of the journey as it was last seen, so another client may have changed it since.
func (r *ride) edit(j taxi.Journey, then func()) {
	e := taxi.BookRequest{
		JourneyID: &r.ref.JourneyID, UserID: r.ref.UserID,
		Name: j.Passenger.Name, PhoneNumber: j.Passenger.PhoneNumber,
		Pickup: j.Pickup, Dropoffs: j.Dropoffs, PickupTime: j.Date,
	}
	field := dispatch.EditMatrix()[r.draw.IntN(len(dispatch.EditMatrix()))].Field
	r.change(&e, field, r.draw.IntN(2) == 0)
	r.call(taxi.PathBook, "", e, func(a *answer) {
		if !a.ok() && a.status != 0 {
			r.refused(taxi.PathBook, a, taxi.CodeEditNotAllowed, taxi.CodeJourneyClosed, taxi.CodePickupInPast)
		}
		then()
	})
}

// change changes one field of an edit.
func (r *ride) change(e *taxi.BookRequest, field string, little bool) {
	switch field {
	case "name":
		e.Name = fmt.Sprintf("Ride %d, %d", r.n, r.polls)
	case "phoneNumber":
		e.PhoneNumber = "+442079460399"
	case "data":
		e.Data = json.RawMessage(fmt.Sprintf(`{"ride":%d,"note":%d}`, r.n, r.polls))
	case "dropoffs":
		e.Dropoffs = append(slices.Clone(e.Dropoffs[:1]), *r.somewhere())
	case "pickup":
		e.Pickup = r.moved(e.Pickup, little)
	case "pickupTime":
		shift := 8 * time.Minute
		if !little {
			shift = 40 * time.Minute
		}
		e.PickupTime = taxi.At(e.PickupTime.Add(shift))
	case "vehicleCategory":
		e.VehicleCategory = "estate"
		if !little {
			e.VehicleCategory = "mpv"
		}
	}
}

// moved returns an address a little further up the road, or at another door.
func (r *ride) moved(a *taxi.Address, little bool) *taxi.Address {
	if !little {
		return r.somewhere()
	}
	at := *a.Location
	at.Latitude += 0.001 // about a hundred metres
	return &taxi.Address{Address: "Up the road", Location: &at}
}

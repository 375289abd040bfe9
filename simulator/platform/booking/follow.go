package booking

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
)

// mostRead limits how many active journeys are read before a customer is greeted.
const mostRead = 4

// Read reads the customer's active journeys with /status, since a prompt may only
// describe journeys that were just read. Journeys that have ended are removed.
func (v *Visit) Read(ctx context.Context) {
	ctx, cancel := v.within(ctx)
	defer cancel()
	active := v.User.Active[:min(len(v.User.Active), mostRead)]
	read := make([]*operations.Journey, len(active))
	var all sync.WaitGroup
	for i, known := range active {
		all.Go(func() {
			if j, err := v.party.Status(ctx, v.User.Ref, known.Ref); err == nil {
				j = completed(j, known)
				read[i] = &j
			}
		})
	}
	all.Wait()
	v.Journeys, v.Unread = nil, 0
	for _, j := range read {
		switch {
		case j == nil:
			v.Unread++
		case !j.Status.Terminal():
			v.guard.AddJourney(j.Journey)
			v.keep(*j)
			v.Journeys = append(v.Journeys, *j)
		}
	}
	slices.SortStableFunc(v.Journeys, func(a, b operations.Journey) int {
		return cmp.Compare(a.Date.In(v.zone).Unix(), b.Date.In(v.zone).Unix())
	})
}

// booked counts the customer's bookings: those that are active, and those that are listed
// but could not be read.
func (v *Visit) booked() int {
	return len(v.Journeys) + v.Unread + max(0, len(v.User.Active)-mostRead)
}

// Status reads one journey. known is its last known state, which completes a partial
// response by members that do not change.
//
// A journey that was read less than two seconds ago is not read again.
func (v *Visit) Status(ctx context.Context, known operations.Journey) (operations.Journey, error) {
	if r, ok := v.read[known.Ref]; ok && v.desk.opts.Now().Sub(r.at).Abs() < readAgain {
		return r.journey, nil
	}
	ctx, cancel := v.within(ctx)
	defer cancel()
	j, err := v.party.Status(ctx, v.User.Ref, known.Ref)
	if err != nil {
		return known, err
	}
	v.guard.AddJourney(j.Journey)
	j = completed(j, known)
	v.keep(j)
	for i := range v.Journeys {
		if v.Journeys[i].Ref.Is(j.Ref) {
			v.Journeys[i] = j
		}
	}
	return j, nil
}

// readAgain is the time during which a journey that was read is not read again.
const readAgain = 2 * time.Second

// reading is a journey with the time at which it was read.
type reading struct {
	journey operations.Journey
	at      time.Time
}

func (v *Visit) keep(j operations.Journey) {
	if v.read == nil {
		v.read = map[operations.ID]reading{}
	}
	v.read[j.Ref] = reading{j, v.desk.opts.Now()}
}

// completed adds to a response the members of the booking that it lacks, from its last known state. Driver, vehicle,
// location and ETA are never added.
func completed(fresh, known operations.Journey) operations.Journey {
	if fresh.Date.IsZero() {
		fresh.Date = known.Date
	}
	if fresh.Pickup == nil {
		fresh.Pickup = known.Pickup
	}
	if len(fresh.Dropoffs) == 0 {
		fresh.Dropoffs = known.Dropoffs
	}
	if fresh.Passenger == nil {
		fresh.Passenger = known.Passenger
	}
	if fresh.Price == nil {
		fresh.Price = known.Price
	}
	return fresh
}

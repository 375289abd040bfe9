package booking

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
)

// mostRead bounds how many active journeys are read before a customer is greeted.
const mostRead = 4

// Read reads the customer's active journeys, each by a fresh /status: nothing is
// said of a journey that was not read just now. Those that have ended meanwhile
// are left out.
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

// booked counts the customer's bookings: those that were read and have not ended,
// and those that are listed but could not be read.
func (v *Visit) booked() int {
	return len(v.Journeys) + v.Unread + max(0, len(v.User.Active)-mostRead)
}

// Status reads one journey. known is what was known of it: a partial answer is
// completed by what does not change.
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

// readAgain is how long what was read of a journey is fresh.
const readAgain = 2 * time.Second

// reading is a journey as it was read.
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

// completed fills in of a fresh answer what the customer has booked. Its driver,
// vehicle, place and time of arrival are the answer's or nobody's.
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

package dispatch

import (
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// Effect is a side effect of a transition on its journey. The table of [Transitions] lists
// the effects of each transition.
type Effect struct {
	Words string // what it does, for the documentation

	apply func(s *Service, now time.Time, j *store.Journey)
}

// The effects. Each is applied after the journey has entered its new status.
var (
	price = Effect{
		"the journey is priced",
		func(s *Service, now time.Time, j *store.Journey) { j.Price, _ = s.fleet.Quote(now, j) },
	}
	quote = Effect{
		"the journey is priced and the wait for a car estimated",
		func(s *Service, now time.Time, j *store.Journey) { j.Price, j.ETA = s.fleet.Quote(now, j) },
	}
	estimateWait = Effect{
		"the wait for a car is estimated and the price stays",
		func(s *Service, now time.Time, j *store.Journey) { _, j.ETA = s.fleet.Quote(now, j) },
	}
	startSearch = Effect{
		"the search for a car and its timeout start",
		func(_ *Service, now time.Time, j *store.Journey) { j.ReleasedAt = now },
	}
	noteArrival = Effect{
		"the driver's wait for the passenger starts",
		func(_ *Service, now time.Time, j *store.Journey) { j.ArrivedAt = now },
	}
	countContact = Effect{
		"the attempt to reach the passenger is counted",
		func(_ *Service, _ time.Time, j *store.Journey) { j.Contacts++ },
	}
	chargeLateCancel = Effect{
		"the late-cancel fee is charged (Policy.LateCancelFee, or the hour's flag fall if that is more)",
		func(s *Service, now time.Time, j *store.Journey) {
			fee := s.policy.lateCancelFee(s.fleet.FlagFall(now))
			j.Price, j.Data.Charge = fee, fee
		},
	}

	reasonPassenger = endsFor(taxi.ReasonPassenger)
	reasonNoDriver  = endsFor(taxi.ReasonNoDriver)
	reasonNoShow    = endsFor(taxi.ReasonNoShow)
)

// endsFor returns the effect that records the reason for which a journey ended early.
func endsFor(reason taxi.CancelReason) Effect {
	return Effect{"reason " + string(reason), func(_ *Service, _ time.Time, j *store.Journey) {
		j.Data = &taxi.Outcome{Reason: reason}
	}}
}

package tracking

import (
	"net/http"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// enoughOpen is how many open bookings of one user every run tries to make. A server on which no
// user ever has so many may limit them.
const enoughOpen = 13

// keptBooking is a new journey, or a booking without an answer, with the call that cancelled it.
type keptBooking struct {
	owner           string
	booked, dropped *conformance.Exchange
}

// surely reports whether the journey was open when x ended.
func (b keptBooking) surely(x *conformance.Exchange) bool {
	return b.booked.Sound && rules.Served(b.booked) && !ended(b.booked).After(ended(x)) && (b.dropped == nil || b.dropped.Wall().After(ended(x)))
}

func (b keptBooking) perhaps(x *conformance.Exchange) bool {
	return b.booked.Wall().Before(ended(x)) && (b.dropped == nil || ended(b.dropped).After(x.Wall()))
}

func ended(x *conformance.Exchange) time.Time { return x.Wall().Add(x.Took) }

// beyondLimit returns the ids of new bookings that were refused to a user with as many open ones as any user ever had.
// The interface shows no maximum, so a server may have one; what is wrong with a request is refused with 400 or 404.
func beyondLimit(history []*conformance.Exchange) map[int]bool {
	beyond := beyondLead(history)
	users, journeys := map[string]string{}, map[string]*keptBooking{}
	byOwner := map[string][]*keptBooking{}
	owner := func(x *conformance.Exchange) string {
		if phone := users[x.Sent().At("userId").Scalar()]; phone != "" {
			return phone
		}
		return jsonvalue.Digits(x.Sent().At("phoneNumber").Text())
	}
	var refused []*conformance.Exchange
	for _, x := range history {
		id := x.Reply().At("journeyId").Scalar()
		switch {
		case x.Operation == rules.OpUser && rules.Served(x):
			users[x.Reply().At("userId").Scalar()] = jsonvalue.Digits(x.Sent().At("phoneNumber").Text())
		case x.Operation == rules.OpCancel && rules.SaysCancelled(x):
			if b := journeys[id]; b != nil && b.dropped == nil {
				b.dropped = x
			}
		case x.Operation != rules.OpBook || rules.IsEdit(x):
		case x.Response == nil:
			byOwner[owner(x)] = append(byOwner[owner(x)], &keptBooking{owner: owner(x), booked: x})
		case rules.Served(x) && journeys[id] == nil: // not a repeat
			journeys[id] = &keptBooking{owner: owner(x), booked: x}
			byOwner[owner(x)] = append(byOwner[owner(x)], journeys[id])
		case x.RefusedCleanly() && x.Code() != http.StatusBadRequest && x.Code() != http.StatusNotFound && x.Code() != http.StatusUnauthorized:
			refused = append(refused, x)
		}
	}
	if len(refused) == 0 {
		return beyond
	}
	count := func(who string, open func(keptBooking, *conformance.Exchange) bool, x *conformance.Exchange) (n int) {
		for _, b := range byOwner[who] {
			if open(*b, x) {
				n++
			}
		}
		return n
	}
	most := 0
	for _, b := range journeys {
		most = max(most, count(b.owner, keptBooking.surely, b.booked))
	}
	for _, x := range refused {
		if n := count(owner(x), keptBooking.perhaps, x); n > 0 && n >= most && most < enoughOpen {
			beyond[x.ID] = true
		}
	}
	return beyond
}

// beyondLead returns the ids of new bookings that were refused for a day later than that of any served booking, if
// none was served for the time ahead at which runs book. A server may take bookings for the next days only.
func beyondLead(history []*conformance.Exchange) map[int]bool {
	const day, usual = 24 * time.Hour, 6 * 24 * time.Hour
	lead := func(x *conformance.Exchange) time.Duration {
		at, err := taxi.ParseTime(x.Sent().At("pickupTime").Text())
		if err != nil || x.Operation != rules.OpBook || rules.IsEdit(x) {
			return 0
		}
		return at.Sub(x.Started)
	}
	farthest, beyond := time.Duration(0), map[int]bool{}
	for _, x := range history {
		if rules.Served(x) {
			farthest = max(farthest, lead(x))
		}
	}
	for _, x := range history {
		if x.RefusedCleanly() && x.Code() != http.StatusUnauthorized && farthest > 0 && farthest < usual && lead(x) > farthest+day {
			beyond[x.ID] = true
		}
	}
	return beyond
}

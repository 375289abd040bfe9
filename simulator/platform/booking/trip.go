package booking

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Trip is the booking that the customer wants.
type Trip struct {
	Edit     *operations.Journey // the booking to change; nil: a new one
	Name     string              // of the passenger; "": the user's own
	Pickup   taxi.Address
	Dropoffs []taxi.Address // empty: the driver will be told
	At       time.Time      // zero: as soon as possible
	Category string
	People   int // 0: unknown
	Needs    []spoken.Need
	Back     bool // a way back was told, which is booked afterwards
}

// Result is the result of a booking.
type Result string

// The results.
const (
	ResultBooked  Result = "booked"  // the third party returned a journey
	ResultRefused Result = "refused" // refused: nothing is booked
	ResultUnsure  Result = "unsure"  // the result is unknown; a person must check
)

// guest is the name in a booking if the passenger's name is unknown.
const guest = "Guest"

// Book books a trip, or changes a booking. It calls /book once; if the result is unknown,
// it reads the customer's active bookings.
func (v *Visit) Book(ctx context.Context, t Trip) (operations.Journey, Result) {
	ctx, cancel := v.within(ctx)
	defer cancel()
	b := v.request(t)
	v.read = nil // it may have changed
	j, err := v.party.Book(ctx, b)
	result := ResultBooked
	if err != nil {
		result = ResultRefused
		if f, ok := errors.AsType[*operations.Failure](err); !ok || f.Outcome == operations.Unknown {
			j, result = v.find(ctx, b)
		}
	}
	if result != ResultBooked {
		return operations.Journey{}, result
	}
	if t.Edit == nil && v.knows(j.Ref) && !j.Status.Terminal() {
		// An id of an earlier booking. Some systems respond to a repeat with the first
		// booking; it is this booking only if the trip is the same.
		if known := v.known(j.Ref); !sameTrip(known, b, v.zone) {
			return operations.Journey{}, ResultUnsure
		}
	}
	if j.Status.Terminal() {
		return operations.Journey{}, ResultRefused
	}
	v.guard.AddJourney(j.Journey)
	v.desk.remember(v.Account, v.Number, t)
	return completed(j, operations.Journey{Journey: taxi.Journey{Date: b.Time, Pickup: &b.Pickup, Dropoffs: t.Dropoffs}}), ResultBooked
}

// request converts a trip to the body of /book. A trip without a drop-off repeats the
// pickup, since the interface needs at least one, and marks that in data.
func (v *Visit) request(t Trip) operations.Booking {
	b := operations.Booking{
		User: v.User.Ref, Name: cmp.Or(t.Name, v.wish().Name, v.User.Name, guest), Phone: v.Number,
		Pickup: t.Pickup, Dropoffs: v.ends(t), Category: cmp.Or(t.Category, v.wish().Category),
	}
	if len(b.Dropoffs) == 0 {
		b.Dropoffs = []taxi.Address{t.Pickup}
	}
	b.Data = t.data(len(v.ends(t)) == 0)
	at := t.At
	if at.IsZero() {
		at = v.desk.opts.Callers().Add(time.Second - time.Nanosecond) // rounded up, so that it is never in the past
	}
	b.Time = taxi.At(at.Truncate(time.Second).In(v.zone))
	if e := t.Edit; e != nil {
		b.Journey = e.Ref
		if p := e.Passenger; p != nil {
			b.Name, b.Phone = cmp.Or(t.Name, v.wish().Name, p.Name, b.Name), cmp.Or(p.PhoneNumber, b.Phone)
		}
	}
	return b
}

// data returns the parts of a trip for which the interface has no member. Decision: the
// names are ours.
func (t Trip) data(nowhere bool) json.RawMessage {
	if !nowhere && t.People == 0 && len(t.Needs) == 0 {
		return nil
	}
	text, _ := json.Marshal(struct { // encoding never fails
		Unknown bool          `json:"dropOffUnknown,omitempty"`
		People  int           `json:"people,omitempty"`
		Needs   []spoken.Need `json:"needs,omitempty"`
	}{nowhere, t.People, t.Needs})
	return text
}

// ends returns the drop-offs of a trip, preceded by the stops that the channel knew beforehand.
func (v *Visit) ends(t Trip) []taxi.Address {
	if stops := v.wish().Stops; len(stops) > 0 && len(t.Dropoffs) == 1 {
		return append(stops[:len(stops):len(stops)], t.Dropoffs...)
	}
	return t.Dropoffs
}

// wish returns what the channel knows beforehand; the zero Wish if nothing.
func (v *Visit) wish() Wish {
	if v.Wish == nil {
		return Wish{}
	}
	return *v.Wish
}

// find looks for a booking among the customer's active ones, after an invalid response to
// /book. It never repeats /book.
func (v *Visit) find(ctx context.Context, b operations.Booking) (operations.Journey, Result) {
	user, err := v.party.User(ctx, v.Number)
	if err != nil {
		return operations.Journey{}, ResultUnsure
	}
	for _, j := range user.Active {
		switch {
		case b.Journey != "" && j.Ref.Is(b.Journey) && sameTrip(j, b, v.zone) && sameEnd(j, b):
		case b.Journey == "" && !v.knows(j.Ref) && sameTrip(j, b, v.zone):
		default:
			continue
		}
		if v.User.Ref == "" {
			v.User.Ref = user.Ref // the booking has created the user
		}
		return j, ResultBooked
	}
	return operations.Journey{}, ResultUnsure
}

func (v *Visit) knows(id operations.ID) bool { return v.known(id).Ref != "" }

// known returns the journey with an id among those of the user when the request began; the zero Journey if there is
// none.
func (v *Visit) known(id operations.ID) operations.Journey {
	i := slices.IndexFunc(v.User.Active, func(j operations.Journey) bool { return j.Ref.Is(id) })
	if i < 0 {
		return operations.Journey{}
	}
	return v.User.Active[i]
}

// sameTrip reports whether a journey matches a booking, as far as it can be compared: the
// same pickup, at the same minute.
func sameTrip(j operations.Journey, b operations.Booking, zone *time.Location) bool {
	if j.Pickup == nil || !samePlace(*j.Pickup, b.Pickup) {
		return false
	}
	if j.Date.IsZero() {
		return true
	}
	return j.Date.In(zone).Sub(b.Time.Time).Abs() < time.Minute
}

// tripOf converts a journey to a trip, for an edit. It returns false if members are
// missing, since an edit must contain all of them.
func (v *Visit) tripOf(j operations.Journey) (Trip, bool) {
	t := Trip{Edit: &j}
	if j.Pickup == nil || j.Date.IsZero() {
		return t, false
	}
	var ok bool
	if t.Pickup, ok = found(*j.Pickup, v.settings.Places); !ok {
		return t, false
	}
	t.At = j.Date.In(v.zone).Time
	for _, d := range j.Dropoffs {
		a, ok := found(d, v.settings.Places)
		if !ok {
			return t, false
		}
		t.Dropoffs = append(t.Dropoffs, a)
	}
	if len(t.Dropoffs) == 1 && t.Dropoffs[0].Address == t.Pickup.Address {
		t.Dropoffs = nil // the repeated pickup of request: a new pickup must be repeated again
	}
	return t, true
}

// sameEnd reports whether a journey has the same drop-offs as an edit.
func sameEnd(j operations.Journey, b operations.Booking) bool {
	return slices.EqualFunc(j.Dropoffs, b.Dropoffs, samePlace)
}

// houses returns the house numbers of a trip.
func (t Trip) houses() []int {
	var numbers []int
	for _, a := range append(slices.Clone(t.Dropoffs), t.Pickup) {
		if n, _ := houseOf(a); n > 0 {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// houseOf returns the number and the street of a house; 0: it is none.
func houseOf(a taxi.Address) (number int, street string) {
	first, street, _ := strings.Cut(a.Address, " ")
	number, _ = strconv.Atoi(strings.TrimRight(first, "abcdefgh"))
	return number, street
}

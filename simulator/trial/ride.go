package trial

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
)

// ride is one caller's wish for a taxi, with the platform's requests for it.
type ride struct {
	day   *day
	n     int
	draw  *rand.Rand
	asked taxi.BookRequest // the wanted booking
	keyed bool             // its booking carries an Idempotency-Key
	ref   taxi.JourneyRef  // "": unknown

	acknowledged bool // the platform received a response that it is booked
	cancelled    bool // … a response that it is cancelled
	polls        int
}

// hours is the number of calls in each hour of a day, as a weight, from the hour at which
// a run begins.
var hours = [24]int{1, 2, 5, 8, 8, 6, 6, 6, 7, 7, 7, 8, 11, 14, 14, 11, 9, 8, 8, 9, 8, 5, 0, 0}

// planRides draws the time of each ride.
func (d *day) planRides() error {
	for n := range d.o.Days * d.o.Rides {
		if err := d.ctx.Err(); err != nil {
			return err
		}
		if d.o.Only != nil && !slices.Contains(d.o.Only, n) {
			continue
		}
		r := &ride{day: d, n: n, draw: rand.New(rand.NewPCG(d.o.Seed, uint64(n)))}
		at := began.Add(time.Duration(n/d.o.Rides)*24*time.Hour + r.hour() + r.upTo(time.Hour))
		d.agenda.add(at, r.begin)
	}
	return nil
}

func (r *ride) hour() time.Duration {
	total := 0
	for _, weight := range hours {
		total += weight
	}
	luck, hour := r.draw.IntN(total), 0
	for luck >= hours[hour] {
		luck -= hours[hour]
		hour++
	}
	return time.Duration(hour) * time.Hour
}

// upTo draws how long something takes, to the millisecond.
func (r *ride) upTo(most time.Duration) time.Duration {
	return time.Duration(r.draw.Int64N(int64(most/time.Millisecond))) * time.Millisecond
}

// call sends a request for this ride.
func (r *ride) call(path, key string, in any, then func(*answer)) {
	body, err := json.Marshal(in)
	if err != nil {
		r.day.fail(ruleAnswer, err.Error())
		return
	}
	r.day.send(&call{ride: r, path: path, key: key, body: body, then: then})
}

// begin begins a ride: a caller calls, and the platform looks them up.
func (r *ride) begin() {
	r.day.begun = append(r.day.begun, r)
	r.request()
	switch r.draw.IntN(20) {
	case 0:
		r.call(taxi.PathConfig, "", taxi.ConfigRequest{}, func(*answer) { r.sendBroken() })
	case 1:
		r.call(taxi.PathUser, "", taxi.UserRequest{PhoneNumber: r.asked.PhoneNumber.Digits()}, func(*answer) { r.book() })
	default:
		r.book()
	}
}

// callers is the number of callers, who call repeatedly.
const callers = 60

// request draws the wanted booking.
func (r *ride) request() {
	r.asked = taxi.BookRequest{
		Name:            fmt.Sprintf("Ride %d", r.n),
		PhoneNumber:     taxi.E164(fmt.Sprintf("+4420794603%02d", r.draw.IntN(callers))),
		Pickup:          r.somewhere(),
		Dropoffs:        []taxi.Address{*r.somewhere()},
		VehicleCategory: []string{"", "", "", "", "saloon", "estate", "mpv", "accessible"}[r.draw.IntN(8)],
		Data:            json.RawMessage(fmt.Sprintf(`{"ride":%d}`, r.n)),
	}
	if r.draw.IntN(6) == 0 {
		r.asked.Dropoffs = append(r.asked.Dropoffs, *r.somewhere())
	}
	ahead := time.Duration(0)
	switch luck := r.draw.IntN(10); {
	case luck >= 8:
		ahead = 20*time.Minute + r.upTo(5*time.Hour)
	case luck >= 6:
		ahead = r.upTo(18 * time.Minute)
	}
	r.asked.PickupTime = taxi.At(r.day.now.Add(ahead).Truncate(time.Second))
	r.keyed = r.draw.IntN(2) == 0
}

// somewhere draws an address: a door in town, a place, rarely a farm out of town.
func (r *ride) somewhere() *taxi.Address {
	var at taxi.Address
	switch luck := r.draw.IntN(50); {
	case luck < 2:
		at = taxi.Address{Address: "The Farm", Location: &taxi.Point{Longitude: 2.4, Latitude: 54.7}}
	case luck < 6 && r.day.town != nil:
		at = r.day.town.Wire(r.day.town.Places[r.draw.IntN(len(r.day.town.Places))].Address)
	case luck < 6:
		at = places[r.draw.IntN(len(places))].Address
	case r.day.town != nil:
		at = r.day.town.Wire(r.day.town.RandomAddress(r.draw))
	default:
		n := r.draw.IntN(len(doors))
		at = taxi.Address{Address: fmt.Sprintf("%d Door Street, Otterbridge", n), Location: &doors[n]}
	}
	point := *at.Location // a copy, since requests may be changed
	at.Location = &point
	return &at
}

// doors and places are where people are where no streets are laid.
var (
	doors = func() (all [400]taxi.Point) {
		roads := simulator.Plane(simulator.SpotOf(taxi.Point{Longitude: 2.10, Latitude: 54.70}))
		for n := range all {
			all[n] = roads.Door(uint64(n)).Point()
		}
		return all
	}()
	places = fixtures.Places()
)

// book sends the booking.
func (r *ride) book() {
	key := ""
	if r.keyed {
		key = fmt.Sprintf("ride-%d-%d", r.day.o.Seed, r.n)
		r.day.keys = append(r.day.keys, key)
	}
	r.call(taxi.PathBook, key, r.asked, r.afterBooking)
}

// afterBooking handles the answer to the booking.
func (r *ride) afterBooking(a *answer) {
	switch {
	case a.status == 0: // the booking may exist: read the user's bookings when no copy of the request can arrive any more
		r.day.agenda.add(r.day.now.Add(repeatable+time.Second), func() { r.lookUp(r.found) })
	case a.ok():
		r.ref.JourneyID, r.acknowledged = a.journey.JourneyID, true
		r.lookUp(r.known)
	default:
		r.refused(taxi.PathBook, a, taxi.CodePickupInPast)
	}
}

// lookUp reads the caller's bookings.
func (r *ride) lookUp(then func(taxi.EndUser)) {
	r.call(taxi.PathUser, "", taxi.UserRequest{PhoneNumber: r.asked.PhoneNumber.Digits()}, func(a *answer) {
		if a.ok() || a.status == 0 || r.refused(taxi.PathUser, a, taxi.CodeUserNotFound) {
			then(a.user)
		}
	})
}

// found continues with the booking that exists after all, or books again.
func (r *ride) found(u taxi.EndUser) {
	for _, j := range u.ActiveBookings {
		if j.Passenger != nil && j.Passenger.Name == r.asked.Name {
			r.ref = taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID}
			r.acknowledged = true
			r.follow(taxi.Journey{})
			return
		}
	}
	if r.polls++; r.keyed || r.polls > 3 {
		return // the caller gives up
	}
	r.asked.PickupTime = taxi.At(r.day.now.Truncate(time.Second))
	r.book()
}

// known continues with a booking whose caller is known.
func (r *ride) known(u taxi.EndUser) {
	if u.UserID == "" {
		return // no answer came
	}
	r.ref.UserID = u.UserID
	r.follow(taxi.Journey{})
}

package booking

import (
	"context"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// News is the state of a journey, for a customer who follows it.
type News struct {
	Journey operations.Journey
	Changed bool            // the status or the driver has changed
	Said    []string        // if Changed
	Offered []spoken.Choice // current choices
}

// Look reads a journey of this conversation, which may be over. known is the state that
// the customer was told last.
func (s *Session) Look(ctx context.Context, known operations.Journey) (News, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.visit
	j, err := v.Status(ctx, known)
	if err != nil {
		return News{Journey: known}, err
	}
	if Older(known, j) {
		return News{Journey: known, Offered: v.offered(known)}, nil
	}
	n := News{Journey: j, Offered: v.offered(j)}
	other := driverChanged(known, j)
	if n.Changed = other || j.Status != known.Status; !n.Changed {
		return n, nil
	}
	if other {
		n.Said = v.say(spoken.NewDriver, spoken.Slots{}, false)
	}
	n.Said = append(n.Said, v.statusLines(j, false)...)
	return n, nil
}

// Older reports whether j is an older state of a journey than known: its request began
// before, or known is POB, which only the end of the journey changes.
func Older(known, j operations.Journey) bool {
	if known.Status == taxi.POB && j.Status != taxi.POB && !j.Status.Terminal() {
		return true
	}
	return j.Asked < known.Asked
}

// driverChanged reports whether j has another driver than known. It is false if either has none.
func driverChanged(known, j operations.Journey) bool {
	if known.Driver == nil || j.Driver == nil {
		return false
	}
	return known.Driver.PhoneNumber.Digits() != j.Driver.PhoneNumber.Digits() || known.Driver.Name != j.Driver.Name
}

// offered returns the choices that are offered below news of a journey.
func (v *Visit) offered(j operations.Journey) []spoken.Choice {
	var list []spoken.Choice
	if v.mayComeNow(j) {
		list = append(list, spoken.ChooseComingNow)
	}
	if v.mayCancel(j) {
		list = append(list, spoken.ChooseCancel)
	}
	return list
}

// Say returns a prompt in the form of the customer's channel.
func (s *Session) Say(id spoken.PromptID, slots spoken.Slots) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.visit.say(id, slots, false)
}

// Label returns the text of a choice on a button.
func (s *Session) Label(c spoken.Choice) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.visit.speaker.Label(c)
}

// Place returns the text of a place on a button.
func (s *Session) Place(p Place) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.Name != "" {
		return s.visit.speaker.Place(p.Name)
	}
	return s.visit.speaker.Place(p.Address.Address)
}

// Booking returns the text of one of several bookings on a button.
func (s *Session) Booking(j operations.Journey) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.visit.details(j)
	return s.visit.speaker.Booking(spoken.Taxi{When: d.When, Pickup: d.Pickup})
}

// Shows reports whether the car's location should be shown on a map.
func Shows(j operations.Journey) bool {
	return j.Location != nil && !j.Status.Terminal() && j.Status != taxi.Held
}

package robot

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Move is the customer's next action: one of its fields is set, or none to wait. Only a
// time may be given both as keys and in words.
type Move struct {
	Choice spoken.Choice // of the menu
	Place  int           // number of a place that was read out, from 1
	Keys   string        // digits
	Words  string        // spoken, or written
	Leave  bool          // hang up, or close the chat
	Again  bool          // ask for news after a while
}

// Robot is one customer in one conversation. It is not safe for concurrent use.
type Robot struct {
	Result

	task Task
	now  func() time.Time
	zone *time.Location

	began   bool            // the first menu has been seen
	talked  bool            // the driver was called
	pressed int             // number of "Coming Now"
	pending []spoken.Choice // changes that are left
	visits  map[booking.State]int
}

// New returns a customer who has not called yet. zone is the time zone of times that are
// entered with keys.
func New(t Task, now func() time.Time, zone *time.Location) *Robot {
	r := &Robot{task: t, now: now, zone: zone, visits: map[booking.State]int{}}
	r.Result = Result{Outcome: Completed, Offered: []Want{}, Asked: []booking.Question{}, Said: []string{}, Shown: []Shown{}, Legs: []Leg{}}
	if t.Pickup != nil {
		r.pending = append(r.pending, spoken.ChoosePickup)
	}
	if len(t.Dropoffs) > 0 {
		r.pending = append(r.pending, spoken.ChooseDropoff)
	}
	if !t.At.IsZero() || len(r.pending) == 0 {
		r.pending = append(r.pending, spoken.ChooseTime)
	}
	return r
}

// mostVisits limits how often a robot tries in one state before it asks for a person.
const mostVisits = 4

// Next returns the move after a step.
func (r *Robot) Next(step booking.Step) Move {
	r.Said = append(r.Said, step.Said...)
	r.Asked = append(r.Asked, step.Asked...)
	switch step.Then {
	case booking.ThenReject:
		r.Outcome = Rejected
		return Move{}
	case booking.ThenPerson:
		r.Outcome = Person
		return Move{}
	case booking.ThenFail:
		r.Outcome = Failed
		return Move{}
	case booking.ThenListen:
	case booking.ThenDriver:
		r.talked = true
		return Move{}
	default:
		return Move{}
	}
	if !r.began {
		r.began = true
		r.Offered = offers(step)
	}
	if r.Outcome == Person || r.talked {
		return Move{Leave: true} // nobody answered, or they have talked
	}
	if r.visits[step.State]++; r.visits[step.State] > mostVisits+r.task.Times && r.task.Follow == nil {
		return Move{Choice: spoken.ChoosePerson}
	}
	return r.answer(step)
}

// answer returns the move in a state.
func (r *Robot) answer(step booking.Step) Move {
	switch step.State {
	case booking.Welcome, booking.Known, booking.OneBooked, booking.SomeBooked, booking.ArrivedMenu:
		return r.menu(step)
	case booking.AskCancel:
		return Move{Choice: spoken.ChooseCancel}
	}
	switch {
	case r.task.Want == WantBook:
	case r.task.Want == WantEdit && (step.State == booking.Edit || r.visits[booking.Edit] > 0):
	case r.task.Want == WantEdit, r.task.Want == WantCancel:
		return Move{Choice: spoken.ChoosePerson} // there is nothing to change or cancel
	default:
		return Move{Leave: true}
	}
	return r.trip(step)
}

// trip answers the questions about a trip.
func (r *Robot) trip(step booking.Step) Move {
	switch step.State {
	case booking.AskName:
		if r.task.Name == "" {
			return Move{Choice: spoken.ChooseSkip}
		}
		return Move{Words: r.task.Name}
	case booking.WhichPlace:
		return r.either(step)
	case booking.AskPickup, booking.WherePick, booking.AskStreet:
		return r.place(step, r.task.Pickup)
	case booking.When, booking.WhichTime, booking.WhichDay, booking.IsTime:
		return r.time(step)
	case booking.HowMany:
		return Move{Words: "1"}
	case booking.WhereTo, booking.Elsewhere:
		return r.dropoff(step)
	case booking.Edit:
		return r.change()
	case booking.Confirm, booking.Reconfirm:
		if r.task.Want == WantEdit && len(r.pending) > 0 {
			return Move{Choice: spoken.ChooseChange}
		}
		return Move{Choice: spoken.ChooseYes}
	}
	return Move{Choice: spoken.ChoosePerson}
}

// menu chooses in a first menu.
func (r *Robot) menu(step booking.Step) Move {
	switch r.task.Want {
	case WantOffer:
		return Move{Leave: true}
	case WantBook:
		return r.book(step)
	case WantEdit:
		return wish(step, spoken.ChooseChange, Move{Choice: spoken.ChoosePerson})
	case WantCancel:
		return wish(step, spoken.ChooseCancel, Move{Choice: spoken.ChoosePerson})
	case WantComingNow:
		if r.pressed >= max(r.task.Times, 1) {
			return r.stay()
		}
		r.pressed++
		return wish(step, spoken.ChooseComingNow, r.stay())
	case WantCallDriver:
		return wish(step, spoken.ChooseCallDriver, Move{Leave: true})
	}
	return r.stay()
}

// wish returns the move that makes a choice if the step offers it, and the move otherwise if not.
func wish(step booking.Step, c spoken.Choice, otherwise Move) Move {
	if slices.Contains(step.Offered, c) {
		return Move{Choice: c}
	}
	return otherwise
}

// stay returns the move that waits for news, if the task follows its journey, and otherwise the one that leaves.
func (r *Robot) stay() Move {
	if r.task.Follow != nil && r.task.Follow(r.now()) {
		return Move{Again: true}
	}
	return Move{Leave: true}
}

// book asks for a taxi: the usual one only if the task has no details.
func (r *Robot) book(step booking.Step) Move {
	if r.past() {
		return Move{Choice: spoken.ChoosePerson}
	}
	if r.task.Pickup == nil && r.task.At.IsZero() && slices.Contains(step.Offered, spoken.ChooseBook) {
		return Move{Choice: spoken.ChooseBook}
	}
	for _, c := range []spoken.Choice{spoken.ChooseOther, spoken.ChooseAnother, spoken.ChooseBook} {
		if slices.Contains(step.Offered, c) {
			return Move{Choice: c}
		}
	}
	return Move{Choice: spoken.ChoosePerson}
}

// change names the next part of the trip to be changed.
func (r *Robot) change() Move {
	if len(r.pending) == 0 || r.past() {
		return Move{Choice: spoken.ChoosePerson}
	}
	c := r.pending[0]
	r.pending = r.pending[1:]
	return Move{Choice: c}
}

// place chooses a place from the list, or says it.
func (r *Robot) place(step booking.Step, wanted *taxi.Address) Move {
	if wanted == nil {
		if len(step.Places) > 0 {
			return Move{Place: 1}
		}
		return Move{Choice: spoken.ChoosePerson}
	}
	for i, p := range step.Places {
		if p.Address.Address == wanted.Address {
			return Move{Place: i + 1}
		}
	}
	return Move{Words: wanted.Address}
}

// either chooses the wanted place among several that the step lists.
func (r *Robot) either(step booking.Step) Move {
	for i, p := range step.Places {
		wanted := func(a taxi.Address) bool { return a.Address == p.Address.Address }
		if r.task.Pickup != nil && wanted(*r.task.Pickup) || slices.ContainsFunc(r.task.Dropoffs, wanted) {
			return Move{Place: i + 1}
		}
	}
	return Move{Place: 1}
}

// dropoff names the destination.
func (r *Robot) dropoff(step booking.Step) Move {
	if n := len(r.task.Dropoffs); n > 0 {
		return r.place(step, &r.task.Dropoffs[n-1])
	}
	return Move{Choice: spoken.ChooseTellDriver}
}

// offers returns the wishes that the choices of a step can fulfil.
func offers(step booking.Step) []Want {
	has := func(choices ...spoken.Choice) bool {
		return slices.ContainsFunc(choices, func(c spoken.Choice) bool { return slices.Contains(step.Offered, c) })
	}
	list := []Want{}
	for _, w := range []struct {
		want Want
		is   bool
	}{
		{WantBook, has(spoken.ChooseBook, spoken.ChooseOther, spoken.ChooseAnother) || step.State == booking.AskPickup},
		{WantEdit, has(spoken.ChooseChange)},
		{WantCancel, has(spoken.ChooseCancel)},
		{WantStatus, step.Journey != nil || step.State == booking.SomeBooked},
		{WantComingNow, has(spoken.ChooseComingNow)},
		{WantCallDriver, has(spoken.ChooseCallDriver)},
	} {
		if w.is {
			list = append(list, w.want)
		}
	}
	return list
}

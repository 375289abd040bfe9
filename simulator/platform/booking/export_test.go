package booking

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Follow has f told of every move of every conversation.
func (d *Desk) Follow(f func(from, to State)) { d.moved = f }

// BeginWithin sets how long the first step may take.
func (d *Desk) BeginWithin(limit time.Duration) { d.begin = limit }

// Leads reports whether the table says that one state may follow another.
func Leads(from, to State) bool {
	r := conversation[from]
	next := append(append([]State{from}, r.leads...), r.passes...)
	if r.then == "" {
		next = append(append(next, Person), inWords...)
	}
	for _, w := range r.ways {
		next = append(next, w.next...)
	}
	if from == Start {
		next = []State{Down, Barred, Disabled, Welcome, Known, OneBooked, SomeBooked}
	}
	return slices.Contains(next, to)
}

// States lists the states of the table.
func States() []State { return order }

// JobID is the id of a journey as a customer with a number hears it.
func JobID(number taxi.E164, id taxi.JourneyID) taxi.JourneyID {
	return (&Visit{Customer: Customer{Number: number}}).jobID(id)
}

// Document spells a step in verbs.
func (s *Session) Document(step Step) voice.Document { return s.document(step) }

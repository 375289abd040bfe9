// Package grammar understands what a caller pressed or said, or what somebody
// wrote in a chat: a choice of the menu, a place, a time, a name or a house
// number.
//
// [Understand] never guesses. Two places that fit equally well are both returned,
// a time that can be read in two ways says that it must be asked back, and words
// that were heard with little confidence mean nothing. Keys always work.
package grammar

import (
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Input is what came from a caller. Keys win over speech.
type Input struct {
	Digits     string
	Speech     string  // or what was written
	Confidence float64 // of Speech, 0 to 1; 1 for what was written
}

// Want is what was asked for, besides a choice of the menu. It is a set.
type Want uint

// What may be asked for.
const (
	WantPlace  Want = 1 << iota // one of [Context.Places]
	WantTime                    // now, a time of day, four digits
	WantName                    // of a person: any words
	WantNumber                  // a house number
)

// Context is what the caller was asked, and what they may know.
type Context struct {
	Language string                   // BCP 47; English is understood in any case
	Menu     map[spoken.Choice]string // the choices that are open and their keys; "": in words only
	Want     Want
	Places   []Place     // that may be named; the first [Listed] have the keys 1, 2, 3 …
	Listed   int         // how many of the places were read out
	Entries  []time.Time // of a list that was read out, with the keys 1, 2, 3 …: when each is; zero: unknown
	Now      time.Time   // in the customer's zone
}

// Place is somewhere that the caller may name.
type Place struct {
	Name    string   // "Otterbridge Station", "14 Mill Lane"
	Aliases []string // "home", "the station"
	Street  bool     // a house number may come with it
}

// Kind says what a [Meaning] is.
type Kind int

// The kinds of meaning.
const (
	Nothing  Kind = iota // neither a key nor a word
	NoMatch              // keys or words that mean nothing here
	Chosen               // a choice: of the menu, or one that may be asked for at any time
	Placed               // a place
	Timed                // a time
	Named                // a person's name
	Numbered             // a house number
	Repeat               // say it again
	Picked               // an entry of the list that was read out
)

// Meaning is what a caller meant.
type Meaning struct {
	Kind   Kind
	Choice spoken.Choice // with Chosen
	Place  Spot          // with Placed
	When   Moment        // with Timed; with Chosen and Placed where it was said in the same breath
	From   Spot          // said in the same breath as a choice or a place: "a taxi from …"
	To     Spot          // "… to …"
	Text   string        // with Named and Numbered
	Entry  int           // with Picked: of [Context.Entries]
}

// Spot is a place that was named.
type Spot struct {
	Index []int  // of [Context.Places]: one that is meant, several that fit equally well, or none that is known
	House string // the number of the house, with a street
	Text  string // the words; empty when no place was named
}

// Moment is a time that was named. The zero value is none.
type Moment struct {
	At  time.Time // zero with Now
	Now bool      // as soon as possible
	Ask bool      // it can be read in two ways, or was moved to the next day: ask back
}

// IsZero reports whether no time was named.
func (m Moment) IsZero() bool { return !m.Now && m.At.IsZero() }

// LeastConfidence is what speech must be heard with to mean anything.
const LeastConfidence = 0.4

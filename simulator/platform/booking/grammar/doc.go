// Package grammar understands what a caller pressed or said, or what somebody
// wrote in a chat.
//
// [Hear] reads an utterance in one pipeline: tokens; the places, numbers of people,
// times and names in them; what the other words do (agree, refuse, correct, ask,
// wish); and at last, from left to right, what all of it says of a trip. A later
// word wins over an earlier one that it corrects. What is left over is reported as
// [Utterance.Rest], so that nobody acts on half of a sentence unawares.
//
// [Press] understands keys, which always work.
package grammar

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Asked is what the caller was asked for, so that a bare answer is understood.
type Asked string

// What may be asked for.
const (
	AskedNothing Asked = ""
	AskedPickup  Asked = "pickup"
	AskedDropoff Asked = "dropoff"
	AskedTime    Asked = "time"
	AskedName    Asked = "name"
	AskedPeople  Asked = "people"
)

// Context is where an utterance is heard.
type Context struct {
	Language  string // BCP 47, of the conversation; the other languages are understood as well
	Asked     Asked
	Gazetteer *Gazetteer // nil: no place is known
	Now       time.Time  // in the customer's zone

	// Is, People and Houses are of the trip that was read back: a number that says no more
	// is understood. Zero: none was.
	Is     time.Time
	People int
	Houses []int
}

// Utterance is what an utterance says.
type Utterance struct {
	Language string // that it was understood in: "en" or "de"

	Pickup, Dropoff Spot
	Bare            []Spot // places whose role was not said
	Refused         []Spot // "not the station"
	Stops           []Spot
	Usual           bool // from the usual place
	AsUsual         bool // as usual, whatever that is
	Swapped         bool // the other way round than the trip is
	Turned          bool // "the other way round" was said
	When            When
	Times           []When // the parts of When, each as it was said
	People          int
	Name            string
	Category        string

	Acts      []Act
	Questions []Question
	Ordinal   int  // "the second": of a list that was read out; 0: none
	Number    int  // a number with nothing else of weight: of a list, or of a house
	Hurry     bool // a weak "now", which only says that somebody is in a hurry

	Agrees   bool     // a word of agreement was said
	Doubts   bool     // a negation, a correction or a doubt was
	Simply   bool     // nothing was said beside agreement and wishes: "yes, change it"
	Contrast bool     // nothing but "X, not Y" of places was doubted
	Rest     []string // words that mean nothing here
	Small    bool     // nothing but politeness, hesitation or nothing at all
}

// Spot is a place that was named.
type Spot struct {
	Index []int  // of the gazetteer's places, the likeliest first; several: equally likely; none: it is not known
	House string // the number of the house, with a street
	Text  string // the words; "": no place was named
}

// Named reports whether a place was named.
func (s Spot) Named() bool { return s.Text != "" }

// Known reports whether a place was named that is known.
func (s Spot) Known() bool { return len(s.Index) > 0 }

// Act is something that a caller wants to be done.
type Act string

// What callers want.
const (
	ActBook       Act = "book"
	ActAnother    Act = "another"
	ActCancel     Act = "cancel"
	ActKeep       Act = "keep"
	ActChange     Act = "change"
	ActPerson     Act = "person"
	ActNo         Act = "no"
	ActComingNow  Act = "comingNow"
	ActCallDriver Act = "callDriver"
	ActRepeat     Act = "repeat"
	ActWait       Act = "wait"
	ActBye        Act = "bye"
	ActNothing    Act = "nothing" // they want no taxi, or wanted only to know something
	ActTellDriver Act = "tellDriver"
	ActSkip       Act = "skip"
	ActLater      Act = "later"
	ActPickup     Act = "pickup" // the word alone: "the pickup"
	ActDropoff    Act = "dropoff"
	ActTime       Act = "time"
	ActOther      Act = "other"  // the other one
	ActStatus     Act = "status" // all that is known of the booking
	ActHelp       Act = "help"   // a person, if nothing else is wanted
	ActAsIs       Act = "asIs"   // nothing is to be changed, which agrees
)

// Question is something that a caller asks.
type Question string

// What callers ask.
const (
	AsksFare    Question = "fare"
	AsksETA     Question = "eta"
	AsksWhere   Question = "where"
	AsksCar     Question = "car"
	AsksDriver  Question = "driver"
	AsksTime    Question = "time"
	AsksBooking Question = "booking"
	AsksJob     Question = "job"
	AsksOther   Question = "other" // something that nobody here knows
)

// Has reports whether something is wanted.
func (u Utterance) Has(a Act) bool {
	return slices.Contains(u.Acts, a)
}

// Fields reports whether the utterance says anything of a trip.
func (u Utterance) Fields() bool {
	return u.Places() || !u.When.IsZero() || u.People > 0 || u.Name != "" || u.Category != ""
}

// Places reports whether the utterance says where from or where to.
func (u Utterance) Places() bool {
	return u.Pickup.Named() || u.Dropoff.Named() || len(u.Bare) > 0 || len(u.Stops) > 0 || u.Usual || u.Swapped
}

// Want is what was asked for, besides a choice of the menu. It is a set.
type Want uint

// What keys may answer.
const (
	WantPlace  Want = 1 << iota // an entry of the list that was read out
	WantTime                    // four digits
	WantNumber                  // a house number
)

// Pad is what may be pressed.
type Pad struct {
	Menu    map[spoken.Choice]string // the choices that are open and their keys
	Want    Want
	Listed  int // how many places were read out, with the keys 1, 2, 3 …
	Entries int // how many entries of another list were
	Now     time.Time
}

// Kind says what a [Meaning] is.
type Kind int

// The kinds of meaning.
const (
	Nothing  Kind = iota // no key
	NoMatch              // keys that mean nothing here
	Chosen               // a choice of the menu
	Listed               // an entry of a list that was read out
	Timed                // a time
	Numbered             // a house number
	Repeat               // say it again
)

// Meaning is what keys mean.
type Meaning struct {
	Kind   Kind
	Choice spoken.Choice // with Chosen
	Entry  int           // with Listed, from 0
	When   Moment        // with Timed
	Text   string        // with Numbered
}

// Moment is a time that was keyed.
type Moment struct {
	At  time.Time
	Ask bool // it was moved to the next day: ask back
}

// LeastConfidence is what speech must be heard with to mean anything.
const LeastConfidence = 0.4

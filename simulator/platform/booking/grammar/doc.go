// Package grammar interprets speech and chat messages of a caller.
//
// [Hear] parses an utterance in one pipeline: tokens; the places, numbers of people,
// times and names in them; the function of the other words (agree, refuse, correct, ask,
// wish); and finally, from left to right, what all of them mean for a trip. A later word
// takes precedence over an earlier one that it corrects. A time of a story, and ends of
// which nothing says plainly which is which, are left to be asked for. Words that were not
// understood are in [Utterance.Rest].
package grammar

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/times"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Asked is the last question to the caller, for understanding an answer without further
// words.
type Asked string

// The questions.
const (
	AskedNothing Asked = ""
	AskedPickup  Asked = "pickup"
	AskedDropoff Asked = "dropoff"
	AskedTime    Asked = "time"
	AskedName    Asked = "name"
	AskedPeople  Asked = "people"
	AskedHouse   Asked = "house"
)

// Context is the context of an utterance.
type Context struct {
	Language  string // BCP 47, of the conversation; other languages are understood, too
	Asked     Asked
	Ends      bool       // where the trip ends is known
	Gazetteer *Gazetteer // nil: no known places
	Now       time.Time  // in the customer's zone

	// ReadBack says that a trip was read back. Is, People and Houses are those of the trip that was read back: a number that only
	// repeats them is understood. Zero: there was none.
	ReadBack bool
	Is       time.Time
	People   int
	Houses   []int
}

// When is what was said of a time.
type When = times.When

// What may be wrong with a time.
const (
	TimeMissing = times.TimeMissing
	TimePast    = times.TimePast
	TimeFar     = times.TimeFar
	TimeDay     = times.TimeDay
)

// Utterance is the meaning of an utterance.
type Utterance struct {
	Language string // the language in which it was understood: "en" or "de"

	Pickup, Dropoff Spot
	Bare            []Spot // places without a role
	Refused         []Spot // "not the station"
	Stops           []Spot
	Guessed         bool // nothing says plainly which of the two ends is the pickup
	Usual           bool // from the usual place
	AsUsual         bool // as usual, without details
	Swapped         bool // the trip must be reversed
	Turned          bool // "the other way round" was said
	When            times.When
	Times           []When // the parts of When, as they were said
	Arrival         When   // when the caller has to be somewhere, or something begins, where no pickup was said
	Back            bool   // a way back, or another journey, was told
	OnlyOne         bool   // one journey is wanted, of several
	Unsure          bool   // a time was said that was understood only in part
	People          int
	Company         bool // others come along, and how many there are is not certain
	Name            string
	Category        string
	Needs           []spoken.Need // what comes along
	Several         bool          // more than one taxi was told: two cars, every Monday
	Odd             bool          // among words that agree stands a thing that has to do with nothing

	Acts      []Act
	Questions []Question
	Ordinal   int    // "the second" of a list that was read out; 0: none
	Only      int    // a number that corrects what was read back, with nothing else of weight
	House     string // the number of a house, without other information
	Number    int    // a number without other information: of a list, or of a house
	Hurry     bool   // a weak "now", which only means that the caller is in a hurry

	Agrees   bool     // it contains a word of agreement
	Disputes bool     // it is no plain yes, and has a number that was not read back
	Doubts   bool     // it contains a negation, a correction or a doubt
	Hedged   bool     // with a but, an if or a perhaps
	Simply   bool     // it contains only agreement and wishes: "yes, change it"
	Contrast bool     // the only doubt is "X, not Y" about places
	Rest     []string // words that were not understood
	Small    bool     // it contains only politeness or hesitation, or nothing
}

// Spot is a place that was named.
type Spot struct {
	Index  []int  // indices of the gazetteer's places, the likeliest first; several are equally likely; empty: unknown
	House  string // the number of the house, with a street
	Text   string // the words; "": no place
	Maybe  []int  // with an unknown place: what it may be
	Weak   bool   // it was only said to be at a place, which may be either end
	Street bool   // a street whose number was not said

	numbered bool // the number of a house was said
}

// Named reports whether a place was named.
func (s Spot) Named() bool { return s.Text != "" }

// Known reports whether a place was named that is known.
func (s Spot) Known() bool { return len(s.Index) > 0 }

// Act is a wish of a caller.
type Act string

// The wishes.
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
	ActUnwanted   Act = "unwanted" // the taxi that is booked is not wanted
	ActBye        Act = "bye"
	ActNothing    Act = "nothing" // no taxi, or only information
	ActTellDriver Act = "tellDriver"
	ActSkip       Act = "skip"
	ActLater      Act = "later"
	ActPickup     Act = "pickup" // only the word: "the pickup"
	ActDropoff    Act = "dropoff"
	ActTime       Act = "time"
	ActOther      Act = "other"   // the other one
	ActStatus     Act = "status"  // everything about the booking
	ActTrouble    Act = "trouble" // a person, unless a trip is told
	ActHelp       Act = "help"    // a person, unless there is another wish
	ActAsIs       Act = "asIs"    // no change, which counts as agreement
)

// Question is a question of a caller.
type Question string

// The questions.
const (
	AsksFare    Question = "fare"
	AsksETA     Question = "eta"
	AsksWhere   Question = "where"
	AsksCar     Question = "car"
	AsksDriver  Question = "driver"
	AsksTime    Question = "time"
	AsksBooking Question = "booking"
	AsksJob     Question = "job"
	AsksOther   Question = "other" // a question that cannot be answered
)

// Has reports whether the utterance contains a wish.
func (u Utterance) Has(a Act) bool {
	return slices.Contains(u.Acts, a)
}

// Fields reports whether the utterance contains information about a trip.
func (u Utterance) Fields() bool {
	return u.Places() || !u.When.IsZero() || !u.Arrival.IsZero() || u.Unsure || u.People > 0 || u.Company || u.Name != "" || u.Category != "" || len(u.Needs) > 0
}

// Places reports whether the utterance contains a pickup or a drop-off.
func (u Utterance) Places() bool {
	return u.Pickup.Named() || u.Dropoff.Named() || len(u.Bare) > 0 || len(u.Stops) > 0 || u.Usual || u.Swapped
}

// LeastConfidence is the minimum confidence of speech that is interpreted.
const LeastConfidence = 0.4

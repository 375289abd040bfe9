package booking

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// yesWord stands for an agreement in the question "Did you say …?".
const yesWord = "yes"

var (
	// agreement are the words of which an agreement that is spoken consists.
	agreement = lex.Set(`yes yeah yep yup yea ya aye yah ok okay sure correct right thats that is its it all exactly absolutely definitely
		certainly indeed perfect perfectly great good fine lovely brilliant super excellent wonderful grand spot on please do thanks thank you
		very much cheers ta go ahead book of course sounds the one with by me alright nice
		i id would like love`)

	// assent are those of which the witness has heard one. "Good" is not among them: good heavens.
	assent = lex.Set("yes yeah yep yup ok okay aye correct right fine lovely perfect great spot ahead sure course absolutely please")

	// changing are words without which what is said at a read-back changes nothing.
	changing = lex.Set("no not nope to from make at actually change instead")
)

// sureInNoise is the minimum confidence of words in loud noise that the second recogniser, the witness, has not heard
// in the same way.
const sureInNoise = 0.8

// The minimum confidence, and the minimum share of readings with the same meaning, for a trip that gets a short
// read-back.
const sureTrip, sharedTrip = 0.7, 0.5

// judge returns the words that count as the spoken answer to a yes-or-no question; "" if it was not understood. ask
// means that the caller is asked whether they said these words. A yes counts at once only if all words express
// agreement and the witness has heard such a word, too. At a read-back, the answer may also contain parts of the trip.
func judge(in Input, u grammar.Utterance, readBack, fits bool) (words string, ask bool) {
	all, witness := agrees(in.Words), assents(in.Sound.Witness)
	moves := slices.ContainsFunc(lex.Tokens(in.Words), func(w string) bool { return changing[w] })
	changes := readBack && !fits && (u.Fields() || len(u.Refused) > 0)
	means := u.Fields() || len(u.Acts) > 0 || len(u.Questions) > 0 || len(u.Refused) > 0 || u.Doubts
	switch {
	case all && witness:
		return yesWord, false
	case all, witness && !changes && !u.Has(grammar.ActNo) && (u.Agrees && !u.Doubts || !means || agrees(in.Sound.Witness)):
		return yesWord, true
	case u.Agrees && !u.Doubts && !changes:
		return "", false
	}
	leaves := u.Has(grammar.ActCancel) || u.Has(grammar.ActNothing) || u.Has(grammar.ActBye)
	return in.Words, readBack && leaves || changes && !moves
}

// same reports whether two texts consist of the same words in the same order.
func same(a, b string) bool { return slices.Equal(lex.Tokens(a), lex.Tokens(b)) }

// agrees reports whether all words express agreement.
func agrees(words string) bool {
	said := lex.Tokens(words)
	return len(said) > 0 && !slices.ContainsFunc(said, func(w string) bool { return !agreement[w] })
}

// assents reports whether at least one word is a clear yes.
func assents(words string) bool {
	return slices.ContainsFunc(lex.Tokens(words), func(w string) bool { return assent[w] })
}

// heardParts lists the parts of a trip that can be misheard.
var heardParts = []Question{AsksPickup, AsksDropoff, AsksTime, AsksPeople}

// parts returns the known parts of a trip as texts; the time only if timed.
func (t *Trip) parts(timed bool) map[Question]string {
	parts := map[Question]string{AsksPickup: t.Pickup.Address}
	for _, a := range t.Dropoffs {
		parts[AsksDropoff] += a.Address + "\n"
	}
	if timed {
		parts[AsksTime] = t.At.String()
	}
	if t.People > 0 {
		parts[AsksPeople] = strconv.Itoa(t.People)
	}
	return parts
}

// noteUnsure records which parts of the trip come from answers that may have been misheard.
func (e *ear) noteUnsure(before, now map[Question]string) {
	e.unsure = slices.DeleteFunc(slices.Clone(heardParts), func(q Question) bool {
		return now[q] == "" || now[q] != before[q] && !e.doubted || now[q] == before[q] && !slices.Contains(e.unsure, q)
	})
}

// whole returns the index of the likeliest reading with a known pickup and drop-off. It returns 0, the first reading,
// if there is none, or if the first names no place or has another wish than a trip.
func whole(readings []grammar.Utterance) int {
	travels := []grammar.Act{grammar.ActBook, grammar.ActAnother, grammar.ActPickup, grammar.ActDropoff}
	first := readings[0]
	if !first.Places() || slices.ContainsFunc(first.Acts, func(a grammar.Act) bool { return !slices.Contains(travels, a) }) {
		return 0
	}
	return max(0, slices.IndexFunc(readings, func(u grammar.Utterance) bool { return u.Pickup.Known() && u.Dropoff.Known() }))
}

// slips says which numbers of an answer may have been misheard and must be asked for: "at eight" for "a taxi".
type slips struct{ time, people, house bool }

// numerals are the words that numbers consist of.
var numerals = lex.Set(`one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
	twenty thirty forty fifty sixty seventy eighty ninety hundred half quarter`)

// sureNumber is the minimum sum of two shares for a number: that of the readings with the same number, and that of the
// spoken numerals which the witness has heard, too. Of TestSaid's 400 first sentences by telephone 368 are right and 15
// wrong without this rule, and 364 and 5 with it.
const sureNumber = 0.8

// misheardNumbersOf returns the numbers of the first reading that may have been misheard.
func misheardNumbersOf(readings []grammar.Utterance, in Input) slips {
	said := slices.DeleteFunc(lex.Tokens(in.Words), func(w string) bool { return !numerals[w] })
	witness, heard := lex.Tokens(in.Sound.Witness), 0.0
	if len(said) == 0 || len(witness) == 0 {
		return slips{}
	}
	for _, w := range said {
		if slices.Contains(witness, w) {
			heard += 1 / float64(len(said))
		}
	}
	unsure := func(number func(grammar.Utterance) any) bool {
		same := 0.0
		for _, u := range readings {
			if reflect.DeepEqual(number(u), number(readings[0])) {
				same += 1 / float64(len(readings))
			}
		}
		return same+heard < sureNumber
	}
	return slips{
		time:   unsure(func(u grammar.Utterance) any { return u.When }),
		people: unsure(func(u grammar.Utterance) any { return u.People }),
		house:  unsure(func(u grammar.Utterance) any { return u.Pickup.House + " " + u.Dropoff.House }),
	}
}

// without returns an utterance without the numbers that may have been misheard.
func (s slips) without(u grammar.Utterance) grammar.Utterance {
	if s.time && !u.When.IsZero() && !u.When.Now {
		u.When, u.Times, u.Unsure = grammar.When{}, nil, true
	}
	if s.people && u.People > 0 {
		u.People, u.Company = 0, true
	}
	if s.house {
		u.Pickup, u.Dropoff = numberless(u.Pickup), numberless(u.Dropoff)
	}
	return u
}

// numberless returns a place without its house number.
func numberless(at grammar.Spot) grammar.Spot {
	if at.House != "" {
		at.House, at.Street = "", true
	}
	return at
}

// shared returns the share of readings that describe the same trip as the first, from 0 to 1.
func shared(readings []grammar.Utterance) float64 {
	same := 0
	for _, other := range readings {
		if reflect.DeepEqual(bare(readings[0]), bare(other)) {
			same++
		}
	}
	return float64(same) / float64(len(readings))
}

// bare returns only the places, time and people of an utterance, for comparison.
func bare(u grammar.Utterance) grammar.Utterance {
	spot := func(at grammar.Spot) grammar.Spot { return grammar.Spot{Index: at.Index, House: at.House} }
	return grammar.Utterance{Pickup: spot(u.Pickup), Dropoff: spot(u.Dropoff), When: u.When, People: u.People}
}

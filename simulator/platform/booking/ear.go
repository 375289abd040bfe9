package booking

import (
	"reflect"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// yesWord is what an agreement that is asked about is called.
const yesWord = "yes"

var (
	// agreement are the words of which an agreement that is spoken consists.
	agreement = lex.Set(`yes yeah yep yup yea ya aye yah ok okay sure correct right thats that is its it all exactly absolutely definitely
		certainly indeed perfect perfectly great good fine lovely brilliant super excellent wonderful grand spot on please do thanks thank you
		very much cheers ta go ahead book of course sounds the one with by me alright nice`)

	// assent are those of which the witness has heard one. "Good" is not among them: good heavens.
	assent = lex.Set("yes yeah yep yup ok okay aye correct right fine lovely perfect great spot ahead sure course absolutely please")

	// changing are words without which what is said at a read-back changes nothing.
	changing = lex.Set("no not nope to from make at actually change instead")
)

// sureInNoise is the least confidence of words that are believed where there is much noise.
const sureInNoise = 0.8

// The least confidence, and the least share of different readings with the same meaning, for a trip that is read back shortly.
const sureTrip, sharedTrip = 0.7, 0.5

// judge returns what counts of a spoken answer to a question with yes or no, and whether it is asked about; "": it was
// not understood. A yes is believed only if all words are of agreement and the witness has heard one, too. A read-back may be
// answered by words that fit the trip.
func judge(in Input, u grammar.Utterance, readBack, fits bool) (words string, ask bool) {
	all, witness := agrees(in.Words), assents(in.Sound.Witness)
	moves := slices.ContainsFunc(strings.Fields(in.Words), func(w string) bool { return changing[w] })
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

// agrees reports whether each word is one of agreement.
func agrees(words string) bool {
	return words != "" && !slices.ContainsFunc(strings.Fields(strings.ReplaceAll(words, "'", "")), func(w string) bool { return !agreement[w] })
}

// assents reports whether words have one of agreement.
func assents(words string) bool {
	return slices.ContainsFunc(strings.Fields(words), func(w string) bool { return assent[w] })
}

// shared returns the share of readings that mean the same as the first.
func shared(readings []grammar.Utterance) float64 {
	same := 0
	for _, other := range readings {
		if reflect.DeepEqual(bare(readings[0]), bare(other)) {
			same++
		}
	}
	return float64(same) / float64(len(readings))
}

// bare returns what an utterance says of a trip.
func bare(u grammar.Utterance) grammar.Utterance {
	spot := func(at grammar.Spot) grammar.Spot { return grammar.Spot{Index: at.Index, House: at.House} }
	return grammar.Utterance{Pickup: spot(u.Pickup), Dropoff: spot(u.Dropoff), When: u.When, People: u.People}
}

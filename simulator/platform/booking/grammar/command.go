package grammar

import (
	"slices"

	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// anyTime are the choices that may be asked for although no menu offers them.
var anyTime = []spoken.Choice{
	spoken.ChoosePerson, spoken.ChooseCancel, spoken.ChooseStatus, spoken.ChooseBook, spoken.ChooseAnother,
	spoken.ChooseChange, spoken.ChooseComingNow, spoken.ChooseCallDriver, spoken.ChooseYes, spoken.ChooseNo,
}

// command is a choice that was heard.
type command struct {
	choice  spoken.Choice
	length  int  // words of its phrase; 0 for a word that only speaks of taxis
	offered bool // by the menu
	whole   bool // nothing else of weight was said
}

// better reports whether c is the more likely wish.
func (c command) better(d command) bool {
	if c.offered != d.offered && (c.length > 0) == (d.length > 0) {
		return c.offered
	}
	return c.length > d.length
}

// command finds the choice that was asked for. Two that are asked for alike are
// none.
func (c Context) command(w *words, said []string) (command, bool) {
	heard := c.commands(w, said)
	if len(heard) == 0 {
		return command{}, false
	}
	slices.SortFunc(heard, func(a, b command) int {
		switch {
		case a.better(b):
			return -1
		case b.better(a):
			return 1
		}
		return slices.Index(spoken.Choices(), a.choice) - slices.Index(spoken.Choices(), b.choice)
	})
	best := heard[0]
	for _, other := range heard[1:] {
		if contradict(best, other) {
			return command{}, false
		}
	}
	if has(heard, spoken.ChooseNo) && best.choice == spoken.ChooseYes {
		return command{}, false
	}
	return best, true
}

// contradict reports whether two choices cannot be meant at once. Yes and no go
// with another choice, but a yes must not confirm what somebody wants to be rid of.
func contradict(best, other command) bool {
	answer := func(c spoken.Choice) bool { return c == spoken.ChooseYes || c == spoken.ChooseNo }
	switch {
	case other.length == 0:
		return false
	case answer(best.choice):
		return true
	case answer(other.choice):
		return false
	}
	return !best.better(other)
}

func has(heard []command, choice spoken.Choice) bool {
	return slices.ContainsFunc(heard, func(c command) bool { return c.choice == choice })
}

// commands lists the choices that were asked for, each once.
func (c Context) commands(w *words, said []string) []command {
	var heard []command
	for _, choice := range spoken.Choices() {
		_, offered := c.Menu[choice]
		if !offered && !slices.Contains(anyTime, choice) {
			continue
		}
		from, length := -1, 0
		for _, p := range w.choices[choice] {
			if i := contains(said, p); i >= 0 && len(p) > length {
				from, length = i, len(p)
			}
		}
		if from >= 0 && !turnedRound(w, said[:from]) {
			heard = append(heard, command{choice, length, offered, w.only(said, from, length)})
		}
	}
	if len(heard) == 0 && slices.ContainsFunc(said, func(word string) bool { return w.generic[word] }) && !turnedRound(w, said) {
		heard = append(heard, c.generic(w, said))
	}
	return heard
}

// generic is what somebody wants who only says taxi.
func (c Context) generic(w *words, said []string) command {
	got := command{choice: spoken.ChooseBook, whole: w.only(said, 0, 0)}
	for _, choice := range []spoken.Choice{spoken.ChooseBook, spoken.ChooseAnother, spoken.ChooseOther} {
		if _, ok := c.Menu[choice]; ok {
			got.choice, got.offered = choice, true
			break
		}
	}
	return got
}

// turnedRound reports whether words in front of a wish turn it round: "do not
// cancel".
func turnedRound(w *words, before []string) bool {
	return slices.ContainsFunc(before, func(word string) bool { return w.not[word] })
}

// only reports whether nothing of weight was said outside of a part.
func (w *words) only(said []string, from, length int) bool {
	for _, word := range without(said, from, from+length) {
		if word != "" && !w.fillers[word] && !w.generic[word] {
			return false
		}
	}
	return true
}

// anyPhrase reports whether one of some phrases is all that was said.
func (w *words) anyPhrase(said []string, phrases [][]string) bool {
	return slices.ContainsFunc(phrases, func(p []string) bool {
		i := contains(said, p)
		return i >= 0 && w.only(said, i, len(p))
	})
}

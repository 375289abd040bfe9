package grammar

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

const longestName = 60

// words understands what was said, in the customer's language first.
func (c Context) words(text string) Meaning {
	said := tokens(text)
	for _, w := range listen(c.Language) {
		if m := c.listen(w, said); m.Kind != NoMatch {
			return m
		}
	}
	if c.Want&WantName != 0 {
		return c.name(text, said)
	}
	return Meaning{Kind: NoMatch}
}

// listen understands words of one language.
func (c Context) listen(w *words, said []string) Meaning {
	if w.anyPhrase(said, w.repeat) {
		return Meaning{Kind: Repeat}
	}
	wish, asked := c.command(w, said)
	if m, ok := c.picked(w, said, wish, asked); ok {
		return m
	}
	if asked && wish.whole && c.obeys(wish) {
		return chosen(wish.choice)
	}
	if !asked && c.deny(w, said) {
		return chosen(spoken.ChooseNo)
	}
	for _, try := range []func(*words, []string) (Meaning, bool){c.timed, c.placed, c.numbered} {
		if m, ok := try(w, said); ok {
			return m
		}
	}
	if c.Want&WantName != 0 {
		return Meaning{Kind: NoMatch} // it is a name
	}
	if m, ok := c.journey(w, said, wish, asked); ok {
		return m
	}
	if asked && (wish.offered || wish.length > 1 || wish.whole) {
		return chosen(wish.choice)
	}
	return Meaning{Kind: NoMatch}
}

// obeys reports whether a wish by itself is understood as one: now is a time where
// a time is wanted, and a taxi rank may be a place.
func (c Context) obeys(wish command) bool {
	switch wish.choice {
	case spoken.ChooseNow, spoken.ChooseToday, spoken.ChooseTomorrow, spoken.ChooseTime:
		return c.Want&WantTime == 0
	}
	return wish.length > 0 || c.Want == 0
}

// deny reports whether somebody wants that nothing is done, where they may say no:
// "do not cancel it".
func (c Context) deny(w *words, said []string) bool {
	_, asked := c.Menu[spoken.ChooseNo]
	return asked && slices.ContainsFunc(said, func(word string) bool { return w.not[word] })
}

// timed understands a time where one is wanted.
func (c Context) timed(w *words, said []string) (Meaning, bool) {
	if c.Want&WantTime == 0 {
		return Meaning{}, false
	}
	t, _ := c.timing(w, said, true)
	switch {
	case !t.moment.IsZero():
		return Meaning{Kind: Timed, When: t.moment}, true
	case t.day && t.days == 0:
		return chosen(spoken.ChooseToday), true
	case t.day && t.days == 1:
		return chosen(spoken.ChooseTomorrow), true
	}
	return Meaning{}, false
}

// placed understands a place where one is wanted.
func (c Context) placed(w *words, said []string) (Meaning, bool) {
	if c.Want&WantPlace == 0 {
		return Meaning{}, false
	}
	t, rest := c.timing(w, said, false)
	if from, to := c.ends(w, rest); len(from.Index) > 0 { // more than was asked
		return Meaning{Kind: Placed, Place: from, From: from, To: to, When: t.moment}, true
	}
	spot := c.spot(w, said)
	return Meaning{Kind: Placed, Place: spot}, len(spot.Index) > 0
}

// numbered understands a house number where one is wanted.
func (c Context) numbered(w *words, said []string) (Meaning, bool) {
	if c.Want&WantNumber == 0 {
		return Meaning{}, false
	}
	house, rest := w.house(w.trim(said))
	return Meaning{Kind: Numbered, Text: house}, house != "" && len(rest) == 0
}

// name understands a person's name. It is kept as it was said.
func (c Context) name(text string, said []string) Meaning {
	for _, w := range listen(c.Language) {
		for _, lead := range w.names {
			if !hasPrefix(said, lead) {
				continue
			}
			if parts := strings.Fields(text); len(parts) > len(lead) || len(lead) == 1 && len(parts) > 1 {
				text = strings.Join(parts[min(len(lead), len(parts)-1):], " ")
				return c.named(text)
			}
		}
	}
	return c.named(text)
}

func (c Context) named(text string) Meaning {
	name := strings.Trim(spoken.Plain(text, longestName), " .,;:!?")
	if name == "" || strings.ContainsAny(name, "0123456789") {
		return Meaning{Kind: NoMatch}
	}
	return Meaning{Kind: Named, Text: name}
}

// journey understands a whole wish in one breath: "a taxi from the station to
// Mill Lane at ten to four".
func (c Context) journey(w *words, said []string, wish command, asked bool) (Meaning, bool) {
	if asked && !slices.Contains([]spoken.Choice{spoken.ChooseBook, spoken.ChooseAnother, spoken.ChooseOther}, wish.choice) {
		return Meaning{}, false
	}
	t, rest := c.timing(w, said, false)
	from, to := c.ends(w, rest)
	if from.Text == "" && to.Text == "" && t.moment.IsZero() && !t.day || !asked && from.Text == "" && to.Text == "" {
		return Meaning{}, false
	}
	if !asked {
		wish = c.generic(w, said)
	}
	_, other := c.Menu[spoken.ChooseOther]
	if special := !t.moment.Now || from.Text != ""; special && other && wish.choice == spoken.ChooseBook {
		wish.choice = spoken.ChooseOther // not the taxi that the menu speaks of
	}
	m := chosen(wish.choice)
	m.From, m.To, m.When = from, to, t.moment
	return m, true
}

// ends are the places after "from" and "to".
func (c Context) ends(w *words, said []string) (from, to Spot) {
	var open *Spot
	var words []string
	finish := func() {
		if open != nil && open.Text == "" {
			*open = c.spot(w, words)
		}
		open, words = nil, nil
	}
	for _, word := range said {
		switch {
		case word == "":
			finish()
		case w.from[word]:
			finish()
			open = &from
		case w.to[word]:
			finish()
			open = &to
		default:
			words = append(words, word)
		}
	}
	finish()
	return from, to
}

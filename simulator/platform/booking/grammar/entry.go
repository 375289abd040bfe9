package grammar

import (
	"slices"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// picked understands which entry of a list is meant: by its time, by its place in
// the list, or by its number alone. A wish for something new means none of them.
func (c Context) picked(w *words, said []string, wish command, asked bool) (Meaning, bool) {
	about := []spoken.Choice{spoken.ChooseCancel, spoken.ChooseStatus, spoken.ChooseChange}
	if len(c.Entries) == 0 || asked && wish.length > 0 && !slices.Contains(about, wish.choice) {
		return Meaning{}, false
	}
	t, _ := c.timing(w, said, false)
	switch {
	case t.moment.Now:
		return Meaning{}, false
	case t.day:
		return c.entry(func(at time.Time) bool { return sameDay(at, c.Now.AddDate(0, 0, t.days)) })
	case !t.moment.IsZero():
		return c.entry(t.shows)
	}
	if n := w.ordinal(said); n > 0 {
		return Meaning{Kind: Picked, Entry: n - 1}, n <= len(c.Entries)
	}
	if asked {
		return Meaning{}, false
	}
	if n := w.alone(said); n > 0 && n <= len(c.Entries) {
		return Meaning{Kind: Picked, Entry: n - 1}, true
	}
	if t, _ = c.timing(w, said, true); !t.moment.IsZero() && !t.moment.Now {
		return c.entry(t.shows)
	}
	return Meaning{}, false
}

// entry is the one entry whose time is meant; several are none.
func (c Context) entry(meant func(time.Time) bool) (Meaning, bool) {
	found := -1
	for i, at := range c.Entries {
		switch {
		case at.IsZero() || !meant(at.In(c.Now.Location())):
		case found >= 0:
			return Meaning{}, false
		default:
			found = i
		}
	}
	return Meaning{Kind: Picked, Entry: max(found, 0)}, found >= 0
}

// shows reports whether a time is shown by the clock that was named: the clock of
// twelve hours where the half of the day was not said.
func (t timing) shows(at time.Time) bool {
	said := t.moment.At
	if at.Minute() != said.Minute() {
		return false
	}
	return at.Hour() == said.Hour() || !t.half && at.Hour()%12 == said.Hour()%12
}

func sameDay(a, b time.Time) bool { return a.Format(time.DateOnly) == b.Format(time.DateOnly) }

// ordinal is the one position that was named: "the second"; 0 for none or several.
func (w *words) ordinal(said []string) int {
	found := 0
	for _, word := range said {
		n, ok := w.clock.ordinals[word]
		if !ok {
			n, ok = w.clock.ordinals[word+"n"] // das zweite
		}
		switch {
		case !ok:
		case found > 0:
			return 0
		default:
			found = n
		}
	}
	return found
}

// alone is the one number that was said with nothing else of weight; 0 for none.
func (w *words) alone(said []string) int {
	found := 0
	r := clockReader{words: w, said: said}
	for i := 0; i < len(said); i++ {
		n, length := r.number(i)
		switch {
		case length > 0 && found > 0:
			return 0
		case length > 0:
			found, i = n, i+length-1
		case !w.fillers[said[i]] && !w.articles[said[i]]:
			return 0
		}
	}
	return found
}

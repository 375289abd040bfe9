package grammar

import (
	"slices"
	"strconv"
	"time"
)

// timing is what was said of a time.
type timing struct {
	moment Moment
	half   bool // of the day was said with the time
	day    bool // a day was named without a time; it is this many days ahead
	days   int
}

// timing finds a time in what was said, and returns the other words, with an
// empty one where a time was.
func (c Context) timing(w *words, said []string, loose bool) (timing, []string) {
	f := &timeFinder{Context: c, words: w, said: slices.Clone(said), days: -1}
	switch {
	case f.within(loose):
	case f.clockTime(loose):
	case f.days >= 0:
		return timing{day: true, days: f.days}, f.said
	default:
		if f.take(w.clock.now) {
			f.moment = Moment{Now: true}
		}
	}
	return timing{moment: f.moment, half: f.half}, f.said
}

// timeFinder takes times out of what was said.
type timeFinder struct {
	Context
	*words
	said   []string
	moment Moment
	days   int // from today; -1 when no day was named
	asked  bool
	half   bool // of the day was said
}

// take removes the longest of some phrases, if one was said.
func (f *timeFinder) take(phrases [][]string) bool {
	from, length := -1, 0
	for _, p := range phrases {
		if i := contains(f.said, p); i >= 0 && len(p) > length {
			from, length = i, len(p)
		}
	}
	if from >= 0 {
		f.clear(from, from+length)
	}
	return from >= 0
}

func (f *timeFinder) clear(from, to int) {
	for i := from; i < to; i++ {
		f.said[i] = ""
	}
}

// Bounds of a span of time.
const (
	longestSpan = 7 * 24 * 60 // minutes
)

// within reads "in ten minutes", and "ten minutes" where a time is expected.
func (f *timeFinder) within(loose bool) bool {
	for i, word := range f.said {
		start := i
		if f.clock.within[word] {
			i++
		} else if !loose {
			continue
		}
		minutes, n := f.span(i)
		after := clockReader{words: f.words, said: f.said}.word(i + n)
		if n == 0 || minutes > longestSpan || f.clock.past[after] || f.clock.before[after] {
			continue
		}
		f.clear(start, i+n)
		f.moment = Moment{At: f.Now.Add(time.Duration(minutes) * time.Minute).Round(time.Minute)}
		return true
	}
	return false
}

// span reads a span of time at a word, in minutes.
func (f *timeFinder) span(i int) (minutes, n int) {
	for m, phrases := range f.clock.spans {
		for _, p := range phrases {
			if i <= len(f.said) && hasPrefix(f.said[i:], p) && len(p) > n {
				minutes, n = m, len(p)
			}
		}
	}
	r := clockReader{words: f.words, said: f.said}
	count, length := r.number(i)
	if word := r.word(i); length == 0 && len(word) == 3 { // 120 minutes
		if v, err := strconv.Atoi(word); err == nil && v >= 0 {
			count, length = v, 1
		}
	}
	unit := r.word(i + length)
	switch {
	case n > length || length == 0:
		return minutes, n
	case f.clock.minute[unit]:
		return count, length + 1
	case f.clock.hour[unit]:
		return count * 60, length + 1
	}
	return minutes, n
}

// clockTime reads a time of day, with its day and part of the day. Two different
// times are none.
func (f *timeFinder) clockTime(loose bool) bool {
	dated := f.dated()
	got, found := f.hour(loose)
	p := f.part()
	if !dated {
		f.day()
	}
	if !found {
		return false
	}
	if got.part == anytime {
		got.part = p
	}
	f.half = got.exact || got.part != anytime
	f.moment = f.resolve(got)
	return true
}

// hour takes the time of day out.
func (f *timeFinder) hour(loose bool) (reading, bool) {
	switch {
	case f.take(f.clock.noon):
		return reading{hour: 12, exact: true}, true
	case f.take(f.clock.midnight):
		f.asked = true
		return reading{hour: 24, exact: true}, true
	}
	r := clockReader{f.words, f.said, loose}
	var found reading
	from, times := 0, 0
	for i := 0; i < len(f.said); i++ {
		got, ok := r.read(i)
		if !ok {
			if _, n := r.number(i); n > 0 {
				i += n - 1
			}
			continue
		}
		found, from, times = got, i, times+1
		i = got.to - 1
	}
	if times != 1 {
		return reading{}, false
	}
	f.clear(from, found.to)
	return found, true
}

// part takes the part of the day out.
func (f *timeFinder) part() part {
	for _, p := range []part{afternoon, evening, night, morning} {
		for _, phrase := range f.clock.parts[p] {
			i := contains(f.said, phrase)
			if i < 0 {
				continue
			}
			if len(phrase) == 1 && f.isDay(i) { // morgen alone is a day
				continue
			}
			if !f.isDayPhrase(i) {
				f.clear(i, i+len(phrase))
			}
			for i--; i >= 0 && (f.said[i] == "in" || f.said[i] == "the" || f.said[i] == "at" || f.said[i] == "am"); i-- {
				f.said[i] = ""
			}
			return p
		}
	}
	return anytime
}

// isDay reports whether a word by itself names a day.
func (f *timeFinder) isDay(i int) bool {
	return slices.ContainsFunc(f.clock.days[1], func(p []string) bool { return len(p) == 1 && p[0] == f.said[i] })
}

// isDayPhrase reports whether the word is part of a day's name, such as tonight.
func (f *timeFinder) isDayPhrase(i int) bool {
	for _, phrases := range f.clock.days {
		for _, p := range phrases {
			if at := contains(f.said, p); at >= 0 && at <= i && i < at+len(p) {
				return true
			}
		}
	}
	return false
}

// day takes the day out.
func (f *timeFinder) day() {
	for _, days := range []int{2, 0, 1} {
		if f.take(f.clock.days[days]) {
			f.days = days
			return
		}
	}
	for i, word := range f.said {
		n := slices.Index(f.clock.weekdays, word)
		if n < 0 {
			continue
		}
		f.days = (n - int(f.Now.Weekday()) + 7) % 7
		if f.days == 0 {
			f.days, f.asked = 7, true
		}
		from := i
		if i > 0 && (f.clock.next[f.said[i-1]] || f.said[i-1] == "on" || f.said[i-1] == "am") {
			f.asked = f.asked || f.clock.next[f.said[i-1]]
			from--
		}
		f.clear(from, i+1)
		return
	}
}

// resolve makes a moment of a time of day.
func (f *timeFinder) resolve(r reading) Moment {
	m := f.moments(r)
	m.Ask = m.Ask || f.asked
	return m
}

func (f *timeFinder) moments(r reading) Moment {
	days := max(f.days, 0)
	switch {
	case r.exact:
		return f.at(days, r.hour, r.minute)
	case r.part == morning:
		return f.at(days, r.hour%12, r.minute)
	case r.part == night && r.hour%12 < 6: // one at night is tomorrow's
		return f.afterMidnight(days, r.hour%12, r.minute)
	case r.part == evening && r.hour == 12:
		return Moment{At: f.date(days+1, 0, r.minute), Ask: true}
	case r.part != anytime:
		return f.at(days, r.hour%12+12, r.minute)
	case f.days > 0:
		return Moment{At: f.date(days, likely(r.hour), r.minute), Ask: true}
	}
	return f.soonest(r)
}

// afterMidnight is a time of the night: of the night that runs already, or of the
// one that begins on the day that was named.
func (f *timeFinder) afterMidnight(days, hour, minute int) Moment {
	if tonight := f.date(0, hour, minute); f.days <= 0 && !tonight.Before(f.Now) {
		return Moment{At: tonight, Ask: true}
	}
	return Moment{At: f.date(days+1, hour, minute), Ask: true}
}

// likely is the hour that people mean on another day when they do not say which
// half of it.
func likely(hour int) int {
	if hour >= 7 {
		return hour
	}
	return hour%12 + 12
}

// soonest is the next time that a clock of twelve hours shows this.
func (f *timeFinder) soonest(r reading) Moment {
	for _, half := range []int{0, 12, 24, 36} {
		t := f.date(half/24, r.hour%12+half%24, r.minute)
		if !t.Before(f.Now.Truncate(time.Minute)) {
			return Moment{At: t, Ask: true}
		}
	}
	return Moment{}
}

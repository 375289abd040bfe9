package times

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// clockWords contains the words of one language for times.
type clockWords struct {
	now       lex.Phrases
	weak      lex.Phrases     // "now" as people also say it in passing
	urgent    lex.Phrases     // likewise of words for how quickly: "quick as you can"
	Hurries   map[string]bool // words that answer "when?" by themselves: "quickly"
	days      lex.Phrases     // by days from today
	dayParts  map[string]part // of those that name a part of the day as well
	gone      lex.Phrases     // yesterday, last week
	Weekdays  []string        // from Sunday on
	months    []string
	of        map[string]bool // in "the fourth of March", and its endings in figures
	Ordinals  map[string]int
	week      lex.Phrases // after a day: a week later
	nextWeek  lex.Phrases // beside a weekday
	afterNext lex.Phrases // likewise: the one after next
	parts     lex.Phrases
	Am, Pm    map[string]bool // right after a time
	noon      lex.Phrases
	midnight  lex.Phrases
	Past      map[string]bool // "ten past four"
	Before    map[string]bool // "ten to four"
	Half      []string        // "half past three", "half three": 3:30
	HalfTo    []string        // "halb vier": 3:30
	Quarter   []string
	quarterOf bool            // "viertel vier" is 3:15
	threeTo   []string        // "dreiviertel vier": 3:45
	HourWords map[string]bool // "four o'clock"
	At        map[string]bool // in front of a time
	about     map[string]bool // likewise, and between "at" and a time
	Within    map[string]bool // in front of a span of time
	Minute    map[string]bool
	hour      map[string]bool
	dayUnit   map[string]bool
	weekUnit  map[string]bool
	spans     lex.Phrases // by minutes: "half an hour"
	fractions lex.Phrases // by minutes, of hours: "an hour and a half"
	hence     lex.Phrases // after a span: "from now"
	later     lex.Phrases
	earlier   lex.Phrases
	sameTime  lex.Phrases     // "this time tomorrow"
	skip      map[string]bool // words in the middle of a time
	lead      map[string]bool // words in front of a day, which belong to it
}

// Each calls f with each word.
func (c *clockWords) Each(f func(string)) {
	lists := [][]string{c.Weekdays, c.months, c.Half, c.HalfTo, c.Quarter, c.threeTo}
	for _, phrases := range []lex.Phrases{
		c.now, c.weak, c.urgent, c.gone, c.week, c.noon, c.midnight, c.hence, c.later, c.earlier, c.sameTime, c.nextWeek, c.afterNext,
		c.days, c.parts, c.spans, c.fractions,
	} {
		lists = slices.AppendSeq(lists, phrases.All())
	}
	for _, w := range slices.Concat(lists...) {
		f(w)
	}
	for _, m := range []map[string]bool{c.Am, c.Pm, c.Past, c.Before, c.HourWords, c.At, c.about, c.Within, c.Minute, c.hour, c.dayUnit, c.weekUnit} {
		for w := range m {
			f(w)
		}
	}
	for w := range c.Ordinals {
		f(w)
	}
}

// part is a part of the day.
type part int

const (
	Anytime part = iota
	morning
	afternoon
	Evening
	Night
)

// reading is a parsed time of day.
type reading struct {
	hour, minute int
	exact        bool // on the clock of 24 hours
	formal       bool // as that clock is read: fünf Uhr dreißig
	part         part
	plain        bool // a number by itself, which may be something else
	To           int  // where it ends
}

// Reader parses times in an utterance; a word that has been used is empty.
type Reader struct {
	*Words
	Said   []string
	Tokens []lex.Token // of Said; nil: no pauses are known
}

// pausesAt reports whether a pause stands in front of a word.
func (r Reader) pausesAt(i int) bool { return i < len(r.Tokens) && r.Tokens[i].Pause }

func (r Reader) Word(i int) string {
	if i < 0 || i >= len(r.Said) {
		return ""
	}
	return r.Said[i]
}

// Phrase returns the number of words of the longest of some phrases that begins at a word; 0 if none does.
func (r Reader) Phrase(i int, phrases lex.Phrases) int {
	_, n := r.longest(i, phrases)
	return n
}

// longest returns the value and the number of words of the longest of some phrases at a word; 0: none.
func (r Reader) longest(i int, phrases lex.Phrases) (value, n int) {
	if i < 0 || i >= len(r.Said) {
		return 0, 0
	}
	return phrases.Longest(r.Said[i:])
}

// read parses a time of day at a word.
func (r Reader) read(i int) (reading, bool) {
	if n := r.Phrase(i, r.Clock.noon); n > 0 {
		return reading{hour: 12, exact: true, To: i + n}, true
	}
	if n := r.Phrase(i, r.Clock.midnight); n > 0 {
		return reading{hour: 24, exact: true, To: i + n}, true
	}
	for _, form := range []func(int) (reading, bool){r.figures, r.Fraction, r.hours} {
		got, ok := form(i)
		if !ok {
			continue
		}
		switch next := r.Word(got.To); {
		case r.Clock.Am[next]:
			got.part, got.To, got.plain = morning, got.To+1, false
		case r.Clock.Pm[next]:
			got.part, got.To, got.plain = afternoon, got.To+1, false
		case (next == "mittag" || next == "mittags") && (got.hour <= 3 || got.hour == 12): // halb zwei mittags
			got.part, got.To, got.plain = afternoon, got.To+1, false
		case r.Clock.HourWords[next]:
			got.To++
			got.plain = false
		case r.Word(i-1) == "at" && r.Clock.hour[next]: // at nineteen hours
			got.To, got.plain, got.exact = got.To+1, false, true
		}
		return got, true
	}
	return reading{}, false
}

// figures parses 15:30 and 1530.
func (r Reader) figures(i int) (reading, bool) {
	word := r.Word(i)
	h, m, ok := strings.Cut(word, ":")
	plain := false
	if !ok && len(word) == 4 {
		h, m, ok, plain = word[:2], word[2:], true, true
	}
	hour, err1 := strconv.Atoi(h)
	minute, err2 := strconv.Atoi(m)
	if !ok || err1 != nil || err2 != nil || hour > 23 || minute > 59 || hour < 0 || minute < 0 {
		return reading{}, false
	}
	return reading{hour: hour, minute: minute, exact: hour > 12 || h[0] == '0', plain: plain, To: i + 1}, true
}

// Fraction reads "ten to four", "quarter past three", "halb vier", "fünf vor halb vier".
func (r Reader) Fraction(i int) (reading, bool) {
	if got, ok := r.halves(i); ok {
		return got, true
	}
	word := r.Word(i)
	minutes, n := 15, 1
	if r.Clock.skip[word] && slices.Contains(r.Clock.Quarter, r.Word(i+1)) { // a quarter
		i++
	} else if !slices.Contains(r.Clock.Quarter, word) {
		if minutes, n = r.Number(i); n == 0 || minutes > 59 {
			return reading{}, false
		}
	}
	i += n
	if r.Clock.quarterOf && minutes == 15 && !r.Clock.Past[r.Word(i)] && !r.Clock.Before[r.Word(i)] && slices.Contains(r.Clock.Quarter, r.Word(i-1)) {
		return r.hourAfter(i, -45)
	}
	if r.Clock.skip[r.Word(i)] {
		i++
	}
	past, before := r.Clock.Past[r.Word(i)], r.Clock.Before[r.Word(i)]
	if before && (minutes > 30 || r.Word(i) == "till" && minutes%5 > 0 || r.pausesAt(i) || r.Word(i+2) == "hundred") {
		return reading{}, false // forty-five minutes, to fourteen Mill Lane; at eleven, to one hundred and thirty
	}
	if got, ok := r.hourless(i, minutes, past, before); ok {
		return got, true
	}
	switch {
	case past && slices.Contains(r.Clock.HalfTo, r.Word(i+1)):
		return r.hourAfter(i+2, -30+minutes)
	case before && slices.Contains(r.Clock.HalfTo, r.Word(i+1)):
		return r.hourAfter(i+2, -30-minutes)
	case past && slices.Contains(r.Clock.threeTo, r.Word(i+1)):
		return r.hourAfter(i+2, -15+minutes)
	case before && slices.Contains(r.Clock.threeTo, r.Word(i+1)):
		return r.hourAfter(i+2, -15-minutes)
	case past:
		return r.hourAfter(i+1, minutes)
	case before:
		return r.hourAfter(i+1, -minutes)
	}
	return reading{}, false
}

// hourless parses "quarter past" and "half past" without an hour: the next such time.
func (r Reader) hourless(i, minutes int, past, before bool) (reading, bool) {
	_, hour := r.hourNumber(i + 1)
	if !past && !before || hour > 0 || minutes%5 != 0 || slices.Contains(r.Clock.HalfTo, r.Word(i+1)) || slices.Contains(r.Clock.threeTo, r.Word(i+1)) || r.Phrase(i+1, r.Clock.midnight)+r.Phrase(i+1, r.Clock.noon) > 0 {
		return reading{}, false
	}
	if w := r.Word(i + 1); before && w == "" && i+1 < len(r.Said) && r.Word(i) == "to" && !slices.Contains(r.Clock.Quarter, r.Word(i-1)) {
		return reading{}, false // at ten, to fourteen Mill Lane
	} else if before && w != "" && (!r.pausesAt(i+1) || !slices.Contains(r.Said[max(i-4, 0):i], "make")) && (!r.Known[w] || (r.Word(i) == "to" || r.Word(i) == "of") && !politely[w]) || w != "" && r.Clock.skip[w] {
		return reading{}, false
	}
	if before {
		minutes = 60 - minutes
	}
	return reading{hour: AnyHour, minute: minutes, To: i + 1}, true
}

// politely are words that may follow a time without its hour: "ten to please".
var politely = lex.Set("please then thanks ta mate love now today tomorrow tonight if from at")

// AnyHour is the hour of a time that was said without one.
const AnyHour = -1

// halves reads "half past three", "half three", "halb vier", "dreiviertel vier".
func (r Reader) halves(i int) (reading, bool) {
	word := r.Word(i)
	switch {
	case slices.Contains(r.Clock.HalfTo, word):
		return r.hourAfter(i+1, -30)
	case len(r.Clock.threeTo) > 0 && word == "drei" && slices.Contains(r.Clock.Quarter, r.Word(i+1)): // drei viertel fünf
		return r.hourAfter(i+2, -15)
	case slices.Contains(r.Clock.threeTo, word):
		return r.hourAfter(i+1, -15)
	case slices.Contains(r.Clock.Half, word) && r.Clock.Past[r.Word(i+1)]:
		if got, ok := r.hourless(i+1, 30, true, false); ok {
			return got, true
		}
		return r.hourAfter(i+2, 30)
	case slices.Contains(r.Clock.Half, word):
		return r.hourAfter(i+1, 30)
	}
	return reading{}, false
}

// hourAfter parses an hour and returns the time that is minutes away from it.
func (r Reader) hourAfter(i, minutes int) (reading, bool) {
	if n := max(r.Phrase(i, r.Clock.midnight), r.Phrase(i, r.Clock.noon)); n > 0 && minutes%5 == 0 { // eleven before noon is no 11:49
		hour := 12
		if r.Phrase(i, r.Clock.midnight) > 0 {
			hour = 24
		}
		return shifted(reading{hour: hour, exact: true, To: i + n}, minutes), true
	}
	hour, n := r.hourNumber(i)
	if n == 0 || hour > 24 || hour == 0 && minutes < 0 {
		return reading{}, false
	}
	i += n
	if r.Clock.HourWords[r.Word(i)] {
		i++
	}
	got := reading{hour: hour, exact: hour > 12, To: i}
	if hour == 1 && minutes < 0 {
		got.hour = 13 // ten to one is 12:50
	}
	return shifted(got, minutes), true
}

// hourNumber reads an hour where nothing else can stand: a word that sounds like one is it.
func (r Reader) hourNumber(i int) (hour, n int) {
	if hour := alikeHours[r.Word(i)]; hour > 0 && r.Tag == "en" && r.Word(i) != "for" && r.Word(i) != "too" {
		return hour, 1
	}
	return r.Number(i)
}

// alikeHours are words that sound like an hour: "half past ate".
var alikeHours = map[string]int{"ate": 8, "won": 1, "too": 2, "for": 4}

// soundsLikeHour reports whether the words beside one make it an hour: "make it too in the
// afternoon".
func (r Reader) soundsLikeHour(i int) bool {
	switch r.Word(i - 1) {
	case "at", "it", "by", "around":
	default:
		return false
	}
	next := r.Word(i + 1)
	if r.Clock.Am[next] || r.Clock.Pm[next] || r.Clock.HourWords[next] {
		return true
	}
	return r.Phrase(i+1, r.Clock.parts) > 0
}

// shifted returns a time of day that is minutes later.
func shifted(r reading, minutes int) reading {
	of := r.hour*60 + minutes
	r.hour, r.minute = of/60, of%60
	if r.hour >= 25 || r.hour == 24 && r.minute > 0 {
		r.hour -= 24
		r.part = Night
	}
	return r
}

// hours reads "four o'clock", "fünfzehn Uhr dreißig", "three fifty" and "four".
func (r Reader) hours(i int) (reading, bool) {
	hour, n := r.Number(i)
	if h := alikeHours[r.Word(i)]; n == 0 && h > 0 && r.Tag == "en" && r.soundsLikeHour(i) {
		hour, n = h, 1
	}
	if n == 0 || hour > 24 || indefinite[r.Word(i)] && !r.Clock.HourWords[r.Word(i+1)] {
		return reading{}, false
	}
	i += n
	got := reading{hour: hour % 24, exact: hour > 12 || hour == 0, plain: true, To: i}
	if hour == 24 {
		got.hour = 24
	}
	if hour == 0 && n == 1 && (r.Word(i-1) == "oh" || r.Word(i-1) == "o" || r.Word(i-1) == "zero") { // oh eight thirty
		if eight, n := r.Number(i); n > 0 && eight > 0 && eight < 10 {
			got.hour, got.To, i = eight, i+n, i+n
		}
	}
	if word := r.Word(got.To - 1); hour == 0 && (word == "oh" || word == "o") {
		return reading{}, false
	}
	named := r.Clock.HourWords[r.Word(i)]
	if named {
		i++
		got.To, got.plain = i, false
	}
	if minute, n := r.Number(i); n > 0 && minute < 60 && (named || !r.pausesAt(i)) {
		if minute == 0 && n == 1 { // three oh five
			if unit, more := r.Number(i + 1); more == 1 && unit > 0 && unit < 10 {
				minute, n = unit, 2
			}
		}
		// A number that belongs to what follows is no minute: "at eight three people".
		if (named || minute >= 10 || n == 2) && (!r.Unit(i+n) || minute >= 10 && r.Clock.hour[r.Word(i+n)]) {
			got.minute, got.To, got.plain, got.formal = minute, i+n, false, named && r.Tag == "de"
			if r.Clock.hour[r.Word(got.To)] { // oh six forty five hours
				got.exact, got.To = true, got.To+1
			}
		}
	} else if r.Word(i) == "hundred" && hour > 0 {
		got.To, got.plain, got.exact = i+1, false, true
		if r.Clock.hour[r.Word(got.To)] {
			got.To++
		}
	}
	return got, true
}

// indefinite are articles that count, but tell no hour without its word: "ein Uhr".
var indefinite = lex.Set("ein eine einen einem einer")

// Counted are words for things; a number before one is neither a time nor people: "nine bags".
var Counted = lex.Set("bag bags suitcase suitcases case cases box boxes trolley trolleys parcels koffer taschen kisten tüten percent prozent quid pound pounds pence euro euros dollars cent year years yr yrs jahr jahre jahren months monate monaten " +
	"mile miles km kilometres metres meters meter stop stops stops floors times mal stories haltestellen stars pints beers bier drinks coffees coffee degrees degree grad rides trips journeys lifts ticks fahrten flaschen bottles hours dogs dog hund hunde cats wheelchairs pushchairs prams buggys buggies taxis cabs cars vehicles wagen autos taxen")

// Unit reports whether a word is a unit other than minutes of the clock.
func (r Reader) Unit(i int) bool {
	w := r.Word(i)
	return Counted[w] || r.Nouns[w] || w == "seconds" || w == "secs" || w == "sekunden" || r.Clock.Minute[w] || r.Clock.hour[w] || w == "of" && r.Word(i+1) == "us"
}

// Number parses a number below a hundred; n is the number of its words, 0 if there is none.
func (r Reader) Number(i int) (value, n int) {
	word := r.Word(i)
	if lex.IsFigure(word) {
		v, err := strconv.Atoi(word)
		if err != nil || len(word) > 2 {
			return 0, 0
		}
		return v, 1
	}
	v, ok := r.Numbers[strings.TrimSuffix(word, "ish")] // fiveish
	if !ok {
		return 0, 0
	}
	if and := r.Word(i + 1); v > 0 && v < 10 && (and == "and" || and == "und") { // five and twenty
		if tens := r.Numbers[r.Word(i+2)]; tens >= 20 && tens%10 == 0 {
			return tens + v, 3
		}
	}
	if v >= 20 && v%10 == 0 {
		if unit, ok := r.Numbers[r.Word(i+1)]; ok && unit > 0 && unit < 10 {
			return v + unit, 2
		}
	}
	return v, 1
}

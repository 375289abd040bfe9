package grammar

import (
	"slices"
	"strconv"
	"strings"
)

// clockWords are what people of one language say of times.
type clockWords struct {
	now       [][]string
	weak      [][]string         // "now" as people also say it in passing
	urgent    [][]string         // likewise of words for how quickly: "quick as you can"
	hurries   map[string]bool    // words that answer "when?" by themselves: "quickly"
	days      map[int][][]string // by days from today
	dayParts  map[string]part    // of those that name a part of the day as well
	gone      [][]string         // yesterday, last week
	weekdays  []string           // from Sunday on
	months    []string
	of        map[string]bool // in "the fourth of March", and its endings in figures
	ordinals  map[string]int
	week      [][]string // after a day: a week later
	nextWeek  [][]string // beside a weekday
	afterNext [][]string // likewise: the one after next
	parts     map[part][][]string
	am, pm    map[string]bool // right after a time
	noon      [][]string
	midnight  [][]string
	past      map[string]bool // "ten past four"
	before    map[string]bool // "ten to four"
	half      []string        // "half past three", "half three": 3:30
	halfTo    []string        // "halb vier": 3:30
	quarter   []string
	quarterOf bool            // "viertel vier" is 3:15
	threeTo   []string        // "dreiviertel vier": 3:45
	hourWords map[string]bool // "four o'clock"
	at        map[string]bool // in front of a time
	about     map[string]bool // likewise, and between "at" and a time
	within    map[string]bool // in front of a span of time
	minute    map[string]bool
	hour      map[string]bool
	dayUnit   map[string]bool
	weekUnit  map[string]bool
	spans     map[int][][]string // by minutes: "half an hour"
	fractions map[int][][]string // by minutes, of hours: "an hour and a half"
	hence     [][]string         // after a span: "from now"
	later     [][]string
	earlier   [][]string
	sameTime  [][]string      // "this time tomorrow"
	skip      map[string]bool // words in the middle of a time
	lead      map[string]bool // words in front of a day, which belong to it
}

// each visits the words.
func (c *clockWords) each(f func(string)) {
	lists := [][][]string{c.now, c.weak, c.urgent, c.gone, c.week, c.noon, c.midnight, c.hence, c.later, c.earlier, c.sameTime, c.nextWeek, c.afterNext}
	for _, m := range c.days {
		lists = append(lists, m)
	}
	for _, m := range c.parts {
		lists = append(lists, m)
	}
	for _, m := range c.spans {
		lists = append(lists, m)
	}
	for _, m := range c.fractions {
		lists = append(lists, m)
	}
	lists = append(lists, [][]string{c.weekdays, c.months, c.half, c.halfTo, c.quarter, c.threeTo})
	for _, list := range lists {
		for _, p := range list {
			for _, w := range p {
				f(w)
			}
		}
	}
	for _, m := range []map[string]bool{c.am, c.pm, c.past, c.before, c.hourWords, c.at, c.about, c.within, c.minute, c.hour, c.dayUnit, c.weekUnit} {
		for w := range m {
			f(w)
		}
	}
	for w := range c.ordinals {
		f(w)
	}
}

// part is a part of the day.
type part int

const (
	anytime part = iota
	morning
	afternoon
	evening
	night
)

func phrasesBy(by map[int]string) map[int][][]string {
	m := map[int][][]string{}
	for n, text := range by {
		m[n] = list(text)
	}
	return m
}

// reading is a time of day as it was said.
type reading struct {
	hour, minute int
	exact        bool // on the clock of 24 hours
	part         part
	plain        bool // a number by itself, which may be something else
	to           int  // where it ends
}

// clockReader reads times in what was said; a word that has been used is empty.
type clockReader struct {
	*language
	said []string
}

func (r clockReader) word(i int) string {
	if i < 0 || i >= len(r.said) {
		return ""
	}
	return r.said[i]
}

// phrase returns how long the longest of some phrases is that begins at a word.
func (r clockReader) phrase(i int, phrases [][]string) int {
	n := 0
	if i < 0 || i >= len(r.said) {
		return 0
	}
	for _, p := range phrases {
		if len(p) > n && hasPrefix(r.said[i:], p) {
			n = len(p)
		}
	}
	return n
}

// read reads a time of day at a word.
func (r clockReader) read(i int) (reading, bool) {
	if n := r.phrase(i, r.clock.noon); n > 0 {
		return reading{hour: 12, exact: true, to: i + n}, true
	}
	if n := r.phrase(i, r.clock.midnight); n > 0 {
		return reading{hour: 24, exact: true, to: i + n}, true
	}
	for _, form := range []func(int) (reading, bool){r.figures, r.fraction, r.hours} {
		got, ok := form(i)
		if !ok {
			continue
		}
		switch next := r.word(got.to); {
		case r.clock.am[next]:
			got.part, got.to, got.plain = morning, got.to+1, false
		case r.clock.pm[next]:
			got.part, got.to, got.plain = afternoon, got.to+1, false
		case r.clock.hourWords[next]:
			got.to++
			got.plain = false
		}
		return got, true
	}
	return reading{}, false
}

// figures reads 15:30 and 1530.
func (r clockReader) figures(i int) (reading, bool) {
	word := r.word(i)
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
	return reading{hour: hour, minute: minute, exact: hour > 12 || h[0] == '0', plain: plain, to: i + 1}, true
}

// fraction reads "ten to four", "quarter past three", "halb vier", "fünf vor halb vier".
func (r clockReader) fraction(i int) (reading, bool) {
	if got, ok := r.halves(i); ok {
		return got, true
	}
	word := r.word(i)
	minutes, n := 15, 1
	if r.clock.skip[word] && slices.Contains(r.clock.quarter, r.word(i+1)) { // a quarter
		i++
	} else if !slices.Contains(r.clock.quarter, word) {
		if minutes, n = r.number(i); n == 0 || minutes > 59 {
			return reading{}, false
		}
	}
	i += n
	if r.clock.quarterOf && minutes == 15 && !r.clock.past[r.word(i)] && !r.clock.before[r.word(i)] && slices.Contains(r.clock.quarter, r.word(i-1)) {
		return r.hourAfter(i, -45)
	}
	if r.clock.skip[r.word(i)] {
		i++
	}
	past, before := r.clock.past[r.word(i)], r.clock.before[r.word(i)]
	if before && minutes > 30 {
		return reading{}, false // forty-five minutes, to fourteen Mill Lane
	}
	if got, ok := r.hourless(i, minutes, past, before); ok {
		return got, true
	}
	switch {
	case past && slices.Contains(r.clock.halfTo, r.word(i+1)):
		return r.hourAfter(i+2, -30+minutes)
	case before && slices.Contains(r.clock.halfTo, r.word(i+1)):
		return r.hourAfter(i+2, -30-minutes)
	case past && slices.Contains(r.clock.threeTo, r.word(i+1)):
		return r.hourAfter(i+2, -15+minutes)
	case before && slices.Contains(r.clock.threeTo, r.word(i+1)):
		return r.hourAfter(i+2, -15-minutes)
	case past:
		return r.hourAfter(i+1, minutes)
	case before:
		return r.hourAfter(i+1, -minutes)
	}
	return reading{}, false
}

// hourless reads "quarter past" and "half past", of the hour that comes.
func (r clockReader) hourless(i, minutes int, past, before bool) (reading, bool) {
	_, hour := r.hourNumber(i + 1)
	if !past && !before || hour > 0 || minutes%5 != 0 || slices.Contains(r.clock.halfTo, r.word(i+1)) || slices.Contains(r.clock.threeTo, r.word(i+1)) || r.phrase(i+1, r.clock.midnight)+r.phrase(i+1, r.clock.noon) > 0 {
		return reading{}, false
	}
	if w := r.word(i + 1); before && w == "" && i+1 < len(r.said) && r.word(i) == "to" && !slices.Contains(r.clock.quarter, r.word(i-1)) {
		return reading{}, false // at ten, to fourteen Mill Lane
	} else if before && w != "" && !r.known[w] || w != "" && r.clock.skip[w] {
		return reading{}, false
	}
	if before {
		minutes = 60 - minutes
	}
	return reading{hour: anyHour, minute: minutes, to: i + 1}, true
}

// anyHour stands for the hour of a time that was said without one.
const anyHour = -1

// halves reads "half past three", "half three", "halb vier", "dreiviertel vier".
func (r clockReader) halves(i int) (reading, bool) {
	word := r.word(i)
	switch {
	case slices.Contains(r.clock.halfTo, word):
		return r.hourAfter(i+1, -30)
	case len(r.clock.threeTo) > 0 && word == "drei" && slices.Contains(r.clock.quarter, r.word(i+1)): // drei viertel fünf
		return r.hourAfter(i+2, -15)
	case slices.Contains(r.clock.threeTo, word):
		return r.hourAfter(i+1, -15)
	case slices.Contains(r.clock.half, word) && r.clock.past[r.word(i+1)]:
		if got, ok := r.hourless(i+1, 30, true, false); ok {
			return got, true
		}
		return r.hourAfter(i+2, 30)
	case slices.Contains(r.clock.half, word):
		return r.hourAfter(i+1, 30)
	}
	return reading{}, false
}

// hourAfter reads an hour that is minutes away from the time that is meant.
func (r clockReader) hourAfter(i, minutes int) (reading, bool) {
	if n := max(r.phrase(i, r.clock.midnight), r.phrase(i, r.clock.noon)); n > 0 {
		hour := 12
		if r.phrase(i, r.clock.midnight) > 0 {
			hour = 24
		}
		return shifted(reading{hour: hour, exact: true, to: i + n}, minutes), true
	}
	hour, n := r.hourNumber(i)
	if n == 0 || hour > 24 || hour == 0 && minutes < 0 {
		return reading{}, false
	}
	i += n
	if r.clock.hourWords[r.word(i)] {
		i++
	}
	got := reading{hour: hour, exact: hour > 12, to: i}
	if hour == 1 && minutes < 0 {
		got.hour = 13 // ten to one is 12:50
	}
	return shifted(got, minutes), true
}

// hourNumber reads an hour where nothing else can stand: a word that sounds like one is it.
func (r clockReader) hourNumber(i int) (hour, n int) {
	if hour := alikeHours[r.word(i)]; hour > 0 && r.tag == "en" && r.word(i) != "for" && r.word(i) != "too" {
		return hour, 1
	}
	return r.number(i)
}

// alikeHours are words that sound like an hour: "half past ate".
var alikeHours = map[string]int{"ate": 8, "won": 1, "too": 2, "for": 4}

// soundsLikeHour reports whether the words beside one make it an hour: "make it too in the
// afternoon".
func (r clockReader) soundsLikeHour(i int) bool {
	switch r.word(i - 1) {
	case "at", "it", "by", "around":
	default:
		return false
	}
	next := r.word(i + 1)
	if r.clock.am[next] || r.clock.pm[next] || r.clock.hourWords[next] {
		return true
	}
	for _, phrases := range r.clock.parts {
		if r.phrase(i+1, phrases) > 0 {
			return true
		}
	}
	return false
}

// shifted moves a time of day.
func shifted(r reading, minutes int) reading {
	of := r.hour*60 + minutes
	r.hour, r.minute = of/60, of%60
	if r.hour >= 25 || r.hour == 24 && r.minute > 0 {
		r.hour -= 24
		r.part = night
	}
	return r
}

// hours reads "four o'clock", "fünfzehn Uhr dreißig", "three fifty" and "four".
func (r clockReader) hours(i int) (reading, bool) {
	hour, n := r.number(i)
	if h := alikeHours[r.word(i)]; n == 0 && h > 0 && r.tag == "en" && r.soundsLikeHour(i) {
		hour, n = h, 1
	}
	if n == 0 || hour > 24 || indefinite[r.word(i)] && !r.clock.hourWords[r.word(i+1)] {
		return reading{}, false
	}
	i += n
	got := reading{hour: hour % 24, exact: hour > 12 || hour == 0, plain: true, to: i}
	if hour == 24 {
		got.hour = 24
	}
	if hour == 0 && n == 1 && (r.word(i-1) == "oh" || r.word(i-1) == "o" || r.word(i-1) == "zero") { // oh eight thirty
		if eight, n := r.number(i); n > 0 && eight > 0 && eight < 10 {
			got.hour, got.to, i = eight, i+n, i+n
		}
	}
	if word := r.word(got.to - 1); hour == 0 && (word == "oh" || word == "o") {
		return reading{}, false
	}
	named := r.clock.hourWords[r.word(i)]
	if named {
		i++
		got.to, got.plain = i, false
	}
	if minute, n := r.number(i); n > 0 && minute < 60 {
		if minute == 0 && n == 1 { // three oh five
			if unit, more := r.number(i + 1); more == 1 && unit > 0 && unit < 10 {
				minute, n = unit, 2
			}
		}
		// A number that belongs to what follows is no minute: "at eight three people".
		if (named || minute >= 10 || n == 2) && (!r.unit(i+n) || minute >= 10 && r.clock.hour[r.word(i+n)]) {
			got.minute, got.to, got.plain = minute, i+n, false
			if r.clock.hour[r.word(got.to)] { // oh six forty five hours
				got.exact, got.to = true, got.to+1
			}
		}
	} else if r.word(i) == "hundred" && hour > 0 {
		got.to, got.plain, got.exact = i+1, false, true
		if r.clock.hour[r.word(got.to)] {
			got.to++
		}
	}
	return got, true
}

// indefinite are articles that count, but tell no hour without its word: "ein Uhr".
var indefinite = set("ein eine einen einem einer")

// counted are things that have a number, which is no time then and counts nobody: "like nine bags".
var counted = set("bag bags suitcase suitcases case cases box boxes trolley trolleys parcels koffer taschen kisten tüten percent prozent quid pound pounds pence euro euros dollars cent year years yr yrs jahr jahre jahren months monate monaten " +
	"mile miles km kilometres metres meters meter stop stops stops floors times mal stories haltestellen stars pints beers bier drinks flaschen bottles hours dogs dog hund hunde cats wheelchairs pushchairs prams buggys buggies taxis cabs cars vehicles wagen autos taxen")

// unit reports whether a word counts something else than minutes of the clock.
func (r clockReader) unit(i int) bool {
	w := r.word(i)
	return counted[w] || r.people.nouns[w] || w == "seconds" || w == "secs" || w == "sekunden" || r.clock.minute[w] || r.clock.hour[w] || w == "of" && r.word(i+1) == "us"
}

// number reads a number below a hundred, and says how many words it took.
func (r clockReader) number(i int) (value, n int) {
	word := r.word(i)
	if isFigure(word) {
		v, err := strconv.Atoi(word)
		if err != nil || len(word) > 2 {
			return 0, 0
		}
		return v, 1
	}
	v, ok := r.numbers[word]
	if !ok {
		return 0, 0
	}
	if and := r.word(i + 1); v > 0 && v < 10 && (and == "and" || and == "und") { // five and twenty
		if tens := r.numbers[r.word(i+2)]; tens >= 20 && tens%10 == 0 {
			return tens + v, 3
		}
	}
	if v >= 20 && v%10 == 0 {
		if unit, ok := r.numbers[r.word(i+1)]; ok && unit > 0 && unit < 10 {
			return v + unit, 2
		}
	}
	return v, 1
}

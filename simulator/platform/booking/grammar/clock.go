package grammar

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// clockWords are what people of one language say of times.
type clockWords struct {
	now       [][]string
	days      map[int][][]string // by days from today
	weekdays  []string           // from Sunday on
	months    []string
	of        map[string]bool // in "the fourth of March", and its endings in figures
	ordinals  map[string]int
	next      map[string]bool // "next Monday"
	parts     map[part][][]string
	am, pm    map[string]bool // right after a time
	noon      [][]string
	midnight  [][]string
	past      map[string]bool // "ten past four"
	before    map[string]bool // "ten to four"
	half      []string        // "half past three", "half three": 3:30
	halfTo    []string        // "halb vier": 3:30
	quarter   []string
	threeTo   []string        // "dreiviertel vier": 3:45
	hourWords map[string]bool // "four o'clock"
	at        map[string]bool // in front of a time
	within    map[string]bool // in front of a span of time
	minute    map[string]bool
	hour      map[string]bool
	spans     map[int][][]string // by minutes: "half an hour"
	skip      map[string]bool    // words in the middle of a time
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

func phrases(by map[int]string) map[int][][]string {
	m := map[int][][]string{}
	for n, text := range by {
		m[n] = list(text)
	}
	return m
}

func spans(by map[int]string) map[int][][]string { return phrases(by) }

func parts(am, pm, late, dark string) map[part][][]string {
	return map[part][][]string{morning: list(am), afternoon: list(pm), evening: list(late), night: list(dark)}
}

// reading is a time of day as it was said.
type reading struct {
	hour, minute int
	exact        bool // on the clock of 24 hours
	part         part
	to           int // where it ends
}

// clockReader reads the times of day in what was said.
type clockReader struct {
	*words
	said  []string
	loose bool // a number by itself is a time
}

// read finds a time that begins at a word.
func (r clockReader) read(i int) (reading, bool) {
	start := i
	if r.clock.at[r.word(i)] {
		i++
	}
	for _, form := range []func(int, bool) (reading, bool){r.figures, r.fraction, r.hours} {
		got, ok := form(i, i > start || r.loose)
		if !ok {
			continue
		}
		switch next := r.word(got.to); {
		case r.clock.am[next]:
			got.part, got.to = morning, got.to+1
		case r.clock.pm[next]:
			got.part, got.to = afternoon, got.to+1
		}
		return got, true
	}
	return reading{}, false
}

func (r clockReader) word(i int) string {
	if i < 0 || i >= len(r.said) {
		return ""
	}
	return r.said[i]
}

// figures reads 15:30, and 1530 where a time is expected.
func (r clockReader) figures(i int, expected bool) (reading, bool) {
	word := r.word(i)
	h, m, ok := strings.Cut(word, ":")
	if !ok && expected && len(word) == 4 {
		h, m, ok = word[:2], word[2:], true
	}
	hour, err1 := strconv.Atoi(h)
	minute, err2 := strconv.Atoi(m)
	if !ok || err1 != nil || err2 != nil || hour > 23 || minute > 59 {
		return reading{}, false
	}
	got := reading{hour: hour, minute: minute, exact: hour > 12 || h[0] == '0', to: i + 1}
	if r.clock.hourWords[r.word(got.to)] {
		got.to++
	}
	return got, true
}

// fraction reads "ten to four", "quarter past three", "halb vier".
func (r clockReader) fraction(i int, expected bool) (reading, bool) {
	word := r.word(i)
	switch {
	case slices.Contains(r.clock.halfTo, word):
		return r.hourAfter(i+1, -30)
	case slices.Contains(r.clock.threeTo, word):
		return r.hourAfter(i+1, -15)
	case slices.Contains(r.clock.half, word) && r.clock.past[r.word(i+1)]:
		return r.hourAfter(i+2, 30)
	case slices.Contains(r.clock.half, word) && expected:
		return r.hourAfter(i+1, 30)
	}
	minutes, n := 15, 1
	if !slices.Contains(r.clock.quarter, word) {
		if minutes, n = r.number(i); n == 0 || minutes > 59 {
			return reading{}, false
		}
	}
	i += n
	if r.clock.skip[r.word(i)] {
		i++
	}
	switch next := r.word(i); {
	case r.clock.past[next]:
		return r.hourAfter(i+1, minutes)
	case r.clock.before[next]:
		return r.hourAfter(i+1, -minutes)
	}
	return reading{}, false
}

// hourAfter reads an hour that is minutes away from the time that is meant.
func (r clockReader) hourAfter(i, minutes int) (reading, bool) {
	hour, n := r.number(i)
	if n == 0 || hour > 24 || hour == 0 && minutes < 0 {
		return reading{}, false
	}
	i += n
	if r.clock.hourWords[r.word(i)] {
		i++
	}
	got := reading{hour: hour % 24, minute: minutes, exact: hour > 12, to: i}
	if minutes < 0 {
		got.hour, got.minute = (hour+23)%24, minutes+60
		if !got.exact && hour == 1 {
			got.hour = 12 // ten to one is 12:50
		}
	}
	return got, true
}

// hours reads "four o'clock", "fünfzehn Uhr dreißig", "three fifty p.m." and, where
// a time is expected, "four".
func (r clockReader) hours(i int, expected bool) (reading, bool) {
	hour, n := r.number(i)
	if n == 0 || hour > 24 {
		return reading{}, false
	}
	i += n
	got := reading{hour: hour % 24, exact: hour > 12 || hour == 0, to: i}
	named := r.clock.hourWords[r.word(i)]
	if named {
		i++
		got.to = i
	}
	if minute, n := r.number(i); n > 0 && minute < 60 {
		if zero := minute == 0 && n == 1; zero { // three oh five
			if unit, more := r.number(i + 1); more == 1 && unit > 0 && unit < 10 {
				minute, n = unit, 2
			}
		}
		if named || minute >= 10 || n == 2 {
			got.minute, got.to = minute, i+n
		}
	}
	next := r.word(got.to)
	return got, named || expected || r.clock.am[next] || r.clock.pm[next]
}

// number reads a number below a hundred, and says how many words it took.
func (r clockReader) number(i int) (value, n int) {
	word := r.word(i)
	if v, err := strconv.Atoi(word); err == nil && len(word) <= 2 {
		return v, 1
	}
	v, ok := r.numbers[word]
	if !ok {
		return 0, 0
	}
	if v >= 20 && v%10 == 0 {
		if unit, ok := r.numbers[r.word(i+1)]; ok && unit > 0 && unit < 10 {
			return v + unit, 2
		}
	}
	return v, 1
}

// fourDigits reads a time of day on the clock of 24 hours: 1530, or 930.
func (c Context) fourDigits(digits string) (Moment, bool) {
	if len(digits) != 3 && len(digits) != 4 {
		return Moment{}, false
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n/100 > 23 || n%100 > 59 {
		return Moment{}, false
	}
	return c.at(0, n/100, n%100), true
}

// at is a time of a day from today on. One of today that is over means tomorrow,
// and is asked back.
func (c Context) at(days, hour, minute int) Moment {
	t := c.date(days, hour, minute)
	if days == 0 && t.Before(c.Now.Truncate(time.Minute)) {
		return Moment{At: c.date(1, hour, minute), Ask: true}
	}
	return Moment{At: t}
}

func (c Context) date(days, hour, minute int) time.Time {
	y, m, d := c.Now.Date()
	return time.Date(y, m, d+days, hour, minute, 0, 0, c.Now.Location())
}

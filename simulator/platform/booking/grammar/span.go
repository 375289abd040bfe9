package grammar

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// span reads "in ten minutes", "half an hour from now", "an hour later".
func (r clockReader) span(now time.Time, i int) (piece, bool) {
	start := i
	within := r.clock.within[r.word(i)]
	if within {
		i++
	}
	for r.clock.about[r.word(i)] && i < start+3 {
		i++
	}
	if p, ok := r.months(now, i, within); ok {
		return p, true
	}
	minutes, n := r.length(i)
	if n == 0 {
		return piece{}, false
	}
	i += n
	if _, hour := r.number(i + 1); hour > 0 && minutes <= 30 && (r.clock.past[r.word(i)] || r.clock.before[r.word(i)]) {
		return piece{}, false // ten minutes to four
	}
	if r.quarterTo(i, minutes) {
		return piece{}, false
	}
	if later := r.phrase(i, r.clock.later); later > 0 {
		return piece{to: i + later, when: When{Shift: time.Duration(minutes) * time.Minute}}, true
	}
	if earlier := r.phrase(i, r.clock.earlier); earlier > 0 {
		return piece{to: i + earlier, when: When{Shift: -time.Duration(minutes) * time.Minute}}, true
	}
	hence := r.phrase(i, r.clock.hence)
	i += hence
	p := piece{to: i, led: within || hence > 0, length: !within && hence == 0}
	if minutes%(24*60) == 0 {
		p.when = When{Day: true, Days: minutes / (24 * 60)}
		return p, true
	}
	p.when = When{In: time.Duration(minutes) * time.Minute}
	return p, true
}

// ago reads "an hour ago", "vor einer Stunde", which makes no time of a trip.
func (r clockReader) ago(_ time.Time, i int) (piece, bool) {
	if r.word(i) == "vor" {
		_, n := r.length(i + 1)
		_, hour := r.number(i + 1 + n)
		return piece{to: i + 1 + n, past: true}, n > 0 && hour == 0
	}
	_, n := r.length(i)
	return piece{to: i + n + 1, past: true}, n > 0 && r.word(i+n) == "ago"
}

// quarterTo reports whether "until six" makes a span a time of the clock.
func (r clockReader) quarterTo(i, minutes int) bool {
	_, hour := r.number(i + 1)
	return hour > 0 && minutes < 60 && r.clock.before[r.word(i)]
}

// months reads "in two months".
func (r clockReader) months(now time.Time, i int, within bool) (piece, bool) {
	count, words := r.number(i)
	if articles[r.word(i)] {
		count, words = 1, 1
	}
	if unit := r.word(i + words); words == 0 || !within || unit != "month" && unit != "months" && unit != "monat" && unit != "monaten" {
		return piece{}, false
	}
	return piece{to: i + words + 1, led: true, when: When{Day: true, Days: between(now, now.AddDate(0, count, 0))}}, true
}

// length reads a span of time at a word, in minutes.
func (r clockReader) length(i int) (minutes, n int) {
	if indefinite[r.word(i)] && rounded[r.word(i+1)] { // eine gute halbe Stunde
		if r.clock.hour[r.word(i+2)] {
			return 60, 3
		}
		minutes, n := r.length(i + 2)
		return minutes, n + 2*min(n, 1)
	}
	for m, phrases := range r.clock.spans {
		if l := r.phrase(i, phrases); l > n {
			minutes, n = m, l
		}
	}
	if n > 0 && minutes%60 == 0 {
		more, m := r.more(i + n)
		minutes, n = minutes+more, n+m
	}
	if m, l := r.counted(i); l > n {
		return m, l
	}
	return minutes, n
}

// rounded are words that say that a span is about that long.
var rounded = set("gute guten knappe knappen gut knapp")

// counted reads a span by how many of a unit it has.
func (r clockReader) counted(i int) (minutes, n int) {
	count, words := r.amount(i)
	if words == 0 {
		return 0, 0
	}
	rounds := func(of float64) int { return min(int(math.Round(count*of)), longestSpan) }
	unit := r.word(i + words)
	if hours, rest, ok := strings.Cut(r.word(i), "h"); ok && rest == "" && isFigure(hours) { // 1h30
		hours, _ := strconv.Atoi(hours)
		more, m := r.number(i + 1)
		return hours*60 + more, 1 + m
	}
	if fraction, m := r.longest(i+words, r.clock.fractions); m > 0 && (r.clock.hour[r.word(i+words+m)] || r.clock.hour[r.word(i+words+m-1)]) { // two and a half hours
		return rounds(60) + fraction, words + m + btoi(r.clock.hour[r.word(i+words+m)])
	}
	switch {
	case r.clock.minute[unit]:
		return rounds(1), words + 1
	case r.clock.hour[unit]:
		more, m := r.more(i + words + 1)
		return rounds(60) + more, words + 1 + m
	case slices.Contains(r.clock.quarter, unit) && r.clock.hour[r.word(i+words+1)]: // fünf viertel Stunden
		return rounds(15), words + 2
	case r.clock.within[r.word(i-1)] && count >= 5 && count <= 60 && r.word(i-2) != "be" && r.alone(i+words):
		return int(count), words // in ten
	case r.clock.dayUnit[unit] && count > 0:
		return rounds(24 * 60), words + 1
	case r.clock.weekUnit[unit] && count > 0:
		return rounds(7 * 24 * 60), words + 1
	}
	return 0, 0
}

// alone reports whether nothing behind a number says what it counts.
func (r clockReader) alone(i int) bool {
	w := r.word(i)
	month, _ := r.month(i)
	return !r.unit(i) && month == 0 && !r.timed(i) && !r.clock.dayUnit[w] && !r.clock.weekUnit[w] && !r.clock.past[w] && (w == "" || r.known[w])
}

// amount reads how many there are of a unit, and how many words that takes.
func (r clockReader) amount(i int) (v float64, n int) {
	word := r.word(i)
	if whole, tenths, ok := strings.Cut(word, ","); ok { // 1,5
		v, err := strconv.ParseFloat(whole+"."+tenths, 64)
		return v, btoi(err == nil)
	}
	if digits := strings.TrimSuffix(word, "h"); len(word) == 3 && isFigure(word) || digits != word && isFigure(digits) { // 120 minutes
		v, err := strconv.Atoi(digits)
		return float64(v), btoi(err == nil)
	}
	count, n := r.number(i)
	if n == 0 {
		return 0, 0
	}
	if point := r.word(i + n); point == "point" || point == "komma" {
		if tenths, m := r.number(i + n + 1); m == 1 && tenths < 10 {
			return float64(count) + float64(tenths)/10, n + 2
		}
	}
	return float64(count), n
}

// more reads what a span of hours has besides: "and twenty minutes", "and a half".
func (r clockReader) more(i int) (minutes, n int) {
	if minutes, n = r.longest(i, r.clock.fractions); n > 0 {
		return minutes, n
	}
	start := i
	if w := r.word(i); w == "and" || w == "und" {
		i++
	}
	minutes, words := r.number(i)
	if words == 0 || !r.clock.minute[r.word(i+words)] {
		return 0, 0
	}
	return minutes, i + words + 1 - start
}

// longest is the value of the longest of some phrases that begins at a word.
func (r clockReader) longest(i int, by map[int][][]string) (value, n int) {
	for v, phrases := range by {
		if l := r.phrase(i, phrases); l > n {
			value, n = v, l
		}
	}
	return value, n
}

package times

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// Span parses "in ten minutes", "half an hour from now", "an hour later".
func (r Reader) Span(now time.Time, i int) (Piece, bool) {
	start := i
	within := r.Clock.Within[r.Word(i)]
	if within {
		i++
	}
	for r.Clock.about[r.Word(i)] && i < start+3 {
		i++
	}
	if p, ok := r.months(now, i, within); ok {
		return p, true
	}
	minutes, n := r.length(i)
	if n == 0 || r.Word(start-1) == "at" || r.Word(start) == "at" {
		return Piece{}, false // at nineteen hours
	}
	i += n
	if _, hour := r.Number(i + 1); hour > 0 && minutes <= 30 && (r.Clock.Past[r.Word(i)] || r.Clock.Before[r.Word(i)]) {
		return Piece{}, false // ten minutes to four
	}
	if r.quarterTo(i, minutes) {
		return Piece{}, false
	}
	if later := r.Phrase(i, r.Clock.later); later > 0 {
		return Piece{To: i + later, When: When{Shift: time.Duration(minutes) * time.Minute}}, true
	}
	if earlier := r.Phrase(i, r.Clock.earlier); earlier > 0 {
		return Piece{To: i + earlier, When: When{Shift: -time.Duration(minutes) * time.Minute}}, true
	}
	hence := r.Phrase(i, r.Clock.hence)
	i += hence
	p := Piece{To: i, led: within || hence > 0, Length: !within && hence == 0}
	if minutes%(24*60) == 0 {
		p.When = When{Day: true, Days: minutes / (24 * 60)}
		return p, true
	}
	p.When = When{In: time.Duration(minutes) * time.Minute}
	return p, true
}

// ago parses "an hour ago", "vor einer Stunde", which is no time of a trip.
func (r Reader) ago(_ time.Time, i int) (Piece, bool) {
	if r.Word(i) == "vor" {
		_, n := r.length(i + 1)
		_, hour := r.Number(i + 1 + n)
		return Piece{To: i + 1 + n, Past: true}, n > 0 && hour == 0
	}
	_, n := r.length(i)
	return Piece{To: i + n + 1, Past: true}, n > 0 && reckonedFrom[r.Word(i+n)]
}

// reckonedFrom are words that make the duration before them relative to another event, or past.
var reckonedFrom = lex.Set("ago beforehand before ahead vorher davor zuvor")

// quarterTo reports whether "until six" makes a span a time of the clock.
func (r Reader) quarterTo(i, minutes int) bool {
	_, hour := r.Number(i + 1)
	return hour > 0 && minutes < 60 && r.Clock.Before[r.Word(i)]
}

// months reads "in two months".
func (r Reader) months(now time.Time, i int, within bool) (Piece, bool) {
	count, words := r.Number(i)
	if lex.Articles[r.Word(i)] {
		count, words = 1, 1
	}
	if unit := r.Word(i + words); words == 0 || !within || unit != "month" && unit != "months" && unit != "monat" && unit != "monaten" {
		return Piece{}, false
	}
	return Piece{To: i + words + 1, led: true, When: When{Day: true, Days: between(now, now.AddDate(0, count, 0))}}, true
}

// length parses a duration at a word, and returns it in minutes.
func (r Reader) length(i int) (minutes, n int) {
	if indefinite[r.Word(i)] && rounded[r.Word(i+1)] { // eine gute halbe Stunde
		if r.Clock.hour[r.Word(i+2)] {
			return 60, 3
		}
		minutes, n := r.length(i + 2)
		return minutes, n + 2*min(n, 1)
	}
	minutes, n = r.longest(i, r.Clock.spans)
	if n > 0 && minutes%60 == 0 {
		more, m := r.more(i + n)
		minutes, n = minutes+more, n+m
	}
	if m, l := r.counted(i); l > n {
		return m, l
	}
	return minutes, n
}

// rounded are words that make a duration approximate.
var rounded = lex.Set("gute guten knappe knappen gut knapp")

// counted reads a span by how many of a unit it has.
func (r Reader) counted(i int) (minutes, n int) {
	count, words := r.amount(i)
	if words == 0 {
		return 0, 0
	}
	rounds := func(of float64) int { return min(int(math.Round(count*of)), longestSpan) }
	unit := r.Word(i + words)
	if hours, rest, ok := strings.Cut(r.Word(i), "h"); ok && rest == "" && lex.IsFigure(hours) { // 1h30
		hours, _ := strconv.Atoi(hours)
		more, m := r.Number(i + 1)
		return hours*60 + more, 1 + m
	}
	if fraction, m := r.longest(i+words, r.Clock.fractions); m > 0 && (r.Clock.hour[r.Word(i+words+m)] || r.Clock.hour[r.Word(i+words+m-1)]) { // two and a half hours
		return rounds(60) + fraction, words + m + btoi(r.Clock.hour[r.Word(i+words+m)])
	}
	switch {
	case r.Clock.Minute[unit]:
		return rounds(1), words + 1
	case r.Clock.hour[unit]:
		more, m := r.more(i + words + 1)
		return rounds(60) + more, words + 1 + m
	case slices.Contains(r.Clock.Quarter, unit) && r.Clock.hour[r.Word(i+words+1)]: // fünf viertel Stunden
		return rounds(15), words + 2
	case r.Clock.Within[r.Word(i-1)] && count >= 5 && count <= 60 && r.Word(i-2) != "be" && (r.Word(i-2) == "" || r.Known[r.Word(i-2)]) && r.alone(i+words):
		return int(count), words // in ten
	case r.Clock.dayUnit[unit] && count > 0:
		return rounds(24 * 60), words + 1
	case r.Clock.weekUnit[unit] && count > 0:
		return rounds(7 * 24 * 60), words + 1
	}
	return 0, 0
}

// alone reports whether nothing behind a number says what it counts.
func (r Reader) alone(i int) bool {
	w := r.Word(i)
	month, _ := r.month(i)
	return !r.Unit(i) && month == 0 && !r.Timed(i) && !r.Clock.dayUnit[w] && !r.Clock.weekUnit[w] && !r.Clock.Past[w] && (w == "" || r.Known[w])
}

// amount reads how many there are of a unit, and how many words that takes.
func (r Reader) amount(i int) (v float64, n int) {
	word := r.Word(i)
	if whole, tenths, ok := strings.Cut(word, ","); ok { // 1,5
		v, err := strconv.ParseFloat(whole+"."+tenths, 64)
		return v, btoi(err == nil)
	}
	if digits := strings.TrimSuffix(word, "h"); len(word) == 3 && lex.IsFigure(word) || digits != word && lex.IsFigure(digits) { // 120 minutes
		v, err := strconv.Atoi(digits)
		return float64(v), btoi(err == nil)
	}
	count, n := r.Number(i)
	if n == 0 {
		return 0, 0
	}
	if point := r.Word(i + n); point == "point" || point == "komma" {
		if tenths, m := r.Number(i + n + 1); m == 1 && tenths < 10 {
			return float64(count) + float64(tenths)/10, n + 2
		}
	}
	return float64(count), n
}

// more reads what a span of hours has besides: "and twenty minutes", "and a half".
func (r Reader) more(i int) (minutes, n int) {
	if minutes, n = r.longest(i, r.Clock.fractions); n > 0 {
		return minutes, n
	}
	start := i
	if w := r.Word(i); w == "and" || w == "und" {
		i++
	}
	minutes, words := r.Number(i)
	if words == 0 || !r.Clock.Minute[r.Word(i+words)] {
		return 0, 0
	}
	return minutes, i + words + 1 - start
}

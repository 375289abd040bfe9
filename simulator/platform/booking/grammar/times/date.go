package times

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// undated returns a day that was named but is invalid or ambiguous.
func undated(to int) (Piece, bool) {
	return Piece{To: to, When: When{Undated: true}}, true
}

// OfMonth returns what a part of a time says where it is the day of a month, without the month, that another moment has: that one.
func (r Reader) OfMonth(p Piece, now, is time.Time) When {
	w := p.When
	if !w.Day || w.Undated || is.IsZero() || OnDay(now, w.Days, 0, 0).Day() != is.Day() {
		return w
	}
	ordinal := false
	for i := p.From; i < p.To; i++ {
		if month, _ := r.month(i); month > 0 {
			return w
		}
		_, is := r.ordinal(i)
		ordinal = ordinal || is
	}
	if ordinal {
		w.Days = between(now, is)
	}
	return w
}

// dated reads a day of a month at a word: "the fourth of March", "24 November", "24/12",
// "March the fourth", "the fourth". It is the next such day.
func (r Reader) dated(now time.Time, i int) (Piece, bool) {
	if strings.Contains(r.Word(i), "/") {
		return r.inFigures(now, i)
	}
	if month, to := r.month(i); month > 0 {
		for i = to; r.Clock.lead[r.Word(i)]; i++ {
		}
		day, end := r.dayOfMonth(i)
		if day == 0 || r.Timed(end) {
			return Piece{}, false
		}
		return r.next(now, month, day, end)
	}
	day, end := r.dayOfMonth(i)
	if day == 0 {
		return Piece{}, false
	}
	_, ordinal := r.ordinal(end - 1)
	after, of := end, false
	for ; r.Clock.of[r.Word(after)]; after++ {
		of = of || r.Word(after) == "of"
	}
	if month, to := r.month(after); month > 0 {
		return r.next(now, month, day, to)
	}
	if month := r.Word(after + 1); ordinal && (month == "month" || month == "monats") { // the twelfth of this month
		next := btoi(r.Word(after) == "next" || strings.HasPrefix(r.Word(after), "nachst"))
		return r.next(now, now.AddDate(0, 0, 1-now.Day()).AddDate(0, next, 0).Month(), day, after+2)
	}
	if month, named := r.ordinal(after); named && ordinal && month <= 12 && (of || r.Tag == "de") { // am vierten zwölften
		return r.next(now, time.Month(month), day, after+1)
	}
	figure := endings[r.Word(end)] && r.Clock.lead[r.Word(i-1)]
	const unlisted = 4 // the second may be that of a list
	alone := day >= unlisted && r.Clock.lead[r.Word(i-1)] && (r.Word(after) == "" || r.Clock.At[r.Word(after)] || r.pausesAt(after))
	if figure || ordinal && (alone || r.Word(i-2) == "on" || r.Word(i-1) == "am") {
		month := now.Month()
		if day < now.Day() {
			month++
		}
		return r.next(now, month, day, after)
	}
	return Piece{}, false
}

// Timed reports whether a number is followed by what makes it a time: "March, nine a.m.".
func (r Reader) Timed(i int) bool {
	return r.Clock.Am[r.Word(i)] || r.Clock.Pm[r.Word(i)] || r.Clock.HourWords[r.Word(i)]
}

// inFigures reads 24/12 and 24/12/2026; the day comes first, and of two that can both be it, the
// day is asked for where the month comes first in no reading.
func (r Reader) inFigures(now time.Time, i int) (Piece, bool) {
	parts := strings.Split(r.Word(i), "/")
	day, _ := strconv.Atoi(parts[0])
	month, _ := strconv.Atoi(parts[1])
	if day < 1 || day > 31 || month < 1 || month > 12 {
		return undated(i + 1)
	}
	if len(parts) == 3 {
		year, _ := strconv.Atoi(parts[2])
		if year < 100 {
			year += now.Year() / 100 * 100
		}
		then := time.Date(year, time.Month(month), day, 0, 0, 0, 0, now.Location())
		if days := between(now, then); then.Day() == day && days >= 0 {
			return Piece{To: i + 1, When: When{Day: true, Days: days}}, true
		}
		return undated(i + 1)
	}
	return r.next(now, time.Month(month), day, i+1)
}

// month reads the name of a month, or how it is written: Dec, Okt.
func (r Reader) month(i int) (m time.Month, to int) {
	const shortest = 3
	word := r.Word(i)
	for k, name := range r.Clock.months {
		if word == name || len(word) >= shortest && len(word) <= shortest+1 && strings.HasPrefix(name, word) {
			return time.Month(k + 1), i + 1
		}
	}
	return 0, i
}

// endings are those of ordinals in figures: 8th.
var endings = lex.Set("st nd rd th")

// ordinal returns the number of an ordinal: 12 for "zwölfte", 30 for "thirtieth".
func (r Reader) ordinal(i int) (int, bool) {
	for _, ending := range []string{"", "n"} { // der zwölfte
		if n, ok := r.Clock.Ordinals[r.Word(i)+ending]; ok {
			return n, true
		}
	}
	return 0, false
}

// dayOfMonth reads the number of a day at a word.
func (r Reader) dayOfMonth(i int) (day, to int) {
	if n, ok := r.ordinal(i); ok {
		return n, i + 1
	}
	day, n := r.Number(i)
	if n == 1 && day >= 20 && day%10 == 0 {
		if unit, ok := r.Clock.Ordinals[r.Word(i+1)]; ok && unit < 10 {
			return day + unit, i + 2
		}
	}
	if w := r.Word(i); n == 0 || day < 1 || day > 31 || w == "one" || strings.ContainsAny(r.Word(i), ":,") {
		return 0, 0
	}
	return day, i + n
}

// next returns the next such day; false if no year has it.
func (r Reader) next(now time.Time, month time.Month, day, to int) (Piece, bool) {
	if year, err := strconv.Atoi(r.Word(to)); err == nil && (year == now.Year() || year == now.Year()+1) {
		to++
	}
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	for year := y; year <= y+1; year++ {
		then := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
		if ahead := int(then.Sub(today) / (24 * time.Hour)); ahead >= 0 && then.Day() == day {
			return Piece{To: to, When: When{Day: true, Days: ahead}}, true
		}
	}
	return undated(to)
}

// weekdayDated reads the day of the month behind a weekday: "Thursday the twelfth". It is the
// first such weekday from so many days on; one that the month does not have on that day is none.
func (r Reader) weekdayDated(now time.Time, days, i int) (Piece, bool) {
	start := i
	for r.Clock.lead[r.Word(i)] || lex.Articles[r.Word(i)] {
		i++
	}
	weekday := now.AddDate(0, 0, days).Weekday()
	if p, ok := r.dated(now, i); ok {
		if p.When.Day && now.AddDate(0, 0, p.When.Days).Weekday() != weekday {
			return undated(p.To)
		}
		return p, true
	}
	day, end := r.dayOfMonth(i)
	if day == 0 || i == start || lex.IsFigure(r.Word(i)) && !endings[r.Word(end)] {
		return Piece{}, false
	}
	if endings[r.Word(end)] {
		end++
	}
	for ; days < int(Farthest/(24*time.Hour)); days += 7 {
		if now.AddDate(0, 0, days).Day() == day {
			return Piece{To: end, When: When{Day: true, Days: days}}, true
		}
	}
	return undated(end)
}

// day reads "tomorrow", "on Friday", "the fourth of March", "tonight".
func (r Reader) day(now time.Time, i int) (Piece, bool) {
	if n := r.Phrase(i, r.Clock.sameTime); n > 0 {
		return Piece{To: i + n, When: When{Same: true}}, true
	}
	if r.Word(i) == "am" && r.Word(i+1) == "morgen" {
		return Piece{}, false // in the morning
	}
	if p, ok := r.Feast(now, i); ok {
		return p, true
	}
	if p, ok := r.nightOf(now, i); ok {
		return p, true
	}
	if p, ok := r.reckoned(now, i); ok {
		return p, true
	}
	if n := r.Phrase(i, r.Clock.nextWeek); n > 0 {
		return r.weekdayOf(now, i, n)
	}
	start := i
	for i < start+2 && (r.Clock.lead[r.Word(i)] || r.Clock.At[r.Word(i)]) {
		i++
	}
	if p, ok := r.Feast(now, i); ok {
		return p, true
	}
	if p, ok := r.dated(now, i); ok {
		return r.weekOn(p), true
	}
	days, best := r.longest(i, r.Clock.days)
	if best > 0 {
		p := Piece{To: i + best, When: When{Day: true, Days: days}}
		p.When.Part = r.Clock.dayParts[joined(r.Said[i:i+best])]
		return r.weekOn(p), true
	}
	if n := r.Phrase(i, r.Clock.nextWeek) + r.Phrase(i, r.Clock.afterNext); n > 0 {
		return r.weekdayOf(now, i, n)
	}
	n := slices.Index(r.Clock.Weekdays, r.Word(i))
	if n < 0 {
		return Piece{}, false
	}
	days = (n - int(now.Weekday()) + 7) % 7
	if days == 0 {
		days = 7
	}
	week := r.Phrase(i+1, r.Clock.week) // Monday week, the ninth: its date says which
	if p, ok := r.weekdayDated(now, days, i+1+week); ok {
		return p, true
	}
	p := Piece{To: i + 1, When: When{Day: true, Days: days}}
	if r.Word(p.To) == "morgen" { // Donnerstag morgen, which is not tomorrow
		p.To++
		p.When.Part = morning
	}
	if _, hour := r.Number(p.To + 1); r.Word(p.To) == "after" && r.Word(i-1) == "the" && hour == 0 { // the friday after
		p.To++
		p.When.Days += 7
		return p, true
	}
	if k := r.Phrase(p.To, r.Clock.nextWeek); k > 0 { // Friday of next week
		p.To, p.When.Days = p.To+k, inWeek(now, n, 1)
		return p, true
	}
	if k := r.Phrase(p.To, r.Clock.afterNext); k > 0 {
		p.To += k
		if p.When.Days += 7; len(r.Said) > p.To-1 && strings.HasPrefix(r.Word(p.To-1), "woche") {
			p.When.Days = inWeek(now, n, 2)
		}
		return p, true
	}
	return r.weekOn(p), true
}

// weekdayOf reads a weekday behind its week, "next week Tuesday", "übernächsten Montag"; without
// a weekday the day is asked for.
func (r Reader) weekdayOf(now time.Time, i, n int) (Piece, bool) {
	weeks, to := 1, i+n
	if r.Phrase(i, r.Clock.afterNext) > 0 {
		weeks = 2
	}
	for r.Clock.lead[r.Word(to)] {
		to++
	}
	weekday := slices.Index(r.Clock.Weekdays, r.Word(to))
	week := strings.HasPrefix(r.Word(i+n-1), "we") || strings.HasPrefix(r.Word(i+n-1), "wo")
	switch {
	case weekday < 0 && !week:
		return Piece{}, false
	case weekday < 0:
		return undated(i + n)
	case week:
		return Piece{To: to + 1, When: When{Day: true, Days: inWeek(now, weekday, weeks)}}, true
	}
	days := (weekday - int(now.Weekday()) + 7) % 7
	if days == 0 {
		days = 7
	}
	return Piece{To: to + 1, When: When{Day: true, Days: days + 7*(weeks-1)}}, true
}

// inWeek is how many days a weekday of this week, or of a later one, is ahead. Weeks begin on
// Mondays.
func inWeek(now time.Time, weekday, weeks int) int {
	monday := -((int(now.Weekday()) + 6) % 7)
	return monday + (weekday+6)%7 + 7*weeks
}

// weekOn adds the week of "Friday week", and "in fourteen days" behind a weekday.
func (r Reader) weekOn(p Piece) (on Piece) {
	if !p.When.Day {
		return p
	}
	if n := r.Phrase(p.To, r.Clock.week); n > 0 {
		p.To += n
		p.When.Days += 7
		return p
	}
	i := p.To
	if r.Word(i) == "in" {
		i++
	} else if r.Word(i) != "fortnight" {
		return p
	}
	if days, n := r.daysLong(i); n > 0 && days%7 == 0 && days > 0 {
		p.To = i + n
		p.When.Days += days
	}
	return p
}

// reckoned reads a day by how long it is behind another one: "a week on Tuesday", "three days
// from tomorrow", "in zwei Wochen am Dienstag".
func (r Reader) reckoned(now time.Time, i int) (Piece, bool) {
	if r.Clock.Within[r.Word(i)] {
		i++
	}
	days, n := r.daysLong(i)
	if n == 0 {
		return Piece{}, false
	}
	i += n
	switch r.Word(i) {
	case "on", "from", "after", "am", "ab", "nach":
		i++
	default:
		return Piece{}, false
	}
	for r.Clock.lead[r.Word(i)] {
		i++
	}
	if r.daysLongAt(i) {
		return Piece{}, false
	}
	p, ok := r.day(now, i)
	if !ok || !p.When.Day {
		return Piece{}, false
	}
	p.When.Days += days
	return p, true
}

func (r Reader) daysLongAt(i int) bool {
	_, n := r.daysLong(i)
	return n > 0
}

// daysLong reads a span of whole days at a word: "a week", "a fortnight", "three days".
func (r Reader) daysLong(i int) (days, n int) {
	count, words := r.Number(i)
	if lex.Articles[r.Word(i)] {
		count, words = 1, 1
	}
	unit := r.Word(i + words)
	switch {
	case unit == "fortnight":
		return 14 * max(count, 1), words + 1
	case words == 0:
		return 0, 0
	case r.Tag == "de" && count == 8 && (r.Clock.dayUnit[unit] || unit == "tag"): // a week, in these words
		return 7, words + 1
	case r.Clock.dayUnit[unit] || count == 1 && (unit == "day" || unit == "tag"):
		return count, words + 1
	case r.Clock.weekUnit[unit] || count == 1 && (unit == "week" || unit == "woche"):
		return count * 7, words + 1
	}
	return 0, 0
}

// nightOf reads the night between two days: "on the night of Saturday to Sunday", "in der Nacht
// auf Sonntag". It belongs to the day on which it begins.
func (r Reader) nightOf(now time.Time, i int) (Piece, bool) {
	for _, w := range []string{"on", "in"} {
		if r.Word(i) == w {
			i++
		}
	}
	if w := r.Word(i); w != "the" && w != "der" || r.Word(i+1) != "night" && r.Word(i+1) != "nacht" {
		return Piece{}, false
	}
	i += 2
	first := false
	if w := r.Word(i); w == "of" || w == "from" || w == "von" || w == "vom" {
		if slices.Index(r.Clock.Weekdays, r.Word(i+1)) < 0 {
			return Piece{}, false
		}
		i, first = i+2, true
	}
	joint := r.Word(i)
	weekday := slices.Index(r.Clock.Weekdays, r.Word(i+1))
	if weekday < 0 || joint != "to" && joint != "into" && joint != "on" && joint != "auf" && joint != "zu" && joint != "zum" {
		if !first { // in der Nacht
			return Piece{}, false
		}
		weekday, i = slices.Index(r.Clock.Weekdays, r.Word(i-1))+1, i-2
	}
	days := (weekday - int(now.Weekday()) + 7) % 7
	if days == 0 {
		days = 7
	}
	return Piece{To: i + 2, When: When{Day: true, Days: days - 1, Part: Night}}, true
}

//go:embed data/feasts.txt
var feastsText string

// feast is a day with a name.
type feast struct {
	words []string
	rule  string
}

// feasts contains the feasts by their first word.
var feasts = sync.OnceValue(func() map[string][]feast {
	all := map[string][]feast{}
	for line := range lex.Lines(feastsText) {
		rule, names, _ := strings.Cut(line, ":")
		for _, words := range lex.List(names) {
			all[words[0]] = append(all[words[0]], feast{words, rule})
			if words[0] == "st" {
				all["saint"] = append(all["saint"], feast{append([]string{"saint"}, words[1:]...), rule})
			}
		}
	}
	return all
})

// Feast reads the name of a day.
func (r Reader) Feast(now time.Time, i int) (Piece, bool) {
	best := feast{}
	for _, f := range feasts()[r.Word(i)] {
		if len(f.words) > len(best.words) && lex.HasPrefix(r.Said[i:], f.words) {
			best = f
		}
	}
	to := i + len(best.words)
	switch best.rule {
	case "":
		return Piece{}, false
	case "?":
		return undated(to)
	}
	for year := now.Year(); year <= now.Year()+1; year++ {
		if days := between(now, dayOf(best.rule, year)); days >= 0 {
			return Piece{To: to, When: When{Day: true, Days: days}}, true
		}
	}
	return Piece{}, false
}

// dayOf returns the date of a feast in a year.
func dayOf(rule string, year int) time.Time {
	date := func(month, day int) time.Time { return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC) }
	if off, ok := strings.CutPrefix(rule, "easter"); ok {
		days, _ := strconv.Atoi(off)
		month, day := easter(year)
		return date(month, day+days)
	}
	if nth, ok := strings.CutPrefix(rule, "advent-"); ok {
		n, _ := strconv.Atoi(nth)
		fourth := date(12, 24)
		return fourth.AddDate(0, 0, -int(fourth.Weekday())-7*(4-n))
	}
	first, second, _ := strings.Cut(rule, "-")
	month, _ := strconv.Atoi(first)
	if nth, weekday, ok := strings.Cut(second, "x"); ok {
		n, _ := strconv.Atoi(nth)
		w, _ := strconv.Atoi(weekday)
		begin := date(month, 1)
		return begin.AddDate(0, 0, (w-int(begin.Weekday())+7)%7+7*(n-1))
	}
	day, _ := strconv.Atoi(second)
	return date(month, day)
}

// easter returns the month and day of Easter Sunday (the anonymous Gregorian algorithm).
func easter(year int) (month, day int) {
	a, b, c := year%19, year/100, year%100
	h := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	l := (32 + 2*(b%4) + 2*(c/4) - h - c%4) % 7
	m := (a + 11*h + 22*l) / 451
	return (h + l - 7*m + 114) / 31, (h+l-7*m+114)%31 + 1
}

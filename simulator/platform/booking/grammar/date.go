package grammar

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// undated is a day that was said and is none, or that can be several.
func undated(to int) (piece, bool) {
	return piece{to: to, when: When{Undated: true}}, true
}

// dated reads a day of a month at a word: "the fourth of March", "24 November", "24/12",
// "March the fourth", "the fourth". It is the next such day.
func (r clockReader) dated(now time.Time, i int) (piece, bool) {
	if strings.Contains(r.word(i), "/") {
		return r.inFigures(now, i)
	}
	if month, to := r.month(i); month > 0 {
		for i = to; r.clock.lead[r.word(i)]; i++ {
		}
		day, end := r.dayOfMonth(i)
		if day == 0 || r.timed(end) {
			return piece{}, false
		}
		return r.next(now, month, day, end)
	}
	day, end := r.dayOfMonth(i)
	if day == 0 {
		return piece{}, false
	}
	_, ordinal := r.ordinal(end - 1)
	after, of := end, false
	for ; r.clock.of[r.word(after)]; after++ {
		of = of || r.word(after) == "of"
	}
	if month, to := r.month(after); month > 0 {
		return r.next(now, month, day, to)
	}
	if month, named := r.ordinal(after); named && ordinal && month <= 12 && (of || r.tag == "de") { // am vierten zwölften
		return r.next(now, time.Month(month), day, after+1)
	}
	figure := endings[r.word(end)] && r.clock.lead[r.word(i-1)]
	if figure || ordinal && (r.word(i-2) == "on" || r.word(i-1) == "am") {
		month := now.Month()
		if day < now.Day() {
			month++
		}
		return r.next(now, month, day, after)
	}
	return piece{}, false
}

// timed reports whether a number is followed by what makes it a time: "March, nine a.m.".
func (r clockReader) timed(i int) bool {
	return r.clock.am[r.word(i)] || r.clock.pm[r.word(i)] || r.clock.hourWords[r.word(i)]
}

// inFigures reads 24/12 and 24/12/2026; the day comes first, and of two that can both be it, the
// day is asked for where the month comes first in no reading.
func (r clockReader) inFigures(now time.Time, i int) (piece, bool) {
	parts := strings.Split(r.word(i), "/")
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
			return piece{to: i + 1, when: When{Day: true, Days: days}}, true
		}
		return undated(i + 1)
	}
	return r.next(now, time.Month(month), day, i+1)
}

// month reads the name of a month, or how it is written: Dec, Okt.
func (r clockReader) month(i int) (m time.Month, to int) {
	const shortest = 3
	word := r.word(i)
	for k, name := range r.clock.months {
		if word == name || len(word) >= shortest && len(word) <= shortest+1 && strings.HasPrefix(name, word) {
			return time.Month(k + 1), i + 1
		}
	}
	return 0, i
}

// endings are those of ordinals in figures: 8th.
var endings = set("st nd rd th")

// ordinal is the number of an ordinal: "zwölfte", "thirtieth".
func (r clockReader) ordinal(i int) (int, bool) {
	for _, ending := range []string{"", "n"} { // der zwölfte
		if n, ok := r.clock.ordinals[r.word(i)+ending]; ok {
			return n, true
		}
	}
	return 0, false
}

// dayOfMonth reads the number of a day at a word.
func (r clockReader) dayOfMonth(i int) (day, to int) {
	if n, ok := r.ordinal(i); ok {
		return n, i + 1
	}
	day, n := r.number(i)
	if n == 1 && day >= 20 && day%10 == 0 {
		if unit, ok := r.clock.ordinals[r.word(i+1)]; ok && unit < 10 {
			return day + unit, i + 2
		}
	}
	if n == 0 || day < 1 || day > 31 || strings.ContainsAny(r.word(i), ":,") {
		return 0, 0
	}
	return day, i + n
}

// next is the next such day; one that no year has is none.
func (r clockReader) next(now time.Time, month time.Month, day, to int) (piece, bool) {
	if year, err := strconv.Atoi(r.word(to)); err == nil && (year == now.Year() || year == now.Year()+1) {
		to++
	}
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	for year := y; year <= y+1; year++ {
		then := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
		if ahead := int(then.Sub(today) / (24 * time.Hour)); ahead >= 0 && then.Day() == day {
			return piece{to: to, when: When{Day: true, Days: ahead}}, true
		}
	}
	return undated(to)
}

// weekdayDated reads the day of the month behind a weekday: "Thursday the twelfth". It is the
// first such weekday from so many days on; one that the month does not have on that day is none.
func (r clockReader) weekdayDated(now time.Time, days, i int) (piece, bool) {
	start := i
	for r.clock.lead[r.word(i)] || articles[r.word(i)] {
		i++
	}
	weekday := now.AddDate(0, 0, days).Weekday()
	if p, ok := r.dated(now, i); ok {
		if p.when.Day && now.AddDate(0, 0, p.when.Days).Weekday() != weekday {
			return undated(p.to)
		}
		return p, true
	}
	day, end := r.dayOfMonth(i)
	if day == 0 || i == start || isFigure(r.word(i)) && !endings[r.word(end)] {
		return piece{}, false
	}
	if endings[r.word(end)] {
		end++
	}
	for ; days < int(Farthest/(24*time.Hour)); days += 7 {
		if now.AddDate(0, 0, days).Day() == day {
			return piece{to: end, when: When{Day: true, Days: days}}, true
		}
	}
	return undated(end)
}

// day reads "tomorrow", "on Friday", "the fourth of March", "tonight".
func (r clockReader) day(now time.Time, i int) (piece, bool) {
	if n := r.phrase(i, r.clock.sameTime); n > 0 {
		return piece{to: i + n, when: When{same: true}}, true
	}
	if r.word(i) == "am" && r.word(i+1) == "morgen" {
		return piece{}, false // in the morning
	}
	if p, ok := r.feast(now, i); ok {
		return p, true
	}
	if p, ok := r.nightOf(now, i); ok {
		return p, true
	}
	if p, ok := r.reckoned(now, i); ok {
		return p, true
	}
	start := i
	for i < start+2 && (r.clock.lead[r.word(i)] || r.clock.at[r.word(i)]) {
		i++
	}
	if p, ok := r.feast(now, i); ok {
		return p, true
	}
	if p, ok := r.dated(now, i); ok {
		return r.weekOn(p), true
	}
	best, days := 0, 0
	for d, phrases := range r.clock.days {
		if n := r.phrase(i, phrases); n > best {
			best, days = n, d
		}
	}
	if best > 0 {
		p := piece{to: i + best, when: When{Day: true, Days: days}}
		p.when.part = r.clock.dayParts[joined(r.said[i:i+best])]
		return r.weekOn(p), true
	}
	if n := r.phrase(i, r.clock.nextWeek) + r.phrase(i, r.clock.afterNext); n > 0 {
		return r.weekdayOf(now, i, n)
	}
	n := slices.Index(r.clock.weekdays, r.word(i))
	if n < 0 {
		return piece{}, false
	}
	days = (n - int(now.Weekday()) + 7) % 7
	if days == 0 {
		days = 7
	}
	week := r.phrase(i+1, r.clock.week) // Monday week, the ninth: its date says which
	if p, ok := r.weekdayDated(now, days, i+1+week); ok {
		return p, true
	}
	p := piece{to: i + 1, when: When{Day: true, Days: days}}
	if r.word(p.to) == "morgen" { // Donnerstag morgen, which is not tomorrow
		p.to++
		p.when.part = morning
	}
	if k := r.phrase(p.to, r.clock.nextWeek); k > 0 { // Friday of next week
		p.to, p.when.Days = p.to+k, inWeek(now, n, 1)
		return p, true
	}
	if k := r.phrase(p.to, r.clock.afterNext); k > 0 {
		p.to += k
		if p.when.Days += 7; len(r.said) > p.to-1 && strings.HasPrefix(r.word(p.to-1), "woche") {
			p.when.Days = inWeek(now, n, 2)
		}
		return p, true
	}
	return r.weekOn(p), true
}

// weekdayOf reads a weekday behind its week, "next week Tuesday", "übernächsten Montag"; without
// a weekday the day is asked for.
func (r clockReader) weekdayOf(now time.Time, i, n int) (piece, bool) {
	weeks, to := 1, i+n
	if r.phrase(i, r.clock.afterNext) > 0 {
		weeks = 2
	}
	for r.clock.lead[r.word(to)] {
		to++
	}
	weekday := slices.Index(r.clock.weekdays, r.word(to))
	week := strings.HasPrefix(r.word(i+n-1), "we") || strings.HasPrefix(r.word(i+n-1), "wo")
	switch {
	case weekday < 0 && !week:
		return piece{}, false
	case weekday < 0:
		return undated(i + n)
	case week:
		return piece{to: to + 1, when: When{Day: true, Days: inWeek(now, weekday, weeks)}}, true
	}
	days := (weekday - int(now.Weekday()) + 7) % 7
	if days == 0 {
		days = 7
	}
	return piece{to: to + 1, when: When{Day: true, Days: days + 7*(weeks-1)}}, true
}

// inWeek is how many days a weekday of this week, or of a later one, is ahead. Weeks begin on
// Mondays.
func inWeek(now time.Time, weekday, weeks int) int {
	monday := -((int(now.Weekday()) + 6) % 7)
	return monday + (weekday+6)%7 + 7*weeks
}

// weekOn adds the week of "Friday week", and "in fourteen days" behind a weekday.
func (r clockReader) weekOn(p piece) (on piece) {
	if !p.when.Day {
		return p
	}
	if n := r.phrase(p.to, r.clock.week); n > 0 {
		p.to += n
		p.when.Days += 7
		return p
	}
	i := p.to
	if r.word(i) == "in" {
		i++
	} else if r.word(i) != "fortnight" {
		return p
	}
	if days, n := r.daysLong(i); n > 0 && days%7 == 0 && days > 0 {
		p.to = i + n
		p.when.Days += days
	}
	return p
}

// reckoned reads a day by how long it is behind another one: "a week on Tuesday", "three days
// from tomorrow", "in zwei Wochen am Dienstag".
func (r clockReader) reckoned(now time.Time, i int) (piece, bool) {
	if r.clock.within[r.word(i)] {
		i++
	}
	days, n := r.daysLong(i)
	if n == 0 {
		return piece{}, false
	}
	i += n
	switch r.word(i) {
	case "on", "from", "after", "am", "ab", "nach":
		i++
	default:
		return piece{}, false
	}
	for r.clock.lead[r.word(i)] {
		i++
	}
	if r.daysLongAt(i) {
		return piece{}, false
	}
	p, ok := r.day(now, i)
	if !ok || !p.when.Day {
		return piece{}, false
	}
	p.when.Days += days
	return p, true
}

func (r clockReader) daysLongAt(i int) bool {
	_, n := r.daysLong(i)
	return n > 0
}

// daysLong reads a span of whole days at a word: "a week", "a fortnight", "three days".
func (r clockReader) daysLong(i int) (days, n int) {
	count, words := r.number(i)
	if articles[r.word(i)] {
		count, words = 1, 1
	}
	unit := r.word(i + words)
	switch {
	case unit == "fortnight":
		return 14 * max(count, 1), words + 1
	case words == 0:
		return 0, 0
	case r.clock.dayUnit[unit] || count == 1 && (unit == "day" || unit == "tag"):
		return count, words + 1
	case r.clock.weekUnit[unit] || count == 1 && (unit == "week" || unit == "woche"):
		return count * 7, words + 1
	}
	return 0, 0
}

// nightOf reads the night between two days: "on the night of Saturday to Sunday", "in der Nacht
// auf Sonntag". It belongs to the day on which it begins.
func (r clockReader) nightOf(now time.Time, i int) (piece, bool) {
	for _, w := range []string{"on", "in"} {
		if r.word(i) == w {
			i++
		}
	}
	if w := r.word(i); w != "the" && w != "der" || r.word(i+1) != "night" && r.word(i+1) != "nacht" {
		return piece{}, false
	}
	i += 2
	first := false
	if w := r.word(i); w == "of" || w == "from" || w == "von" || w == "vom" {
		if slices.Index(r.clock.weekdays, r.word(i+1)) < 0 {
			return piece{}, false
		}
		i, first = i+2, true
	}
	joint := r.word(i)
	weekday := slices.Index(r.clock.weekdays, r.word(i+1))
	if weekday < 0 || joint != "to" && joint != "into" && joint != "on" && joint != "auf" && joint != "zu" && joint != "zum" {
		if !first { // in der Nacht
			return piece{}, false
		}
		weekday, i = slices.Index(r.clock.weekdays, r.word(i-1))+1, i-2
	}
	days := (weekday - int(now.Weekday()) + 7) % 7
	if days == 0 {
		days = 7
	}
	return piece{to: i + 2, when: When{Day: true, Days: days - 1, part: night}}, true
}

//go:embed data/feasts.txt
var feastsText string

// feast is a day that has a name.
type feast struct {
	words []string
	rule  string
}

// feasts are by their first word.
var feasts = sync.OnceValue(func() map[string][]feast {
	all := map[string][]feast{}
	for line := range dataLines(feastsText) {
		rule, names, _ := strings.Cut(line, ":")
		for _, words := range list(names) {
			all[words[0]] = append(all[words[0]], feast{words, rule})
		}
	}
	return all
})

// feast reads the name of a day.
func (r clockReader) feast(now time.Time, i int) (piece, bool) {
	best := feast{}
	for _, f := range feasts()[r.word(i)] {
		if len(f.words) > len(best.words) && hasPrefix(r.said[i:], f.words) {
			best = f
		}
	}
	to := i + len(best.words)
	switch best.rule {
	case "":
		return piece{}, false
	case "?":
		return undated(to)
	}
	for year := now.Year(); year <= now.Year()+1; year++ {
		if days := between(now, dayOf(best.rule, year)); days >= 0 {
			return piece{to: to, when: When{Day: true, Days: days}}, true
		}
	}
	return piece{}, false
}

// dayOf is when a feast is in a year.
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

// easter is the day of Easter Sunday (the anonymous Gregorian algorithm).
func easter(year int) (month, day int) {
	a, b, c := year%19, year/100, year%100
	h := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	l := (32 + 2*(b%4) + 2*(c/4) - h - c%4) % 7
	m := (a + 11*h + 22*l) / 451
	return (h + l - 7*m + 114) / 31, (h+l-7*m+114)%31 + 1
}

package grammar

import (
	"slices"
	"time"
)

// dated reads a day of a month at a word: "the fourth of March", "24 November",
// "March the fourth", "the fourth". It is the next such day.
func (r clockReader) dated(now time.Time, i int) (days, to int, ok bool) {
	if month := slices.Index(r.clock.months, r.word(i)) + 1; month > 0 {
		for i++; r.clock.lead[r.word(i)]; i++ {
		}
		if day, end := r.dayOfMonth(i); day > 0 {
			return next(now, time.Month(month), day, end)
		}
		return 0, 0, false
	}
	day, end := r.dayOfMonth(i)
	if day == 0 {
		return 0, 0, false
	}
	after := end
	for r.clock.of[r.word(after)] {
		after++
	}
	if month := slices.Index(r.clock.months, r.word(after)) + 1; month > 0 {
		return next(now, time.Month(month), day, after+1)
	}
	_, ordinal := r.clock.ordinals[r.word(end-1)]
	figure := endings[r.word(end)] && r.clock.lead[r.word(i-1)]
	if figure || ordinal && (r.word(i-2) == "on" || r.word(i-1) == "am") {
		month := now.Month()
		if day < now.Day() {
			month++
		}
		return next(now, month, day, after)
	}
	return 0, 0, false
}

// endings are those of ordinals in figures: 8th.
var endings = set("st nd rd th")

// dayOfMonth reads the number of a day at a word.
func (r clockReader) dayOfMonth(i int) (day, to int) {
	for _, ending := range []string{"", "n"} { // der zwölfte
		if n, ok := r.clock.ordinals[r.word(i)+ending]; ok {
			return n, i + 1
		}
	}
	day, n := r.number(i)
	if n == 1 && day >= 20 && day%10 == 0 {
		if unit, ok := r.clock.ordinals[r.word(i+1)]; ok && unit < 10 {
			return day + unit, i + 2
		}
	}
	if n == 0 || day < 1 || day > 31 {
		return 0, 0
	}
	return day, i + n
}

// next is the next such day, as days from today.
func next(now time.Time, month time.Month, day, to int) (int, int, bool) {
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	for year := y; year <= y+1; year++ {
		then := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
		if ahead := int(then.Sub(today) / (24 * time.Hour)); ahead >= 0 && then.Day() == day {
			return ahead, to, true
		}
	}
	return 0, 0, false
}

// weekdayDated reads the day of the month behind a weekday: "Thursday the twelfth". It is the
// first such weekday from so many days on.
func (r clockReader) weekdayDated(now time.Time, days, i int) (dated, to int) {
	start := i
	for r.clock.lead[r.word(i)] || articles[r.word(i)] {
		i++
	}
	if days, to, ok := r.dated(now, i); ok {
		return days, to
	}
	day, end := r.dayOfMonth(i)
	if day == 0 || i == start || isFigure(r.word(i)) && !endings[r.word(end)] {
		return 0, 0
	}
	if endings[r.word(end)] {
		end++
	}
	for ; days < int(Farthest/(24*time.Hour)); days += 7 {
		if now.AddDate(0, 0, days).Day() == day {
			return days, end
		}
	}
	return 0, 0
}

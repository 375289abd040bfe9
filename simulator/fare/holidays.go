package fare

import "time"

// bankHoliday reports whether a day is a bank holiday in England: a fixed one, its
// substitute weekday if it falls on a weekend, or a movable one.
func bankHoliday(t time.Time) bool {
	year, month, day := t.Date()
	weekday := t.Weekday()
	switch month {
	case time.January:
		return substituted(day, weekday, 1)
	case time.March, time.April:
		return isEaster(year, month, day)
	case time.May:
		return weekday == time.Monday && (day <= 7 || day > 24)
	case time.August:
		return weekday == time.Monday && day > 24
	case time.December:
		return christmas(day, weekday)
	default:
		return false
	}
}

// substituted reports whether a day is the weekday on which a holiday of the month is
// observed.
func substituted(day int, weekday time.Weekday, holiday int) bool {
	switch weekday {
	case time.Saturday, time.Sunday:
		return false
	case time.Monday:
		return day >= holiday && day <= holiday+2
	default:
		return day == holiday
	}
}

// christmas reports whether a day is Christmas Day, Boxing Day or a substitute for one of
// them.
func christmas(day int, weekday time.Weekday) bool {
	switch day {
	case 25, 26:
		return weekday != time.Saturday && weekday != time.Sunday
	case 27, 28:
		return weekday == time.Monday || weekday == time.Tuesday
	default:
		return false
	}
}

// isEaster reports whether a day is Good Friday or Easter Monday.
func isEaster(year int, month time.Month, day int) bool {
	sunday := easter(year)
	is := func(t time.Time) bool { return t.Month() == month && t.Day() == day }
	return is(sunday.AddDate(0, 0, -2)) || is(sunday.AddDate(0, 0, 1))
}

// easter returns Easter Sunday, by the anonymous Gregorian computus.
func easter(year int) time.Time {
	a, b, c := year%19, year/100, year%100
	h := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	l := (32 + 2*(b%4) + 2*(c/4) - h - c%4) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return time.Date(year, time.Month(n/31), n%31+1, 0, 0, 0, 0, time.UTC)
}

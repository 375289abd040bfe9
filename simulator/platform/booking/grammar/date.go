package grammar

import (
	"slices"
	"time"
)

const longestAhead = 366 // days

// dated takes a day of a month out: "the fourth of March", "24 November". It is the
// next such day.
func (f *timeFinder) dated() bool {
	for i, word := range f.said {
		month := slices.Index(f.clock.months, word) + 1
		if month == 0 {
			continue
		}
		from := i - 1
		for from > 0 && f.clock.of[f.said[from]] {
			from--
		}
		day, start := f.dayOfMonth(from)
		if day == 0 {
			continue
		}
		y, m, d := f.Now.Date()
		today := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
		for year := y; year <= y+1; year++ {
			then := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
			if ahead := int(then.Sub(today) / (24 * time.Hour)); ahead >= 0 && ahead <= longestAhead && then.Day() == day {
				f.days = ahead
				f.clear(start, i+1)
				return true
			}
		}
	}
	return false
}

// dayOfMonth reads the number that ends at a word, and says where it begins.
func (f *timeFinder) dayOfMonth(end int) (day, start int) {
	if end < 0 {
		return 0, 0
	}
	r := clockReader{words: f.words, said: f.said}
	day, ok := f.clock.ordinals[f.said[end]]
	if !ok {
		day, _ = r.number(end)
	}
	start = end
	if tens, n := r.number(end - 1); end > 0 && n >= 1 && tens >= 20 && tens%10 == 0 && day < 10 { // twenty fourth
		day, start = tens+day, end-1
	}
	if day < 1 || day > 31 {
		return 0, 0
	}
	if start > 0 && (f.said[start-1] == "the" || f.said[start-1] == "am" || f.said[start-1] == "den") {
		start--
	}
	if start > 0 && f.said[start-1] == "on" {
		start--
	}
	return day, start
}

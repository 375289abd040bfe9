package grammar

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// piece is a part of a time in what was said.
type piece struct {
	from, to int
	when     When
	plain    bool // a number by itself
	led      bool // a word that leads to times stood in front
	loose    bool // "for four", which may be people
}

// nowAt reads "as soon as possible" and "yesterday".
func (r clockReader) nowAt(_ time.Time, i int) (piece, bool) {
	n, weak, urgent := r.phrase(i, r.clock.now), r.phrase(i, r.clock.weak), max(r.phrase(i, r.clock.urgent), r.promptly(i))
	switch gone := r.phrase(i, r.clock.gone); {
	case gone > 0:
		return piece{to: i + gone, when: When{Gone: true}}, true
	case urgent > 0 && urgent >= n:
		return piece{to: i + urgent, when: When{Now: true, Urgent: true}}, true
	case n > 0 && n >= weak:
		return piece{to: i + n, when: When{Now: true}}, true
	case weak > 0:
		return piece{to: i + weak, when: When{Now: true, Weak: true}}, true
	}
	return piece{}, false
}

// promptly reads "as promptly as you can manage", "so rasch wie es Ihnen möglich ist".
func (r clockReader) promptly(i int) int {
	first, second, third := r.word(i), r.word(i+1), r.word(i+2)
	from := i + 3
	switch {
	case first == "sobald":
		from = i + 1
	case first != "as" && first != "so" || !prompt[second] || third != "as" && third != "wie" && third != "als":
		return 0
	}
	const mostBetween = 5
	for k := from; k < from+mostBetween; k++ {
		if able[r.word(k)] && r.word(k) != "ist" {
			for able[r.word(k+1)] {
				k++
			}
			return k + 1 - i
		}
	}
	return 0
}

var (
	prompt = set("soon promptly quickly quick fast speedily swiftly rapidly bald rasch schnell zugig prompt")
	able   = set("can could able manage possible possibly available free practicable convenient arranged moglich geht konnen konnten frei irgend ist")
)

// span reads "in ten minutes", "half an hour from now", "an hour later".
func (r clockReader) span(_ time.Time, i int) (piece, bool) {
	start := i
	if r.clock.within[r.word(i)] {
		i++
	}
	for r.clock.about[r.word(i)] && i < start+3 {
		i++
	}
	minutes, n := r.length(i)
	if n == 0 {
		return piece{}, false
	}
	i += n
	if _, hour := r.number(i + 1); hour > 0 && minutes <= 30 && (r.clock.past[r.word(i)] || r.clock.before[r.word(i)]) {
		return piece{}, false // ten minutes to four
	}
	if later := r.phrase(i, r.clock.later); later > 0 {
		return piece{to: i + later, when: When{Shift: time.Duration(minutes) * time.Minute}}, true
	}
	if earlier := r.phrase(i, r.clock.earlier); earlier > 0 {
		return piece{to: i + earlier, when: When{Shift: -time.Duration(minutes) * time.Minute}}, true
	}
	i += r.phrase(i, r.clock.hence)
	if minutes%(24*60) == 0 {
		return piece{to: i, when: When{Day: true, Days: minutes / (24 * 60)}}, true
	}
	return piece{to: i, when: When{In: time.Duration(minutes) * time.Minute}}, true
}

// length reads a span of time at a word, in minutes.
func (r clockReader) length(i int) (minutes, n int) {
	for m, phrases := range r.clock.spans {
		if l := r.phrase(i, phrases); l > n {
			minutes, n = m, l
		}
	}
	count, words := r.number(i)
	if word := r.word(i); words == 0 && len(word) == 3 && isFigure(word) { // 120 minutes
		if v, err := strconv.Atoi(word); err == nil && v >= 0 {
			count, words = v, 1
		}
	}
	if half := r.phrase(i+n, r.clock.andHalf); n > words && minutes%60 == 0 && half > 0 {
		return minutes + 30, n + half
	}
	if n > words && minutes%60 == 0 {
		if more, m := r.andMinutes(i + n); m > 0 {
			return minutes + more, n + m
		}
	}
	if words == 0 || n > words {
		return minutes, n
	}
	unit, half := r.word(i+words), r.phrase(i+words, r.clock.andHalf)
	switch {
	case r.clock.minute[unit]:
		return count, words + 1
	case half > 0 && r.clock.hour[r.word(i+words+half)]: // two and a half hours
		return count*60 + 30, words + half + 1
	case r.clock.hour[unit]:
		minutes, n = count*60, words+1
		if more, m := r.andMinutes(i + n); m > 0 {
			return minutes + more, n + m
		}
		if half := r.phrase(i+n, r.clock.andHalf); half > 0 {
			return minutes + 30, n + half
		}
		return minutes, n
	case i > 0 && r.clock.within[r.word(i-1)] && count >= 5 && count <= 60 && r.word(i-2) != "be" && !r.unit(i+words) && slices.Index(r.clock.months, unit) < 0 &&
		!r.clock.hourWords[unit] && !r.clock.am[unit] && !r.clock.pm[unit] && !r.clock.dayUnit[unit] && !r.clock.weekUnit[unit] && !r.clock.past[unit] && (unit == "" || r.known[unit]):
		return count, words // in ten
	case r.clock.dayUnit[unit] && count > 0:
		return min(count*24*60, longestSpan), words + 1
	case r.clock.weekUnit[unit] && count > 0:
		return min(count*7*24*60, longestSpan), words + 1
	}
	return minutes, n
}

// andMinutes reads the minutes of "an hour and twenty minutes".
func (r clockReader) andMinutes(i int) (minutes, n int) {
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

// day reads "tomorrow", "on Friday", "the fourth of March", "tonight".
func (r clockReader) day(now time.Time, i int) (piece, bool) {
	if n := r.phrase(i, r.clock.sameTime); n > 0 {
		return piece{to: i + n, when: When{same: true}}, true
	}
	if r.word(i) == "am" && r.word(i+1) == "morgen" {
		return piece{}, false // in the morning
	}
	start := i
	for i < start+2 && (r.clock.lead[r.word(i)] || r.clock.at[r.word(i)]) {
		i++
	}
	if days, to, ok := r.dated(now, i); ok {
		return r.weekOn(piece{to: to, when: When{Day: true, Days: days}}), true
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
	n := slices.Index(r.clock.weekdays, r.word(i))
	if n < 0 {
		return piece{}, false
	}
	days = (n - int(now.Weekday()) + 7) % 7
	if days == 0 {
		days = 7
	}
	week := r.phrase(i+1, r.clock.week) // Monday week, the ninth: its date says which
	if dated, to := r.weekdayDated(now, days, i+1+week); to > 0 {
		return piece{to: to, when: When{Day: true, Days: dated}}, true
	}
	p := piece{to: i + 1, when: When{Day: true, Days: days}}
	if r.word(p.to) == "morgen" { // Donnerstag morgen, which is not tomorrow
		p.to++
		p.when.part = morning
	}
	return r.weekOn(p), true
}

// weekOn adds the week of "Friday week".
func (r clockReader) weekOn(p piece) piece {
	if n := r.phrase(p.to, r.clock.week); n > 0 {
		p.to += n
		p.when.Days += 7
	}
	return p
}

// partAt reads "in the morning".
func (r clockReader) partAt(_ time.Time, i int) (piece, bool) {
	for p, phrases := range r.clock.parts {
		if n := r.phrase(i, phrases); n > 0 {
			return piece{to: i + n, when: When{part: p}}, true
		}
	}
	start := i
	for i < start+2 && (r.clock.lead[r.word(i)] || r.clock.within[r.word(i)] || r.clock.at[r.word(i)]) {
		i++
	}
	for p, phrases := range r.clock.parts {
		if n := r.phrase(i, phrases); n > 0 {
			return piece{to: i + n, when: When{part: p}}, true
		}
	}
	return piece{}, false
}

// clockAt reads "at ten to four".
func (r clockReader) clockAt(_ time.Time, i int) (piece, bool) {
	led, about, start := false, false, i
	for ; i < start+3 && (r.clock.at[r.word(i)] || r.clock.about[r.word(i)]); i++ {
		led, about = true, about || r.clock.about[r.word(i)]
	}
	got, ok := r.read(i)
	if !ok || r.unit(got.to) && got.plain {
		return piece{}, false
	}
	w := When{Clock: true, Hour: got.hour, Minute: got.minute, exact: got.exact, part: got.part, About: about}
	return piece{to: got.to, when: w, plain: got.plain && !led, led: led, loose: got.plain && led && (r.word(start) == "for" || r.word(start) == "fur")}, true
}

func joined(words []string) string {
	var text strings.Builder
	for _, w := range words {
		text.WriteString(w + " ")
	}
	return text.String()
}

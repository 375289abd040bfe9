package grammar

import (
	"strings"
	"time"
)

// piece is a part of a time in what was said.
type piece struct {
	from, to int
	when     When
	bare     bool // a number without a word that makes it a time of day
	plain    bool // likewise, with nothing in front
	led      bool // a word that leads to times stood in front
	loose    bool // "for four", which may be people
	past     bool // "an hour ago"
	length   bool // "ten minutes", which may be how long something took
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
		led, about = led || !casual[r.word(i)], about || r.clock.about[r.word(i)]
	}
	got, ok := r.read(i)
	if !ok || r.unit(got.to) && got.plain {
		return piece{}, false
	}
	if w := r.word(got.to); w == "less" || w == "minus" || w == "weniger" {
		if minutes, n := r.length(got.to + 1); n > 0 && minutes < 60 { // six p.m. less five minutes
			got = shifted(got, -minutes)
			got.to += n + 1
		}
	}
	w := When{Clock: true, Hour: got.hour, Minute: got.minute, exact: got.exact, part: got.part, About: about}
	return piece{to: got.to, when: w, bare: got.plain, plain: got.plain && !led, led: led, loose: got.plain && led && (r.word(start) == "for" || r.word(start) == "fur")}, true
}

// casual are words in front of a time that make no time of a number by themselves: "on three
// percent", "like nine bags".
var casual = set("on just say like exactly bang so kurz")

func joined(words []string) string {
	var text strings.Builder
	for _, w := range words {
		text.WriteString(w + " ")
	}
	return text.String()
}

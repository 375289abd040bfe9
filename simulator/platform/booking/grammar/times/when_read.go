package times

import (
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking/grammar/lex"
)

// Piece is a part of a time in what was said.
type Piece struct {
	From, To int
	When     When
	Bare     bool // a number without a word that makes it a time of day
	Plain    bool // likewise, with nothing in front
	led      bool // a word that leads to times stood in front
	Loose    bool // "for four", which may be people
	Past     bool // "an hour ago"
	Length   bool // "ten minutes", which may be how long something took
}

// nowAt reads "as soon as possible" and "yesterday".
func (r Reader) nowAt(_ time.Time, i int) (Piece, bool) {
	n, weak, urgent := r.Phrase(i, r.Clock.now), r.Phrase(i, r.Clock.weak), max(r.Phrase(i, r.Clock.urgent), r.promptly(i))
	switch gone := r.Phrase(i, r.Clock.gone); {
	case gone > 0:
		return Piece{To: i + gone, When: When{Gone: true}}, true
	case urgent > 0 && urgent >= n:
		return Piece{To: i + urgent, When: When{Now: true, Urgent: true}}, true
	case n > 0 && n >= weak:
		return Piece{To: i + n, When: When{Now: true}}, true
	case weak > 0:
		return Piece{To: i + weak, When: When{Now: true, Weak: true}}, true
	}
	return Piece{}, false
}

// promptly returns the number of words in "as promptly as you can manage", "so rasch wie es Ihnen möglich ist".
func (r Reader) promptly(i int) int {
	first, second, third := r.Word(i), r.Word(i+1), r.Word(i+2)
	from := i + 3
	switch {
	case first == "sobald":
		from = i + 1
	case first != "as" && first != "so" || !prompt[second] || third != "as" && third != "wie" && third != "als":
		return 0
	}
	const mostBetween = 5
	for k := from; k < from+mostBetween; k++ {
		if able[r.Word(k)] && r.Word(k) != "ist" {
			for able[r.Word(k+1)] {
				k++
			}
			return k + 1 - i
		}
	}
	return 0
}

var (
	prompt = lex.Set("soon promptly quickly quick fast speedily swiftly rapidly bald rasch schnell zugig prompt")
	able   = lex.Set("can could able manage possible possibly available free practicable convenient arranged moglich geht konnen konnten frei irgend ist")
)

// partAt reads "in the morning".
func (r Reader) partAt(_ time.Time, i int) (Piece, bool) {
	if r.Word(i-1) == "a" { // for a night
		return Piece{}, false
	}
	if p, n := r.longest(i, r.Clock.parts); n > 0 {
		return Piece{To: i + n, When: When{Part: part(p)}}, true
	}
	start := i
	for i < start+2 && (r.Clock.lead[r.Word(i)] || r.Clock.Within[r.Word(i)] || r.Clock.At[r.Word(i)]) {
		i++
	}
	if p, n := r.longest(i, r.Clock.parts); n > 0 {
		return Piece{To: i + n, When: When{Part: part(p)}}, true
	}
	return Piece{}, false
}

// clockAt reads "at ten to four".
func (r Reader) clockAt(_ time.Time, i int) (Piece, bool) {
	led, about, start := false, false, i
	for ; i < start+3 && (r.Clock.At[r.Word(i)] || r.Clock.about[r.Word(i)]); i++ {
		led, about = led || !casual[r.Word(i)], about || vague[r.Word(i)]
	}
	got, ok := r.read(i)
	if !ok || r.Unit(got.To) && got.plain {
		return Piece{}, false
	}
	if w := r.Word(got.To); w == "less" || w == "minus" || w == "weniger" {
		if minutes, n := r.length(got.To + 1); n > 0 && minutes < 60 { // six p.m. less five minutes
			got = shifted(got, -minutes)
			got.To += n + 1
		}
	}
	w := When{Clock: true, Hour: got.hour, Minute: got.minute, Exact: got.exact, Formal: got.formal, Part: got.part, About: about}
	return Piece{To: got.To, When: w, Bare: got.plain, Plain: got.plain && !led, led: led, Loose: got.plain && led && (r.Word(start) == "for" || r.Word(start) == "fur")}, true
}

// casual are words in front of a time that make no time of a number by themselves: "on three
// percent", "like nine bags".
var casual = lex.Set("on just say like exactly bang so kurz")

// vague are words that make the following time approximate.
var vague = lex.Set("about around roughly approximately after shortly sometime etwa ungefähr circa ca gegen kurz so")

func joined(words []string) string {
	var text strings.Builder
	for _, w := range words {
		text.WriteString(w + " ")
	}
	return text.String()
}

package spoken

import (
	"math"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// forms formats numbers in one language. Its arguments are finite and in range.
type forms interface {
	now() string
	and() string
	to() string // the word in a range of house numbers
	count(n int) string
	day(d day) string // "tomorrow at three p.m."
	house(number, letter string) string
	spell(text string) string
	money(m money) string
	fare(kind taxi.PriceType, amount string) string
	minutes(n int) string // after "in about"
	amount(value float64, unit string) string
	distance(metres float64) string

	written() forms // the same for reading
}

// formsOf returns the forms of a language; for unsupported languages, figures.
func formsOf(tag string) forms {
	switch strings.ToLower(base(tag)) {
	case "en":
		return english{}
	case "de":
		return german{}
	default:
		return figures{}
	}
}

// day is a time, relative to today.
type day struct {
	at    time.Time
	ahead int  // days from today
	known bool // whether ahead is known
}

// when formats a time in the customer's time zone.
func (s *Speaker) when(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	d := day{at: t.In(s.zone)}
	if s.clock != nil {
		d.ahead, d.known = daysBetween(s.clock().In(s.zone), d.at), true
	}
	return s.forms.day(d)
}

// daysBetween counts the midnights from one moment to another.
func daysBetween(from, to time.Time) int {
	midnight := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	return int(midnight(to).Sub(midnight(from)) / (24 * time.Hour))
}

// Limits above which a value is not mentioned.
const (
	longestWait   = 24 * 60 // minutes
	farthest      = 100_000 // metres
	largestFare   = 1_000_000
	longestUnit   = 20
	metresPerMile = 1609.344
)

// fare formats a price: "about twelve pounds forty".
func (s *Speaker) fare(p *taxi.Price) string {
	if p == nil || !(p.Value >= 0 && p.Value < largestFare) {
		return ""
	}
	m, ok := moneyOf(p.Value, p.Currency)
	if !ok {
		return ""
	}
	kind := taxi.PriceType(strings.ToUpper(strings.TrimSpace(string(p.Type)))).Canonical()
	return s.forms.fare(kind, s.forms.money(m))
}

// eta formats a duration: "four minutes".
func (s *Speaker) eta(e *taxi.ETA) string {
	if e == nil || !(e.Value >= 0 && e.Value < math.MaxInt32) {
		return ""
	}
	unit := strings.Trim(strings.ToLower(Plain(e.Unit, longestUnit)), ". ")
	factor, known := minutesPer[unit]
	if known {
		minutes := max(math.Ceil(e.Value*factor-1e-9), 1)
		if minutes > longestWait {
			return ""
		}
		return s.forms.minutes(int(minutes))
	}
	if unit == "" || strings.ContainsFunc(unit, isFigure) {
		return ""
	}
	return s.forms.amount(math.Round(e.Value*10)/10, unit)
}

// minutesPer are the units of time, in minutes.
var minutesPer = map[string]float64{
	"minutes": 1, "minute": 1, "mins": 1, "min": 1, "m": 1, "minuten": 1, "pt1m": 1,
	"seconds": 1.0 / 60, "second": 1.0 / 60, "secs": 1.0 / 60, "sec": 1.0 / 60, "s": 1.0 / 60, "sekunden": 1.0 / 60,
	"hours": 60, "hour": 60, "hrs": 60, "hr": 60, "h": 60, "stunden": 60, "stunde": 60,
	"milliseconds": 1.0 / 60_000, "ms": 1.0 / 60_000,
}

// distance formats the distance of a taxi: "half a mile".
func (s *Speaker) distance(metres float64) string {
	if !(metres > 0 && metres < farthest) {
		return ""
	}
	return s.forms.distance(metres)
}

// tenths rounds to one decimal, and returns at least 0.1.
func tenths(v float64) float64 { return max(math.Round(v*10)/10, 0.1) }

// Number returns a number in a language (BCP 47): "forty-six". For unsupported languages
// it is in figures.
func Number(tag string, n int) string { return formsOf(tag).count(n) }

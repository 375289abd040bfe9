package spoken

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// english formats numbers as they are spoken in Britain.
type english struct{}

var _ forms = english{}

func (english) now() string { return "now" }
func (english) and() string { return "and" }
func (english) to() string  { return "to" }

func (english) count(n int) string { return englishNumber(n) }

func (english) written() forms { return englishText{} }

// day returns the day and the time, with twelve hours.
func (e english) day(d day) string {
	h, m, _ := d.at.Clock()
	if h == 0 && m == 0 {
		return e.midnight(d)
	}
	return englishDay(d, englishDate) + " at " + e.clock(h, m)
}

// midnight includes the evening before it, since it is unclear to which day a midnight
// belongs.
func (e english) midnight(d day) string {
	d.at, d.ahead = d.at.AddDate(0, 0, -1), d.ahead-1
	switch {
	case d.known && d.ahead == 0:
		return "tonight at midnight"
	case d.known && d.ahead > 0 && d.ahead < 7:
		return englishDay(d, nil) + " night at midnight"
	}
	return "midnight at the end of " + englishDay(d, englishDate)
}

// englishDay returns today, tomorrow, a weekday of this week or a date.
func englishDay(d day, date func(time.Time) string) string {
	switch {
	case d.known && d.ahead == 0:
		return "today"
	case d.known && d.ahead == 1:
		return "tomorrow"
	case d.known && d.ahead == -1:
		return "yesterday"
	case d.known && d.ahead > 1 && d.ahead < 7:
		return d.at.Weekday().String()
	}
	return d.at.Weekday().String() + " " + date(d.at) + " of " + d.at.Month().String()
}

func englishDate(t time.Time) string { return "the " + englishOrdinal(t.Day()) }

func (english) clock(h, m int) string {
	half := "a.m."
	if h >= 12 {
		half = "p.m."
	}
	hour := englishNumber((h+11)%12 + 1)
	switch {
	case h == 12 && m == 0:
		return "twelve noon"
	case m == 0:
		return hour + " " + half
	case m < 10:
		return hour + " oh " + englishNumber(m) + " " + half
	}
	return hour + " " + englishNumber(m) + " " + half
}

// house returns a house number: up to a hundred as a number, above that digit by digit.
func (english) house(number, letter string) string {
	n, err := strconv.Atoi(number)
	said := ""
	switch {
	case err != nil:
		return number + letter
	case n > 0 && n < 100 && number[0] != '0', n > 0 && n < 1000 && n%100 == 0 && number[0] != '0':
		said = englishNumber(n)
	default:
		said = strings.Join(speller{digits: englishSpeller.digits}.figures(number), " ")
	}
	if letter != "" {
		said += " " + strings.ToUpper(letter)
	}
	return said
}

var englishSpeller = speller{
	digits: [10]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"},
	twice:  "double",
	marks:  map[rune]string{'/': "slash", '.': "dot", '_': "underscore", '#': "hash"},
}

func (english) spell(text string) string { return englishSpeller.spell(text) }

// money returns an amount in full: "twelve pounds forty".
func (e english) money(m money) string {
	c, known := englishCoins[m.code]
	if !known {
		said := englishNumber(m.whole)
		if m.part > 0 {
			said += " point " + strings.Join(englishSpeller.figures(strings.TrimRight(m.figures(".")[len(strconv.Itoa(m.whole))+1:], "0")), " ")
		}
		return said + " " + m.name()
	}
	whole, part := englishCount(m.whole, c.one, c.many), englishCount(m.part, c.partOne, c.partMany)
	switch {
	case m.part == 0:
		return whole
	case m.whole == 0:
		return part
	case m.code == "GBP" && m.part >= 10:
		return whole + " " + englishNumber(m.part)
	}
	return whole + " and " + part
}

func englishCount(n int, one, many string) string {
	if n == 1 {
		return "one " + one
	}
	return englishNumber(n) + " " + many
}

// englishCoins are currencies with a well-known English name.
var englishCoins = map[string]coin{
	"GBP": {"pound", "pounds", "penny", "pence"},
	"EUR": {"euro", "euros", "cent", "cents"},
	"USD": {"dollar", "dollars", "cent", "cents"},
	"CAD": {"Canadian dollar", "Canadian dollars", "cent", "cents"},
	"AUD": {"Australian dollar", "Australian dollars", "cent", "cents"},
	"NZD": {"New Zealand dollar", "New Zealand dollars", "cent", "cents"},
	"CHF": {"Swiss franc", "Swiss francs", "centime", "centimes"},
	"JPY": {"yen", "yen", "", ""},
	"SEK": {"Swedish krona", "Swedish kronor", "öre", "öre"},
	"NOK": {"Norwegian krone", "Norwegian kroner", "øre", "øre"},
	"DKK": {"Danish krone", "Danish kroner", "øre", "øre"},
	"PLN": {"zloty", "zlotys", "grosz", "groszy"},
	"INR": {"rupee", "rupees", "paisa", "paise"},
	"ZAR": {"rand", "rand", "cent", "cents"},
}

func (english) fare(kind taxi.PriceType, amount string) string { return englishFare(kind, amount) }

func englishFare(kind taxi.PriceType, amount string) string {
	switch kind {
	case taxi.Estimated:
		return "about " + amount
	case taxi.Fixed:
		return "fixed at " + amount
	case taxi.Minimum:
		return "at least " + amount
	case taxi.Maximum:
		return "at most " + amount
	}
	return amount
}

func (english) minutes(n int) string {
	minutes := func(n int) string { return englishCount(n, "minute", "minutes") }
	if n < 60 {
		return minutes(n)
	}
	hours := englishCount(n/60, "hour", "hours")
	if n%60 == 0 {
		return hours
	}
	return hours + " and " + minutes(n%60)
}

func (english) amount(value float64, unit string) string { return englishDecimal(value) + " " + unit }

// englishDecimal returns a number with at most one decimal.
func englishDecimal(v float64) string {
	whole, part := math.Modf(math.Round(v*10) / 10)
	if tenth := int(math.Round(part * 10)); tenth > 0 {
		return englishNumber(int(whole)) + " point " + englishNumber(tenth)
	}
	return englishNumber(int(whole))
}

func (english) distance(metres float64) string {
	switch miles := tenths(metres / metresPerMile); miles {
	case 0.5:
		return "half a mile"
	case 1:
		return "one mile"
	case 1.5:
		return "one and a half miles"
	default:
		return englishDecimal(miles) + " miles"
	}
}

// englishText formats numbers for reading.
type englishText struct{ english }

func (t englishText) written() forms { return t }

func (englishText) count(n int) string { return strconv.Itoa(n) }

func (englishText) day(d day) string {
	return englishDay(d, func(t time.Time) string { return strconv.Itoa(t.Day()) }) + " at " + d.at.Format("15:04")
}

func (englishText) house(number, letter string) string { return number + letter }

func (englishText) spell(text string) string { return text }

func (englishText) money(m money) string {
	if m.code == "GBP" {
		return "£" + m.figures(".")
	}
	return m.figures(".") + " " + strings.ReplaceAll(m.name(), " ", "")
}

func (englishText) minutes(n int) string { return strconv.Itoa(n) + " min" }

func (englishText) amount(value float64, unit string) string {
	return fmt.Sprintf("%g %s", value, unit)
}

func (englishText) distance(metres float64) string {
	return fmt.Sprintf("%.1f miles", tenths(metres/metresPerMile))
}

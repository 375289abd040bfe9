package spoken

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// german formats numbers as they are spoken in Germany.
type german struct{}

var _ forms = german{}

func (german) now() string { return "jetzt" }
func (german) and() string { return "und" }
func (german) to() string  { return "bis" }

func (german) count(n int) string { return germanNumber(n) }

func (german) written() forms { return germanText{} }

func (g german) day(d day) string {
	h, m, _ := d.at.Clock()
	said := germanDay(d, germanOrdinal) + " um " + g.clock(h, m)
	return said
}

// germanDay returns heute, morgen, übermorgen, a weekday of this week or a date.
func germanDay(d day, ordinal func(int) string) string {
	weekday := germanDays[d.at.Weekday()]
	if d.known {
		switch d.ahead {
		case -1:
			return "gestern"
		case 0:
			return "heute"
		case 1:
			return "morgen"
		case 2:
			return "übermorgen"
		case 3, 4, 5, 6:
			return weekday
		}
	}
	return weekday + ", den " + ordinal(d.at.Day()) + " " + germanMonths[d.at.Month()-time.January] + ","
}

var (
	germanDays   = [...]string{"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"}
	germanMonths = [...]string{
		"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember",
	}
)

func (german) clock(h, m int) string {
	hour := germanStem(h) + " Uhr"
	if m == 0 {
		return hour
	}
	return hour + " " + germanNumber(m)
}

func (german) house(number, letter string) string {
	n, err := strconv.Atoi(number)
	if err != nil {
		return number + letter
	}
	said := germanNumber(n)
	if number[0] == '0' {
		said = strings.Join(germanSpeller.figures(number), " ")
	}
	if letter != "" {
		said += " " + strings.ToUpper(letter)
	}
	return said
}

var germanSpeller = speller{
	digits: [10]string{"null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"},
	marks:  map[rune]string{'/': "Schrägstrich", '.': "Punkt", '_': "Unterstrich", '#': "Raute"},
}

func (german) spell(text string) string { return germanSpeller.spell(text) }

// money returns an amount in full: "zwölf Euro vierzig".
func (german) money(m money) string {
	c, known := germanCoins[m.code]
	if !known {
		said := germanNumber(m.whole)
		if m.part > 0 {
			decimals := m.figures(",")[len(strconv.Itoa(m.whole))+1:]
			said += " Komma " + strings.Join(germanSpeller.figures(strings.TrimRight(decimals, "0")), " ")
		}
		return said + " " + m.name()
	}
	whole := germanStem(m.whole) + " " + c.many
	if m.whole == 1 && c.one != c.many {
		whole = c.one
	}
	switch {
	case m.part == 0:
		return whole
	case m.whole == 0:
		return germanStem(m.part) + " " + c.partMany
	}
	return whole + " " + germanNumber(m.part)
}

// germanCoins are currencies with a well-known German name. The name of one unit includes
// its article if it needs one.
var germanCoins = map[string]coin{
	"EUR": {"ein Euro", "Euro", "", "Cent"},
	"GBP": {"ein Pfund", "Pfund", "", "Pence"},
	"USD": {"ein Dollar", "Dollar", "", "Cent"},
	"CAD": {"ein kanadischer Dollar", "kanadische Dollar", "", "Cent"},
	"AUD": {"ein australischer Dollar", "australische Dollar", "", "Cent"},
	"CHF": {"ein Franken", "Franken", "", "Rappen"},
	"JPY": {"ein Yen", "Yen", "", ""},
	"SEK": {"eine schwedische Krone", "schwedische Kronen", "", "Öre"},
	"NOK": {"eine norwegische Krone", "norwegische Kronen", "", "Öre"},
	"DKK": {"eine dänische Krone", "dänische Kronen", "", "Öre"},
	"PLN": {"ein Zloty", "Zloty", "", "Groschen"},
}

func (german) fare(kind taxi.PriceType, amount string) string {
	switch kind {
	case taxi.Estimated:
		return "etwa " + amount
	case taxi.Fixed:
		return "pauschal " + amount
	case taxi.Minimum:
		return "mindestens " + amount
	case taxi.Maximum:
		return "höchstens " + amount
	}
	return amount
}

// minutes is in the dative, for use after "in etwa".
func (german) minutes(n int) string {
	count := func(n int, one, many string) string {
		if n == 1 {
			return "einer " + one
		}
		return germanNumber(n) + " " + many
	}
	minutes := count(n%60, "Minute", "Minuten")
	if n < 60 {
		return minutes
	}
	hours := count(n/60, "Stunde", "Stunden")
	if n%60 == 0 {
		return hours
	}
	return hours + " und " + minutes
}

func (german) amount(value float64, unit string) string { return germanDecimal(value) + " " + unit }

// germanDecimal returns a number with at most one decimal.
func germanDecimal(v float64) string {
	whole, part := math.Modf(math.Round(v*10) / 10)
	if tenth := int(math.Round(part * 10)); tenth > 0 {
		return germanNumber(int(whole)) + " Komma " + germanNumber(tenth)
	}
	return germanNumber(int(whole))
}

const metresPerKilometre = 1000

// distance is in the accusative, for use before "entfernt".
func (german) distance(metres float64) string {
	number := ""
	switch kilometres := tenths(metres / metresPerKilometre); kilometres {
	case 0.5:
		number = "einen halben"
	case 1:
		number = "einen"
	case 1.5:
		number = "eineinhalb"
	default:
		number = germanDecimal(kilometres)
	}
	return number + " Kilometer" //nolint:misspell // German
}

// germanText formats numbers for reading.
type germanText struct{ german }

func (t germanText) written() forms { return t }

func (germanText) count(n int) string { return strconv.Itoa(n) }

func (germanText) day(d day) string {
	return germanDay(d, func(n int) string { return strconv.Itoa(n) + "." }) + " um " + d.at.Format("15:04") + " Uhr"
}

func (germanText) house(number, letter string) string { return number + letter }

func (germanText) spell(text string) string { return text }

func (germanText) money(m money) string {
	unit := strings.ReplaceAll(m.name(), " ", "")
	switch m.code {
	case "EUR":
		unit = "€"
	case "GBP":
		unit = "£"
	}
	return m.figures(",") + " " + unit
}

func (germanText) minutes(n int) string { return strconv.Itoa(n) + " Min." }

func (germanText) amount(value float64, unit string) string { return germanFigures(value) + " " + unit }

func (germanText) distance(metres float64) string {
	return strconv.FormatFloat(tenths(metres/metresPerKilometre), 'f', 1, 64) + " km"
}

// germanFigures writes a number with a comma.
func germanFigures(v float64) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', -1, 64), ".", ",", 1)
}

package spoken

import (
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// figures is for languages of custom prompts whose number words this package does not
// know: it leaves numbers as figures, which a voice of that language speaks correctly.
type figures struct{}

var _ forms = figures{}

func (figures) now() string        { return "" }
func (figures) and() string        { return "+" }
func (figures) to() string         { return "–" }
func (figures) count(n int) string { return strconv.Itoa(n) }
func (f figures) written() forms   { return f }

func (figures) day(d day) string {
	if d.known && d.ahead == 0 {
		return d.at.Format("15:04")
	}
	return d.at.Format("2006-01-02 15:04")
}

func (figures) house(number, letter string) string { return number + letter }

func (figures) spell(text string) string {
	return strings.Join(strings.Split(strings.ToUpper(text), ""), " ")
}

func (figures) money(m money) string {
	return m.figures(".") + " " + strings.ReplaceAll(m.name(), " ", "")
}

func (figures) fare(kind taxi.PriceType, amount string) string {
	switch kind {
	case taxi.Estimated:
		return "± " + amount
	case taxi.Minimum:
		return "≥ " + amount
	case taxi.Maximum:
		return "≤ " + amount
	}
	return amount
}

func (figures) minutes(n int) string { return strconv.Itoa(n) + " min" }

func (figures) amount(value float64, unit string) string {
	return strconv.FormatFloat(value, 'f', -1, 64) + " " + unit
}

func (figures) distance(metres float64) string {
	return strconv.FormatFloat(tenths(metres/metresPerKilometre), 'f', 1, 64) + " km"
}

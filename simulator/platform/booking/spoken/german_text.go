package spoken

import (
	"strconv"
	"strings"
)

// germanText writes figures for the eye.
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

package spoken

import (
	"math"
	"strconv"
	"strings"
)

// money is an amount in a currency, in whole units and parts.
type money struct {
	whole, part int
	decimals    int    // of the currency: 2 for most
	code        string // ISO 4217; "" if unit is set
	unit        string // the third party's text, if it is not a code
}

// moneyOf rounds an amount to the decimals of its currency. It returns false if there is
// no currency.
func moneyOf(value float64, currency string) (money, bool) {
	code := strings.ToUpper(Plain(currency, longestUnit))
	if sign, ok := signs[strings.TrimSpace(currency)]; ok {
		code = sign
	}
	m := money{decimals: 2, code: code}
	switch {
	case isCode(code):
	case code == "":
		return money{}, false
	default:
		m.code, m.unit = "", Plain(currency, longestUnit)
	}
	if undivided[m.code] {
		m.decimals = 0
	}
	scale := int(math.Pow10(m.decimals))
	parts := int(math.Round(value * float64(scale)))
	m.whole, m.part = parts/scale, parts%scale
	return m, true
}

// signs are symbols that some third parties send instead of a code.
var signs = map[string]string{"£": "GBP", "€": "EUR", "$": "USD", "¥": "JPY"}

// undivided are the currencies without decimals.
var undivided = map[string]bool{"JPY": true, "KRW": true, "ISK": true, "HUF": true, "CLP": true, "VND": true}

// isCode reports whether a text has the form of an ISO 4217 code.
func isCode(text string) bool {
	return len(text) == 3 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// figures returns the amount in figures, with a decimal point or comma.
func (m money) figures(point string) string {
	text := strconv.Itoa(m.whole)
	if m.decimals > 0 {
		part := strconv.Itoa(m.part)
		text += point + strings.Repeat("0", m.decimals-len(part)) + part
	}
	return text
}

// name returns the currency's code, spaced for spelling, or the third party's text.
func (m money) name() string {
	if m.code == "" {
		return m.unit
	}
	return strings.Join(strings.Split(m.code, ""), " ")
}

// coin contains the names of a currency in a language.
type coin struct{ one, many, partOne, partMany string }

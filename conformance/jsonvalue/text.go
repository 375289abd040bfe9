package jsonvalue

import (
	"strings"
	"unicode/utf8"
)

// Digits returns only the digits of a telephone number.
func Digits(number string) string {
	other := func(c rune) bool { return c < '0' || c > '9' }
	if strings.IndexFunc(number, other) < 0 {
		return number
	}
	return strings.Map(func(c rune) rune {
		if other(c) {
			return -1
		}
		return c
	}, number)
}

// Clip shortens a text of more than n bytes to at most n bytes of whole characters and an ellipsis.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

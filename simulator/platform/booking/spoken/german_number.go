package spoken

import (
	"strconv"
	"strings"
)

var germanSmall = [...]string{
	"null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
	"dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
}

var germanTens = [...]string{"", "", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"}

// germanNumber returns a number below a million in words.
func germanNumber(n int) string {
	switch {
	case n < 0 || n >= 1_000_000:
		return strconv.Itoa(n)
	case n < 20:
		return germanSmall[n]
	case n < 100 && n%10 == 0:
		return germanTens[n/10]
	case n < 100:
		return germanStem(n%10) + "und" + germanTens[n/10]
	case n < 1000:
		return germanStem(n/100) + "hundert" + germanRest(n%100)
	default:
		return germanStem(n/1000) + "tausend" + germanRest(n%1000)
	}
}

// germanStem returns a number before another word: eins becomes ein.
func germanStem(n int) string {
	word := germanNumber(n)
	if n%100 == 1 {
		return strings.TrimSuffix(word, "s")
	}
	return word
}

func germanRest(n int) string {
	if n == 0 {
		return ""
	}
	return germanNumber(n)
}

// germanOrdinal returns the day of a month in words, as in "am dritten".
func germanOrdinal(n int) string {
	switch n {
	case 1:
		return "ersten"
	case 3:
		return "dritten"
	case 7:
		return "siebten"
	case 8:
		return "achten"
	}
	if n < 20 {
		return germanNumber(n) + "ten"
	}
	return germanNumber(n) + "sten"
}

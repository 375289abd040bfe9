package spoken

import "strconv"

var englishSmall = [...]string{
	"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
	"thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
}

var englishTens = [...]string{"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}

// englishNumber returns a number below a million in words.
func englishNumber(n int) string {
	switch {
	case n < 0 || n >= 1_000_000:
		return strconv.Itoa(n)
	case n < 20:
		return englishSmall[n]
	case n < 100 && n%10 == 0:
		return englishTens[n/10]
	case n < 100:
		return englishTens[n/10] + "-" + englishSmall[n%10]
	case n < 1000:
		return englishJoin(englishSmall[n/100]+" hundred", n%100, true)
	default:
		return englishJoin(englishNumber(n/1000)+" thousand", n%1000, n%1000 < 100)
	}
}

func englishJoin(large string, rest int, and bool) string {
	switch {
	case rest == 0:
		return large
	case and:
		return large + " and " + englishNumber(rest)
	}
	return large + " " + englishNumber(rest)
}

var englishOrdinals = map[int]string{
	1: "first", 2: "second", 3: "third", 5: "fifth", 8: "eighth", 9: "ninth", 12: "twelfth", 20: "twentieth", 30: "thirtieth",
}

// englishOrdinal returns the day of a month in words.
func englishOrdinal(n int) string {
	if word, ok := englishOrdinals[n]; ok {
		return word
	}
	if n > 20 {
		return englishTens[n/10] + "-" + englishOrdinal(n%10)
	}
	return englishSmall[n] + "th"
}

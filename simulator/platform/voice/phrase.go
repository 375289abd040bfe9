package voice

import (
	"regexp"
	"strings"
)

// Phrase returns a text as it is spoken: only words, in small letters, with numbers in English words. "": the text
// has no words.
func Phrase(text string) string {
	var words []string
	for _, part := range notSpoken.Split(strings.ToLower(text), -1) {
		part = strings.Trim(part, "'")
		if digitsOnly.MatchString(part) {
			part = number(part)
		}
		if part != "" {
			words = append(words, part)
		}
	}
	return strings.Join(words, " ")
}

var (
	notSpoken  = regexp.MustCompile(`[^\p{L}\p{N}']+`)
	digitsOnly = regexp.MustCompile(`^[0-9]+$`)
)

var (
	ones = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens = strings.Fields("zero ten twenty thirty forty fifty sixty seventy eighty ninety")
)

// number returns a number in words as people say that of a house or a bus: digit by digit from a hundred on.
func number(digits string) string {
	value := 0
	for _, d := range digits {
		value = min(1000, value*10+int(d-'0'))
	}
	switch {
	case value < 20 && digits[0] != '0':
		return ones[value]
	case value < 100 && digits[0] != '0' && value%10 == 0:
		return tens[value/10]
	case value < 100 && digits[0] != '0':
		return tens[value/10] + " " + ones[value%10]
	}
	var words []string
	for _, d := range digits {
		words = append(words, ones[d-'0'])
	}
	return strings.Join(words, " ")
}

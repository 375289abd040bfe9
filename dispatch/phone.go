package dispatch

import (
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/width"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// phoneReader converts phone numbers to E.164 digits. Plain E.164 needs no parsing. Other
// forms (national, with spaces, with 00) are parsed, and the latest results are
// cached.
type phoneReader struct {
	region string
	seen   *lru.Cache[string, taxi.E164]
}

const (
	seenPhones     = 4096
	longestPhone   = 40 // characters, spaces included
	fewestDigits   = 7
	mostE164Digits = 15
)

func newPhoneReader(region string) *phoneReader {
	seen, err := lru.New[string, taxi.E164](seenPhones)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return &phoneReader{region: region, seen: seen}
}

// read returns the digits of a phone number, without a plus sign. It accepts any
// possible number, not only valid ones: the numbers reserved for drama and tests
// are not "valid".
func (r *phoneReader) read(number taxi.E164) (taxi.E164, error) {
	if isE164Digits(number.Digits()) {
		return number.Digits(), nil
	}
	text := width.Narrow.String(string(number)) // phonenumbers knows wide digits, but no wide plus sign
	if known, ok := r.seen.Get(text); ok {
		return known, nil
	}
	if len(text) > longestPhone {
		return "", fmt.Errorf("is longer than any phone number")
	}
	parsed, err := phonenumbers.Parse(text, r.region)
	if err != nil || !phonenumbers.IsPossibleNumber(parsed) {
		return "", fmt.Errorf("is not a phone number; E.164 such as 442079460000 is understood")
	}
	digits := taxi.E164(phonenumbers.Format(parsed, phonenumbers.E164)).Digits()
	r.seen.Add(text, digits)
	return digits, nil
}

// isE164Digits reports whether s is 7 to 15 digits that do not start with 0.
func isE164Digits(s taxi.E164) bool {
	if len(s) < fewestDigits || len(s) > mostE164Digits || s[0] == '0' {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

package api

import (
	"errors"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/nyaruka/phonenumbers"
	"golang.org/x/text/width"
)

// Errors of a number.
var (
	ErrNotANumber = errors.New("is not a phone number; +442079460000 is understood")
	ErrEmergency  = errors.New("is an emergency number: those are never dialled")
)

const (
	remembered   = 4096
	longestText  = 40 // characters; no number is written longer
	fewestDigits = 7
	mostDigits   = 15
)

// HomeCountry is the default country for national numbers.
const HomeCountry = "gb"

// emergency numbers are refused in every country.
var emergency = map[string]bool{"999": true, "112": true, "111": true, "101": true, "911": true, "000": true}

// Numbers parses telephone numbers, with a cache for those that take longer.
type Numbers struct {
	seen *lru.Cache[string, string]
}

// NewNumbers returns a parser with an empty cache.
func NewNumbers() *Numbers {
	seen, err := lru.New[string, string](remembered)
	if err != nil {
		panic(err) // only if the size is not positive
	}
	return &Numbers{seen: seen}
}

// Read returns the E.164 digits of a number, without a plus sign. National numbers are
// parsed for a country (two letters). A number is accepted if it is possible, even if it
// is not in use: numbers reserved for tests are not "valid".
func (r *Numbers) Read(number, country string) (string, error) {
	text := strings.TrimSpace(number)
	if Emergency(text) {
		return "", ErrEmergency
	}
	if digits, plus := strings.CutPrefix(text, "+"); plus && e164(digits) {
		return digits, nil
	}
	key := country + " " + text
	if known, ok := r.seen.Get(key); ok {
		return known, nil
	}
	digits, err := ParseNumber(text, country)
	if err == nil {
		r.seen.Add(key, digits)
	}
	return digits, err
}

// ParseNumber is [Numbers.Read] for few numbers.
func ParseNumber(number, country string) (string, error) {
	text := width.Narrow.String(strings.TrimSpace(number))
	if Emergency(text) {
		return "", ErrEmergency
	}
	if len(text) > longestText || strings.ContainsFunc(text, func(c rune) bool { return c > 0x7e || c >= 'A' }) {
		return "", ErrNotANumber
	}
	region := strings.ToUpper(country)
	parsed, err := phonenumbers.Parse(text, region)
	if err == nil && phonenumbers.IsPossibleNumber(parsed) {
		return strings.TrimPrefix(phonenumbers.Format(parsed, phonenumbers.E164), "+"), nil
	}
	// Digits that are not a national number may be an international one without its plus
	// sign.
	if e164(text) {
		return text, nil
	}
	return "", ErrNotANumber
}

// Emergency reports whether a number is an emergency number, in any spacing.
func Emergency(number string) bool {
	return emergency[strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, number)]
}

// EmergencyIn is [Emergency] for a country, whose own emergency numbers are included: 110 in
// Germany.
func EmergencyIn(number, country string) bool {
	return Emergency(number) || phonenumbers.IsEmergencyNumber(number, strings.ToUpper(country))
}

// Premium reports whether calls to a number, E.164 digits, are charged at a premium.
func Premium(digits string) bool {
	parsed, err := phonenumbers.Parse("+"+digits, "")
	return err == nil && phonenumbers.GetNumberType(parsed) == phonenumbers.PREMIUM_RATE
}

// e164 reports whether s is 7 to 15 digits that do not start with 0.
func e164(s string) bool {
	if len(s) < fewestDigits || len(s) > mostDigits || s[0] == '0' {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}

// FormatNumber formats E.164 digits for a trunk in a country.
func FormatNumber(digits, format, country string) string {
	switch format {
	case FormatE164:
		return digits
	case FormatNational:
		return national(digits, strings.ToUpper(country))
	default:
		return "+" + digits
	}
}

// national removes the country's own code; a number of another country gets the
// international prefix instead.
func national(digits, region string) string {
	parsed, err := phonenumbers.Parse("+"+digits, region)
	if err != nil {
		return "+" + digits
	}
	if int(parsed.GetCountryCode()) == phonenumbers.GetCountryCodeForRegion(region) {
		return trunkPrefix(region) + phonenumbers.GetNationalSignificantNumber(parsed)
	}
	return "00" + digits
}

func trunkPrefix(region string) string {
	return phonenumbers.GetNddPrefixForRegion(region, true)
}

// IsCountry reports whether two capital letters are the code of a country.
func IsCountry(code string) bool {
	return len(code) == 2 && phonenumbers.GetCountryCodeForRegion(code) != 0
}

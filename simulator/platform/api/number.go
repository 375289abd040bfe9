package api

import (
	"errors"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/nyaruka/phonenumbers"
)

// What is wrong with a number.
var (
	ErrNotANumber = errors.New("is not a phone number; +442079460000 is understood")
	ErrEmergency  = errors.New("is an emergency number: those are never dialled")
)

const (
	remembered   = 4096
	longestText  = 40 // characters; nobody spaces a number wider
	fewestDigits = 7
	mostDigits   = 15
)

// HomeCountry is how national numbers are read where nothing names a country.
const HomeCountry = "gb"

// emergency numbers are refused wherever the account is at home.
var emergency = map[string]bool{"999": true, "112": true, "111": true, "101": true, "911": true, "000": true}

// Numbers reads telephone numbers; those that take longer to understand are remembered.
type Numbers struct {
	seen *lru.Cache[string, string]
}

// NewNumbers returns a reader that has seen no number yet.
func NewNumbers() *Numbers {
	seen, err := lru.New[string, string](remembered)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return &Numbers{seen: seen}
}

// Read returns the E.164 digits of a number, without a plus sign. National
// spellings are read as in a country (two letters). A number is taken when it is
// possible, not only when it is in use: numbers that are kept free for tests are
// not "valid".
func (r *Numbers) Read(number, country string) (string, error) {
	text := strings.TrimSpace(number)
	if Emergency(text) {
		return "", ErrEmergency
	}
	if digits, plus := strings.CutPrefix(text, "+"); plus && E164(digits) {
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

// ParseNumber is [Numbers.Read] for who reads few numbers.
func ParseNumber(number, country string) (string, error) {
	text := strings.TrimSpace(number)
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
	// Digits that make no national number may be an international one whose plus
	// sign was left out.
	if E164(text) {
		return text, nil
	}
	return "", ErrNotANumber
}

// Emergency reports whether a number calls for help, however it is spaced.
func Emergency(number string) bool {
	return emergency[strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return c
		}
		return -1
	}, number)]
}

// E164 reports whether s is 7 to 15 digits that do not start with 0.
func E164(s string) bool {
	if len(s) < fewestDigits || len(s) > mostDigits || s[0] == '0' {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}

// FormatNumber spells E.164 digits as a trunk in a country wants them.
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

// national drops the country's own code; a number of another country keeps its
// code, after the prefix that dials abroad.
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

package vary

import (
	"bytes"
	"math/rand/v2"
	"strconv"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// style selects how the values of a response are written.
type style struct {
	shuffled bool           // members in any order
	zone     *time.Location // of dates; nil: unchanged
	fraction string         // added to dates without a fraction, such as ".000"; "": none

	lines    bool // one member per line
	charset  bool // the Content-Type has a charset
	slashes  bool // each / is escaped by a backslash
	ascii    bool // characters beyond ASCII are written as \u…
	zeros    bool // 5 is 5.0, and 12.4 is 12.40
	estimate bool // ESTIMATED is ESTIMATE
}

var (
	mildZones = []*time.Location{zone(0), zone(60), time.UTC}
	richZones = append([]*time.Location{zone(-5 * 60), zone(5*60 + 30), zone(-9*60 - 30), zone(13 * 60)}, mildZones...)
)

func zone(minutes int) *time.Location { return time.FixedZone("", minutes*60) }

func drawStyle(l Level, chance *rand.Rand) style {
	coin := func() bool { return chance.IntN(2) == 0 }
	s := style{shuffled: l == Rich || coin()}
	zones, fractions := mildZones, []string{"", "", ".000"}
	if l == Rich {
		zones, fractions = richZones, []string{"", ".0", ".000", ".000000"}
	}
	if coin() {
		s.zone = zones[chance.IntN(len(zones))]
	}
	s.fraction = fractions[chance.IntN(len(fractions))]
	if l == Rich {
		s.lines, s.charset, s.slashes, s.ascii, s.zeros, s.estimate = coin(), coin(), coin(), coin(), coin(), coin()
	}
	return s
}

// leaf writes a value that is neither an object nor a list.
func (s *style) leaf(dst, text []byte, k kind) []byte {
	switch {
	case k == date:
		return s.date(dst, text)
	case k == number && s.zeros:
		return moreDigits(dst, text)
	case k == priceType && s.estimate && string(text) == `"ESTIMATED"`:
		return append(dst, `"ESTIMATE"`...)
	case text[0] == '"' && (s.slashes || s.ascii):
		return s.text(dst, text)
	}
	return append(dst, text...)
}

// date writes the same time in another form.
func (s *style) date(dst, text []byte) []byte {
	at, err := time.Parse(`"`+time.RFC3339+`"`, string(text))
	if err != nil {
		return append(dst, text...)
	}
	clock, offset := "2006-01-02T15:04:05"+s.fraction, "Z07:00"
	if at.Nanosecond() != 0 {
		clock = "2006-01-02T15:04:05.999999999"
	}
	if s.zone != nil {
		at = at.In(s.zone)
		if s.zone != time.UTC {
			offset = "-07:00"
		}
	}
	return at.AppendFormat(dst, `"`+clock+offset+`"`)
}

// moreDigits writes the same number with one more digit.
func moreDigits(dst, text []byte) []byte {
	dst = append(dst, text...)
	switch {
	case bytes.ContainsAny(text, "eE"):
		return dst
	case bytes.IndexByte(text, '.') < 0:
		return append(dst, ".0"...)
	}
	return append(dst, '0')
}

// text writes the same string with other escapes.
func (s *style) text(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text): // existing escapes are kept
			dst = append(dst, c, text[i+1])
			i += 2
			continue
		case c == '/' && s.slashes:
			dst = append(dst, '\\', c)
		case c >= utf8.RuneSelf && s.ascii:
			r, size := utf8.DecodeRune(text[i:])
			dst = escaped(dst, r)
			i += size
			continue
		default:
			dst = append(dst, c)
		}
		i++
	}
	return dst
}

// escaped appends a character as \u and four digits, or as two of these beyond U+FFFF.
func escaped(dst []byte, r rune) []byte {
	units := utf16.AppendRune(nil, r)
	for _, u := range units {
		dst = append(dst, '\\', 'u')
		hex := strconv.FormatUint(uint64(u)|0x10000, 16)
		dst = append(dst, hex[1:]...)
	}
	return dst
}

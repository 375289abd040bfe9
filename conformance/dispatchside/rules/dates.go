package rules

import (
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// ReadTime parses a date-time. It also accepts a space in place of the T, and the basic
// format of ISO 8601 (20261121T103000Z).
func ReadTime(text string) (taxi.Time, error) {
	t, err := taxi.ParseTime(text)
	if err == nil {
		return t, nil
	}
	if spelled, is := extended(text); is {
		return taxi.ParseTime(spelled)
	}
	if day, clock, is := strings.Cut(text, " "); is {
		return taxi.ParseTime(day + "T" + strings.ReplaceAll(clock, " ", ""))
	}
	return t, err
}

// extended converts a date-time from the basic format of ISO 8601 to the extended one; false if it is not in the basic format.
func extended(text string) (string, bool) {
	const day, clock = len("20261121"), len("1030")
	if len(text) < day+1+clock || text[day] != 'T' || strings.Contains(text[:day], "-") || strings.Contains(text[day:], ":") {
		return "", false
	}
	date, rest := text[:day], text[day+1:]
	written := date[:4] + "-" + date[4:6] + "-" + date[6:] + "T" + rest[:2] + ":" + rest[2:clock]
	if rest = rest[clock:]; len(rest) >= 2 && rest[0] >= '0' && rest[0] <= '9' {
		written += ":" + rest[:2]
		rest = rest[2:]
	}
	written += rest
	_, err := taxi.ParseTime(written)
	return written, err == nil
}

// Legible reports whether a date-time can be parsed, even in a wrong format.
func Legible(v jsonvalue.Value) bool {
	_, err := ReadTime(v.Text())
	return err == nil
}

// writeRFC3339 is the hint for a wrong date.
const writeRFC3339 = "Write RFC 3339 with Z or an offset: 2026-11-21T10:30:00Z."

// dateFlaws returns the flaws of a date-time compared with ISO 8601, or nil.
func dateFlaws(v jsonvalue.Value) []Flaw {
	text := v.Text()
	_, err := taxi.ParseTime(text)
	if err == nil {
		return nil
	}
	f := Flaw{At: v, Expected: "string, an ISO 8601 date-time", hint: writeRFC3339}
	_, basic := extended(text)
	switch {
	case !v.HasText():
	case basic:
		f.mild, f.says = true, v.Pointer()+" is in the basic format of ISO 8601, which few parsers accept"
	case strings.Contains(text, " ") && Legible(v):
		f.says = v.Pointer() + " has a space where ISO 8601 has a T"
	case isDay(text):
		f.says = v.Pointer() + " is a date without a time"
	default:
		f.says = v.Pointer() + " is not an ISO 8601 date-time: " + jsonvalue.Clip(text, 40)
	}
	return []Flaw{f}
}

// isDay reports whether a text is a date without a time.
func isDay(text string) bool {
	_, err := taxi.ParseTime(text + "T00:00Z")
	return err == nil
}

// SameInstant reports whether two date-times have the same text or, even in a wrong format, are
// less than a minute apart. One without a zone may be in any zone: package tracking decides at the
// end whether one zone fits them all.
func SameInstant(a, b jsonvalue.Value) bool {
	if a.IsText() && a.Text() == b.Text() {
		return true
	}
	ta, errA := ReadTime(a.Text())
	tb, errB := ReadTime(b.Text())
	if errA != nil || errB != nil {
		return false
	}
	apart := ta.Sub(tb.Time).Abs()
	if ta.Local || tb.Local {
		return apart <= 14*time.Hour && apart%(15*time.Minute) < time.Minute
	}
	return apart < time.Minute
}

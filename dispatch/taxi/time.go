package taxi

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Time is an ISO 8601 date-time of the interface. Parsing accepts all usual forms (no
// seconds, a comma before the fraction, an offset with or without a colon, or none); the
// output is always RFC 3339 with an offset.
type Time struct {
	time.Time

	// Local means that the text had no offset. Time then holds the local time as UTC, until
	// [Time.In] sets its zone.
	Local bool
}

var isoDateTime = regexp.MustCompile(
	`^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d)(?:(:\d\d)(?:[.,](\d{1,9})\d*)?)?` +
		`([Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$`)

// ParseTime parses an ISO 8601 date-time. It refuses a date without a time, which is not a
// pickup time.
func ParseTime(text string) (Time, error) {
	m := isoDateTime.FindStringSubmatch(text)
	if m == nil {
		return Time{}, fmt.Errorf("%q is not an ISO 8601 date-time such as 2026-11-21T10:30:00Z", clip(text))
	}
	date, clock, seconds, fraction, zone := m[1], m[2], m[3], m[4], m[5]
	if seconds == "" {
		seconds = ":00"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	local, midnight := zone == "", clock == "24:00" && seconds == ":00" && strings.Trim(fraction, ".0") == ""
	if midnight { // at the end of the day
		clock = "00:00"
	}
	switch {
	case local, zone == "z":
		zone = "Z"
	case len(zone) == len("+01"):
		zone += ":00"
	case len(zone) == len("+0100"):
		zone = zone[:3] + ":" + zone[3:]
	}
	t, err := time.Parse(time.RFC3339Nano, date+"T"+clock+seconds+fraction+zone)
	if err != nil {
		return Time{}, fmt.Errorf("%q is not a date-time that exists", clip(text))
	}
	if midnight {
		t = t.Add(24 * time.Hour)
	}
	return Time{Time: t, Local: local}, nil
}

// At returns an instant as a [Time] with an offset.
func At(t time.Time) Time { return Time{Time: t} }

// In returns the time in loc: a time without an offset is interpreted as local time in loc;
// any other keeps its instant. A time that comes twice, when summer time ends, is the first (RFC 5545, 3.3.5).
func (t Time) In(loc *time.Location) Time {
	if !t.Local {
		return At(t.Time.In(loc))
	}
	y, mo, d := t.Date()
	h, mi, s := t.Clock()
	at := time.Date(y, mo, d, h, mi, s, t.Nanosecond(), loc)
	_, offset := at.Zone()
	_, before := at.Add(-3 * time.Hour).Zone()
	if first := at.Add(time.Duration(offset-before) * time.Second); first.Before(at) && first.Hour() == h && first.Minute() == mi {
		at = first
	}
	return At(at)
}

// IsZero reports whether t is the zero time.
func (t Time) IsZero() bool { return t.Time.IsZero() }

// MarshalJSON writes RFC 3339 with an offset.
func (t Time) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, len(time.RFC3339Nano)+2)
	b = append(b, '"')
	b = t.AppendFormat(b, time.RFC3339Nano)
	return append(b, '"'), nil
}

// UnmarshalJSON accepts the same texts as [ParseTime]; null leaves t as it is.
func (t *Time) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	// The usual form, parsed without the regular expression. Only the length makes this
	// safe: time.Parse also accepts one-digit hours and offsets of more than a day.
	if len(b) == len(`"2006-01-02T15:04:05Z"`) {
		if usual, err := time.Parse(time.RFC3339, string(b[1:len(b)-1])); err == nil {
			*t = At(usual)
			return nil
		}
	}
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return fmt.Errorf("a date-time is a string, not %s", clip(string(b)))
	}
	parsed, err := ParseTime(text)
	if err != nil {
		return err
	}
	*t = parsed
	return nil
}

// clip shortens an external text for an error message.
func clip(s string) string {
	const most = 60
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

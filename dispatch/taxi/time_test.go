package taxi_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // Europe/London, wherever the tests run

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

func TestParseTimeReadsISO8601(t *testing.T) {
	pattern := timePattern(t)
	for text, want := range map[string]string{
		"2026-11-21T10:30:00Z":                "2026-11-21T10:30:00Z",
		"2026-11-21t10:30:00z":                "2026-11-21T10:30:00Z",
		"2026-11-21T10:30:00+01:00":           "2026-11-21T10:30:00+01:00",
		"2026-11-21T10:30:00+0100":            "2026-11-21T10:30:00+01:00",
		"2026-11-21T10:30:00-08":              "2026-11-21T10:30:00-08:00",
		"2026-11-21T10:30:00-00:00":           "2026-11-21T10:30:00Z",
		"2026-11-21T10:30Z":                   "2026-11-21T10:30:00Z",
		"2026-11-21T10:30+05:45":              "2026-11-21T10:30:00+05:45",
		"2026-11-21T10:30:00.5Z":              "2026-11-21T10:30:00.5Z",
		"2026-11-21T10:30:00,250Z":            "2026-11-21T10:30:00.25Z",
		"2026-11-21T10:30:00.123456789Z":      "2026-11-21T10:30:00.123456789Z",
		"2026-11-21T10:30:00.123456789999Z":   "2026-11-21T10:30:00.123456789Z",
		"2026-11-21T10:30:00.000+01:00":       "2026-11-21T10:30:00+01:00",
		"2024-02-29T23:59:59Z":                "2024-02-29T23:59:59Z",
		"2026-11-21T10:30:00":                 "2026-11-21T10:30:00Z",
		"2026-11-21T10:30":                    "2026-11-21T10:30:00Z",
		"9999-12-31T23:59:59.999999999-23:59": "9999-12-31T23:59:59.999999999-23:59",
	} {
		got, err := taxi.ParseTime(text)
		require.NoError(t, err, text)
		written, err := json.Marshal(got)
		require.NoError(t, err)
		require.Equal(t, `"`+want+`"`, string(written), text)
		require.Equal(t, !strings.ContainsAny(text[10:], "Zz+-"), got.Local, text)
		require.Regexp(t, pattern, text, "the document describes what is read")

		var decoded taxi.Time
		require.NoError(t, json.Unmarshal([]byte(`"`+text+`"`), &decoded))
		require.True(t, decoded.Equal(got.Time), text)
		require.Equal(t, got.Local, decoded.Local, text)
	}
}

func TestParseTimeRefusesOtherFormats(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":            "",
		"a bare date":        "2026-11-21",
		"a bare time":        "10:30:00Z",
		"words":              "tomorrow at ten",
		"an epoch":           "1795257000",
		"the basic format":   "20261121T103000Z",
		"a space between":    "2026-11-21 10:30:00Z",
		"spaces around":      " 2026-11-21T10:30:00Z",
		"the American way":   "11/21/2026 10:30",
		"February 30":        "2026-02-30T10:30:00Z",
		"no leap year":       "2026-02-29T10:30:00Z",
		"month 13":           "2026-13-01T10:30:00Z",
		"hour 25":            "2026-11-21T25:30:00Z",
		"past midnight":      "2026-11-21T24:00:01Z",
		"minute 60":          "2026-11-21T10:60:00Z",
		"a leap second":      "2026-12-31T23:59:60Z",
		"a one-digit hour":   "2026-11-21T9:30:00Z",
		"an offset of a day": "2026-11-21T10:30:00+24:00",
		"decimal minutes":    "2026-11-21T10:30.5Z",
		"a fraction of none": "2026-11-21T10:30:00.Z",
		"a zone's name":      "2026-11-21T10:30:00 GMT",
		"a week date":        "2026-W47-6T10:30:00Z",
		"an ordinal date":    "2026-325T10:30:00Z",
		"a long year":        "+12026-11-21T10:30:00Z",
		"a second line":      "2026-11-21T10:30:00Z\n",
		"other digits":       "２０２６-11-21T10:30:00Z",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := taxi.ParseTime(text)
			require.Error(t, err)
			encoded, err := json.Marshal(text)
			require.NoError(t, err)
			require.Error(t, json.Unmarshal(encoded, new(taxi.Time)), "a JSON string is read no more generously")
		})
	}
}

func TestTimeErrorsAreShort(t *testing.T) {
	_, err := taxi.ParseTime(strings.Repeat("x", 10_000))
	require.Error(t, err)
	require.Less(t, len(err.Error()), 200)
	err = json.Unmarshal([]byte(`{"date":`+strings.Repeat("7", 10_000)+`}`), new(taxi.Journey))
	require.ErrorContains(t, err, "a date-time is a string")
	require.Less(t, len(err.Error()), 200)
}

func TestNullTimeIsAbsent(t *testing.T) {
	var j taxi.Journey
	require.NoError(t, json.Unmarshal([]byte(`{"journeyId":"j-1","status":"HELD","date":null}`), &j))
	require.True(t, j.Date.IsZero())
	written, err := json.Marshal(j)
	require.NoError(t, err)
	require.JSONEq(t, `{"journeyId":"j-1","status":"HELD"}`, string(written))
}

func TestTimeInConvertsToAZone(t *testing.T) {
	london, err := time.LoadLocation("Europe/London")
	require.NoError(t, err)
	for text, want := range map[string]string{
		"2026-11-21T10:30:00":       "2026-11-21T10:30:00Z",      // winter: GMT
		"2026-07-21T10:30:00":       "2026-07-21T10:30:00+01:00", // summer: BST
		"2026-07-21T10:30:00Z":      "2026-07-21T11:30:00+01:00",
		"2026-07-21T10:30:00+09:00": "2026-07-21T02:30:00+01:00",
		"2026-10-25T00:30:00Z":      "2026-10-25T01:30:00+01:00", // the clock shows 01:30 twice:
		"2026-10-25T01:30:00Z":      "2026-10-25T01:30:00Z",      // an offset keeps the two apart
		"2026-10-25T01:30:00":       "2026-10-25T01:30:00+01:00", // and without one, it is the first
		"2026-10-25T02:00:00":       "2026-10-25T02:00:00Z",
		"2026-10-24T24:00:00":       "2026-10-25T00:00:00+01:00", // midnight
		"2026-11-21T24:00Z":         "2026-11-22T00:00:00Z",
		"2027-03-28T00:59:59Z":      "2027-03-28T00:59:59Z",
		"2027-03-28T01:00:00Z":      "2027-03-28T02:00:00+01:00", // 01:00 to 02:00 never happens
	} {
		parsed, err := taxi.ParseTime(text)
		require.NoError(t, err)
		placed := parsed.In(london)
		require.False(t, placed.Local, "the clock is known now")
		written, err := json.Marshal(placed)
		require.NoError(t, err)
		require.Equal(t, `"`+want+`"`, string(written), text)
	}
	never, err := taxi.ParseTime("2027-03-28T01:30:00")
	require.NoError(t, err)
	require.Contains(t, []string{"2027-03-28T00:30:00Z", "2027-03-28T01:30:00Z"}, never.In(london).UTC().Format(time.RFC3339), "one of the two instants around it")
}

// A time that is written is read back as the same instant with the same offset.
func TestTimeSurvivesARoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offset := rapid.IntRange(-(24*60-1), 24*60-1).Draw(t, "offset in minutes") * 60
		seconds := rapid.Int64Range(-62135500000, 253402200000).Draw(t, "Unix time") // years 1 to 9999
		nanos := rapid.Int64Range(0, 999_999_999).Draw(t, "nanoseconds")
		want := taxi.At(time.Unix(seconds, nanos).In(time.FixedZone("", offset)))
		written, err := json.Marshal(want)
		require.NoError(t, err)
		var got taxi.Time
		require.NoError(t, json.Unmarshal(written, &got))
		require.True(t, got.Equal(want.Time), "%s is not %s", got, want)
		again, err := json.Marshal(got)
		require.NoError(t, err)
		require.Equal(t, string(written), string(again))
	})
}

func FuzzParseTime(f *testing.F) {
	for _, seed := range []string{
		"2026-11-21T10:30:00Z", "2026-11-21T10:30:00,5+0100", "2026-11-21t10:30", "2026-02-30T10:30:00Z",
		"0000-01-01T00:00:00+23:59", "2026-11-21T10:30:00+24:60", "2026-11-21T1:30:00Z", "", "\x00",
	} {
		f.Add(seed)
	}
	pattern := timePattern(f)
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := taxi.ParseTime(text)
		encoded, _ := json.Marshal(text)
		var decoded taxi.Time
		decodeErr := json.Unmarshal(encoded, &decoded)
		require.Equal(t, err == nil, decodeErr == nil, "%q alone and in JSON", text)
		if err != nil {
			return
		}
		require.True(t, decoded.Equal(parsed.Time))
		require.Regexp(t, pattern, text)
		written, err := json.Marshal(parsed)
		require.NoError(t, err)
		var again taxi.Time
		require.NoError(t, json.Unmarshal(written, &again))
		require.True(t, again.Equal(parsed.Time), "%q became %s", text, written)
	})
}

// timePattern is how the document describes a date-time.
func timePattern(t testing.TB) *regexp.Regexp {
	t.Helper()
	return regexp.MustCompile(at(t, "#/components/schemas/DateTime")["pattern"].(string))
}

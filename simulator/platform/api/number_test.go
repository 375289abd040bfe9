package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

func TestPhoneNumbersAreParsed(t *testing.T) {
	r := api.NewNumbers()
	for given, want := range map[string]string{
		"+442079460001":       "442079460001",
		"+44 (0)20 7946-0001": "442079460001",
		"020 7946 0001":       "442079460001",
		"02079460001":         "442079460001",
		"442079460001":        "442079460001",
		"0049 30 901820":      "4930901820",
		"07700 900123":        "447700900123",
		"＋44２0 7946 0001":     "442079460001", // as a Japanese keyboard writes
	} {
		for range 2 { // the second time from memory
			got, err := r.Read(given, "gb")
			require.NoError(t, err, given)
			require.Equal(t, want, got, given)
		}
	}
	for _, given := range []string{"", "+", "12", "hello", "0800 TAXI", "+44207946000123456789", "sip:x@y", "١٢٣٤٥٦٧٨٩", "+0441"} {
		_, err := r.Read(given, "gb")
		require.ErrorIs(t, err, api.ErrNotANumber, given)
	}
	for _, given := range []string{"999", "112", "1 1 1", "101", "+112", "911", "９９９"} {
		_, err := r.Read(given, "gb")
		require.ErrorIs(t, err, api.ErrEmergency, given)
	}
}

func TestEmergencyNumbersOfACountry(t *testing.T) {
	require.True(t, api.EmergencyIn("110", "de"))
	require.False(t, api.EmergencyIn("110", "gb"))
	require.True(t, api.EmergencyIn("999", "de"), "everywhere")
	require.False(t, api.EmergencyIn("1101", "de"))
}

func TestPhoneNumbersAreFormattedForTrunks(t *testing.T) {
	for _, row := range []struct{ digits, format, country, want string }{
		{"442079460001", api.FormatE164, "gb", "442079460001"},
		{"442079460001", api.FormatE164P, "gb", "+442079460001"},
		{"442079460001", api.FormatNational, "GB", "02079460001"},
		{"4930901820", api.FormatNational, "gb", "004930901820"},
		{"4930901820", api.FormatNational, "de", "030901820"},
		{"999999999999999", api.FormatNational, "gb", "+999999999999999"},
	} {
		require.Equal(t, row.want, api.FormatNumber(row.digits, row.format, row.country), "%+v", row)
	}
}

// FuzzRead checks that any number that is accepted consists of digits, does not begin with 0, and has a valid length.
func FuzzRead(f *testing.F) {
	f.Add("+442079460001", "gb")
	f.Add("020 7946 0001;ext=7", "GB")
	f.Add("9 9 9", "zz")
	f.Fuzz(func(t *testing.T, number, country string) {
		digits, err := api.ParseNumber(number, country)
		if err != nil {
			return
		}
		require.Regexp(t, `^[1-9][0-9]{2,16}$`, digits)
	})
}

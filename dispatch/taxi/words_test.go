package taxi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

func TestPhoneNumberFormsAndMask(t *testing.T) {
	for number, row := range map[taxi.E164]struct {
		digits, international taxi.E164
		masked                string
	}{
		"442079460001":  {"442079460001", "+442079460001", "***001"},
		"+442079460001": {"442079460001", "+442079460001", "***001"},
		"+123":          {"123", "+123", "***"},
		"":              {"", "", "***"},
		"+":             {"", "+", "***"},
	} {
		require.Equal(t, row.digits, number.Digits())
		require.Equal(t, row.international, number.International())
		require.Equal(t, row.masked, number.Masked())
	}
}

func TestMaskedNumbersCannotBeDialled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := taxi.E164(rapid.StringMatching(`\+?[1-9][0-9]{6,14}`).Draw(t, "number"))
		masked := number.Masked()
		shown := strings.TrimPrefix(masked, "***")
		require.Len(t, shown, 3)
		require.True(t, strings.HasSuffix(string(number), shown))
	})
}

func TestCanBecomeIsReflexiveAndTransitive(t *testing.T) {
	status := rapid.SampledFrom(append(taxi.Statuses(), "", "CANCELED", "held", "PARKED"))
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := status.Draw(t, "a"), status.Draw(t, "b"), status.Draw(t, "c")
		require.Equal(t, a.Known(), a.CanBecome(a), "%s may be seen twice", a)
		if a.CanBecome(b) {
			require.True(t, a.Known() && b.Known(), "%s then %s", a, b)
			require.False(t, a.Terminal() && a != b, "%s is the end", a)
		}
		if a.CanBecome(b) && b.CanBecome(c) {
			require.True(t, a.CanBecome(c), "a poll that missed %s saw %s then %s", b, a, c)
		}
	})
}

func TestKnownChecksTheSpelling(t *testing.T) {
	for _, s := range taxi.Statuses() {
		require.True(t, s.Known())
		require.False(t, taxi.Status(strings.ToLower(string(s))).Known())
	}
	for _, s := range []taxi.UserStatus{taxi.Enabled, taxi.Disabled, taxi.Blacklisted} {
		require.True(t, s.Known())
	}
	require.False(t, taxi.UserStatus("").Known())
	require.False(t, taxi.UserStatus("enabled").Known())
	for _, p := range []taxi.PriceType{taxi.Estimated, taxi.Fixed, taxi.Minimum, taxi.Maximum} {
		require.True(t, p.Known())
		require.Equal(t, p, p.Canonical())
	}
	require.True(t, taxi.PriceType("ESTIMATE").Known())
	require.Equal(t, taxi.Estimated, taxi.PriceType("ESTIMATE").Canonical())
	require.False(t, taxi.PriceType("GUESS").Known())
	require.Equal(t, taxi.PriceType("GUESS"), taxi.PriceType("GUESS").Canonical())
	require.Equal(t, constantsByType(t)["Option"], words(taxi.Options()))
	require.Equal(t, constantsByType(t)["Status"], words(taxi.Statuses()))
}

func words[T ~string](all []T) (words []string) {
	for _, w := range all {
		words = append(words, string(w))
	}
	return words
}

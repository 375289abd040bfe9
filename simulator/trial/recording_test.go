package trial_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/trial"
)

// FuzzReadRecording reads whatever is taken for the recording of days, and what they were
// made from: no day is longer or larger than one that is offered.
func FuzzReadRecording(f *testing.F) {
	header := `{"version":5,"seed":1,"start":1780286400000,"cars":3,"sweep":"* * * * *","options":"0"}` + "\n"
	recipe := `{"trial":{"seed":1,"days":1,"cars":12,"rides":5,"town":"none","assign":"eta","demand":"none","behaviour":"calm","faults":"none","only":null,"event":0}}`
	f.Add(header+header, recipe)
	f.Add(header, strings.Replace(recipe, `"cars":12`, `"cars":2000000000`, 1))
	f.Add(header, strings.Replace(recipe, `"town":"none"`, `"town":"/dev/zero"`, 1))
	f.Fuzz(func(t *testing.T, recording, recipe string) {
		if worlds, err := trial.ReadRecording(strings.NewReader(recording)); err == nil {
			require.NotEmpty(t, worlds)
		}
		if o, ok, err := trial.ReadRecipe([]byte(recipe)); ok && err == nil {
			require.LessOrEqual(t, o.Cars, trial.MaxCars)
			require.LessOrEqual(t, o.Days*o.Rides, trial.MaxDays*trial.MaxRides)
			require.NotContains(t, o.Town, "/")
		}
	})
}

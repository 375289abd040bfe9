package calling

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParsePlace reads anything: a place is somewhere on the globe, and has a name.
func FuzzParsePlace(f *testing.F) {
	for _, seed := range []string{"harbour", "1 Old Road@54.7,2.1", "@1,2", "a@91,0", "a@NaN,NaN", "a@1e400,0", "a@b@-90,-180", "", "\xff@0,0", "x@0x1p-2,1_0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		place, err := ParsePlace(text)
		if err != nil {
			return
		}
		require.NotEmpty(t, place.Address)
		require.NotNil(t, place.Location)
		require.LessOrEqual(t, math.Abs(place.Location.Latitude), 90.0, text)
		require.LessOrEqual(t, math.Abs(place.Location.Longitude), 180.0, text)
	})
}

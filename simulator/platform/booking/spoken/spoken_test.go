package spoken_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// noon is the present in these tests: a Wednesday.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func speaker(t *testing.T, language string, numbers ...taxi.E164) *spoken.Speaker {
	t.Helper()
	london, err := time.LoadLocation("Europe/London")
	require.NoError(t, err)
	return spoken.Builtin().Speaker(language, spoken.SpeakerOptions{
		Zone: london, Now: func() time.Time { return noon }, Guard: spoken.NewGuard(numbers...),
	})
}

// everything fills each slot.
func everything() spoken.Slots {
	keys := map[spoken.Choice]string{}
	for i, c := range spoken.Choices() {
		keys[c] = fmt.Sprint(i % 10)
	}
	return spoken.Slots{
		Firm: "Otterbridge Cars", Name: "Rosalind Whitlock",
		Pickup:  "14 Mill Lane, Otterbridge, ZT1 4BD",
		Dropoff: "Otterbridge Station, Station Road, Otterbridge, ZT1 1AA",
		When:    noon.Add(27*time.Hour + 50*time.Minute),
		Places:  []string{"14 Mill Lane, Otterbridge, ZT1 4BD", "Town Hall, Market Place", "Flat 2, 3 Coopers Close", "112b High Street"},
		House:   "14a", Streets: true,
		Taxis: []spoken.Taxi{
			{When: noon.Add(4 * time.Hour), Pickup: "14 Mill Lane"},
			{When: noon.Add(60 * time.Hour), Pickup: "The Otter Hotel"},
			{When: noon.Add(30 * 24 * time.Hour)},
		},
		Count: 3,
		Fare:  &taxi.Price{Value: 12.4, Currency: "GBP", Type: taxi.Estimated},
		ETA:   &taxi.ETA{Value: 4, Unit: "minutes"},
		JobID: "BK-00123", Vehicle: "White Toyota Prius", Registration: "ZT21 KBD",
		Driver: "Sam Okafor", Badge: "4471", Distance: 640,
		Keys: keys,
	}
}

// TestPromptsAsTheyAre shows what people hear and read, in golden files.
func TestPromptsAsTheyAre(t *testing.T) {
	for _, language := range spoken.Builtin().Languages() {
		s := speaker(t, language)
		for mode, say := range map[string]func(spoken.PromptID, spoken.Slots) []string{
			"said-all": s.Say, "written-all": s.Write,
			"said-none": func(id spoken.PromptID, _ spoken.Slots) []string { return s.Say(id, spoken.Slots{}) },
			"short":     s.Short,
		} {
			t.Run(language+" "+mode, func(t *testing.T) {
				var text strings.Builder
				for _, id := range spoken.PromptIDs() {
					fmt.Fprintf(&text, "%s\n", id)
					for _, line := range say(id, everything()) {
						fmt.Fprintf(&text, "\t%s\n", line)
					}
				}
				golden.Equal(t, "testdata/"+language+"."+mode+".golden", text.String())
			})
		}
	}
}

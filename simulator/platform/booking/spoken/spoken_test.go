package spoken_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// noon is the current time of these tests: a Wednesday.
var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func speaker(t *testing.T, language string, numbers ...taxi.E164) *spoken.Speaker {
	t.Helper()
	london, err := time.LoadLocation("Europe/London")
	require.NoError(t, err)
	return spoken.Builtin().Speaker(language, spoken.SpeakerOptions{
		Zone: london, Now: func() time.Time { return noon }, Guard: spoken.NewGuard(numbers...),
	})
}

// everything returns slots with a value in each.
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

// TestPromptsMatchTheGoldenFiles checks the spoken and written form of each prompt against golden files: each text once, with
// the names of its forms. A star means that all slots are filled.
func TestPromptsMatchTheGoldenFiles(t *testing.T) {
	for _, language := range spoken.Builtin().Languages() {
		s := speaker(t, language)
		ways := []struct {
			name string
			say  func(spoken.PromptID) []string
		}{
			{"said*", func(id spoken.PromptID) []string { return s.Say(id, everything()) }},
			{"short*", func(id spoken.PromptID) []string { return s.Short(id, everything()) }},
			{"written*", func(id spoken.PromptID) []string { return s.Write(id, everything()) }},
			{"said", func(id spoken.PromptID) []string { return s.Say(id, spoken.Slots{}) }},
		}
		var shown strings.Builder
		for _, id := range spoken.PromptIDs() {
			var texts []string
			names := map[string]string{}
			for _, way := range ways {
				text := strings.Join(append([]string{""}, way.say(id)...), "\n\t")
				if names[text] == "" {
					texts = append(texts, text)
				}
				names[text] += " " + way.name
			}
			for _, text := range texts {
				fmt.Fprintf(&shown, "%s:%s%s\n", id, names[text], text)
			}
		}
		golden.Equal(t, "testdata/"+language+".golden", shown.String())
	}
}

package spoken_test

import (
	"testing"

	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// BenchmarkSay says what a booking of a known caller takes.
func BenchmarkSay(b *testing.B) {
	s := spoken.Builtin().Speaker("en-GB", spoken.SpeakerOptions{Guard: spoken.NewGuard("+447700900123", "+442079460001")})
	slots := everything()
	for b.Loop() {
		for _, id := range []spoken.PromptID{spoken.Known, spoken.WhereTo, spoken.Confirm, spoken.Booked, spoken.Goodbye} {
			s.Say(id, slots)
		}
	}
}

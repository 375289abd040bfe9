package simulator_test

import (
	"sync"
	"testing"
	"time"

	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/demand"
	"github.com/cabrank/cabrank/simulator/road"
	streetmap "github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// BenchmarkDay is a whole day with background bookings, from midnight to midnight, in the
// default town and on lattices: all of their streets are alike, which is where a search
// for a way does the most.
func BenchmarkDay(b *testing.B) {
	for _, c := range []struct {
		name    string
		town    func() *streetmap.Town
		cars    int
		perHour int
	}{
		{"default", streetmap.Default, 150, 125},
		{"city", func() *streetmap.Town { return streetmap.Grid(100) }, 5_000, 4_200},
		{"metropolis", func() *streetmap.Town { return streetmap.Grid(316) }, 20_000, 20_833},
	} {
		streets := sync.OnceValue(c.town)
		b.Run(c.name, func(b *testing.B) { wholeDays(b, streets(), c.cars, c.perHour) })
	}
}

func wholeDays(b *testing.B, streets *streetmap.Town, cars, perHour int) {
	const day = 24 * time.Hour
	journeys, events := 0, uint64(0)
	roads := road.Streets(streets)
	roads.Drive(roads.Door(0), roads.Door(1)) // waits until routes can be found
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		records := store.Memory()
		w, err := simulator.New(b.Context(), records, simulator.Options{
			Seed: 1, Town: streets, Cars: cars, Start: simulator.Epoch.Truncate(day),
			Demand: demand.Demand{PerHour: perHour, Prebooked: 20}, Sweep: "0 * * * *",
		})
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if err := w.Clock().Advance(b.Context(), day); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		all, err := records.Journeys(b.Context(), 0)
		if err != nil {
			b.Fatal(err)
		}
		journeys += len(all)
		events += w.Stats().Events
		b.StartTimer()
	}
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(journeys)/float64(b.N), "journeys/day")
	b.ReportMetric(float64(journeys)/seconds, "journeys/s")
	b.ReportMetric(float64(events)/seconds, "events/s")
	b.ReportMetric(day.Seconds()*float64(b.N)/seconds, "×")
}

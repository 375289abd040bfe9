package simulator_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/demand"
	"github.com/cabrank/cabrank/simulator/road"
	streetmap "github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// BenchmarkJourneys measures a whole journey, from /book to COMPLETE, in a world whose clock is
// moved by hand: on an open plane, and in the default town.
func BenchmarkJourneys(b *testing.B) {
	for _, row := range []struct {
		name    string
		cars    int
		streets bool // false: a plane
	}{
		{"cars=150", 150, false},
		{"plane=5000", 5000, false},
		{"default=5000", 5000, true},
	} {
		b.Run(row.name, func(b *testing.B) {
			every := 10 * time.Minute / time.Duration(row.cars) // each car has a third of its time to spare
			o := simulator.Options{Seed: 1, Cars: row.cars, Sweep: "0 * * * *"}
			roads := road.Plane(road.SpotOf(*station.Location))
			if row.streets {
				o.Town = streetmap.Default()
				roads = road.Streets(o.Town)
				roads.Drive(roads.Door(0), roads.Door(1)) // waits until routes can be found
			}
			w, err := simulator.New(b.Context(), store.Memory(), o)
			if err != nil {
				b.Fatal(err)
			}
			places := doors(roads)
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				ride(b, w, i, places)
				if err := w.Clock().Advance(b.Context(), every); err != nil {
					b.Fatal(err)
				}
			}
			if err := w.Clock().UntilIdle(b.Context(), 24*time.Hour); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "journeys/s")
			b.ReportMetric(float64(w.Stats().Events)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

func doors(roads road.Roads) []taxi.Address {
	all := make([]taxi.Address, 1000)
	for i := range all {
		p := roads.Door(uint64(i) * 0x9e3779b97f4a7c15).Point()
		all[i] = taxi.Address{Address: fmt.Sprintf("Door %d", i), Location: &p}
	}
	return all
}

func ride(tb testing.TB, w *simulator.World, i int, places []taxi.Address) {
	tb.Helper()
	r := request(i%10_000, w.Clock().Now(), places[i*7%1000], places[i*13%1000])
	if _, err := w.Service().Book(context.Background(), r); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkDay measures a whole day with background bookings in the default town, from midnight
// to midnight.
func BenchmarkDay(b *testing.B) {
	b.Run("default", func(b *testing.B) { wholeDays(b, streetmap.Default(), 150, 125) })
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

// BenchmarkTimings runs a day of the town and fleet that serve has by default, with resident
// bookings, and reports the median and the 90th percentile of how long each part of a journey
// takes, in seconds of the world. The tables of docs/world.md come from it.
func BenchmarkTimings(b *testing.B) {
	for name, behaviour := range map[string]simulator.Behaviour{"calm": simulator.Calm(), "typical": simulator.Typical(), "stormy": simulator.Stormy()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				for part, took := range aDaysParts(b, behaviour) {
					slices.Sort(took)
					b.ReportMetric(took[len(took)/2].Seconds(), part+"-p50-s")
					b.ReportMetric(took[len(took)*9/10].Seconds(), part+"-p90-s")
				}
			}
		})
	}
}

// aDaysParts returns how long each part of each immediate journey of a day took, by the status
// that ends it.
func aDaysParts(b *testing.B, behaviour simulator.Behaviour) map[string][]time.Duration {
	b.Helper()
	w, err := simulator.New(b.Context(), store.Memory(), simulator.Options{
		Seed: 1, Town: streetmap.Default(), Cars: 40, Start: simulator.Epoch.Truncate(24 * time.Hour),
		Behaviour: behaviour, Demand: demand.Demand{PerHour: 12},
	})
	require.NoError(b, err)
	changes, cancel := w.Subscribe(1 << 20)
	require.NoError(b, w.Clock().Advance(b.Context(), 24*time.Hour))
	cancel()
	parts, since := map[string][]time.Duration{}, map[taxi.JourneyID]simulator.Transition{}
	for c := range changes {
		last, known := since[c.Journey]
		since[c.Journey] = c
		if known && c.To != last.To && c.To != taxi.Cancelled && last.To != taxi.Held {
			parts[string(c.To)] = append(parts[string(c.To)], c.At.Sub(last.At))
		}
	}
	return parts
}

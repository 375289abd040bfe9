package simulator_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/road"
	streetmap "github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// BenchmarkJourneys is the price of a whole journey, from /book to COMPLETE, in
// a world that is moved by hand: on an open plane, and in the default town.
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

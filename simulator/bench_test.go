package simulator_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/store"
)

// BenchmarkJourneys is the price of a whole journey, from /book to COMPLETE, in
// a world that is moved by hand.
func BenchmarkJourneys(b *testing.B) {
	for _, cars := range []int{150, 5000} {
		b.Run(fmt.Sprintf("cars=%d", cars), func(b *testing.B) {
			every := 10 * time.Minute / time.Duration(cars) // each car has a third of its time to spare
			w, err := simulator.New(b.Context(), store.Memory(), simulator.Options{Seed: 1, Cars: cars, Sweep: "0 * * * *"})
			if err != nil {
				b.Fatal(err)
			}
			places := doors()
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

func doors() []taxi.Address {
	roads := simulator.Plane(simulator.SpotOf(*station.Location))
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

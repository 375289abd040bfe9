package simulator_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/demand"
	streetmap "github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// BenchmarkTimings lives through a day of the town and fleet that serve has by default,
// with callers, and reports how long the parts of a journey take in seconds of the world:
// the median, and what nine in ten keep to. The tables of docs/world.md come from it.
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

// aDaysParts returns how long each part of each journey for now took, by the status that
// ends it.
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

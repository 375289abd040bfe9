package host_test

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// BenchmarkOpenLive opens a database with so many journeys booked ahead, each by a user
// of its own and between addresses of its own. It says what each costs: of the start,
// and of memory once garbage is collected.
func BenchmarkOpenLive(b *testing.B) {
	for _, live := range []int{100_000, 250_000} {
		b.Run(strconv.Itoa(live), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "cabrank.db")
			now := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
			bookAhead(b, path, live, now)
			c := host.Default()
			c.Speed = 0
			var kept uint64
			for b.Loop() {
				b.StopTimer()
				before := heap()
				b.StartTimer()
				h, err := host.Open(b.Context(), c, host.Deps{Now: func() time.Time { return now }, Place: store.File(path), AnySeed: true})
				require.NoError(b, err)
				b.StopTimer()
				require.GreaterOrEqual(b, len(h.Records().AllLive()), live)
				kept = heap() - before
				require.NoError(b, h.Close())
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1000/float64(b.N)/float64(live), "µs/journey")
			b.ReportMetric(float64(kept)/float64(live), "B/journey")
		})
	}
}

// heap is how much memory is in use once garbage is collected.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// bookAhead writes a database as dispatch does.
func bookAhead(b *testing.B, path string, live int, now time.Time) {
	s, err := store.Open(b.Context(), path, store.Options{})
	require.NoError(b, err)
	const atOnce = 1000
	for first := 0; first < live; first += atOnce {
		require.NoError(b, s.Update(b.Context(), func(tx *store.Tx) error {
			for i := first; i < min(first+atOnce, live); i++ {
				tx.PutJourney(bookedAhead(tx.NextSerial(), i, now))
			}
			return nil
		}))
	}
	require.NoError(b, s.Close())
}

// bookedAhead is a journey like those that people book.
func bookedAhead(serial uint64, i int, now time.Time) *store.Journey {
	id := fmt.Sprintf("J%08X", uint32(i)*2_654_435_761)
	spot := func(n int) *taxi.Point {
		return &taxi.Point{Longitude: 2.1 + float64(n%1000)/1e5, Latitude: 54.7 + float64(n%997)/1e5}
	}
	booked := now.Add(-time.Hour + time.Duration(i)*time.Hour/250_000)
	return &store.Journey{
		Journey: taxi.Journey{
			JourneyID: taxi.JourneyID(id), Status: taxi.Held,
			Date:      taxi.At(now.Add(time.Duration(24+i%720) * time.Hour)),
			ETA:       &taxi.ETA{Value: 1440, Unit: taxi.UnitMinutes},
			Price:     &taxi.Price{Value: 12.4, Currency: "GBP", Type: taxi.Estimated},
			Pickup:    &taxi.Address{Address: fmt.Sprintf("%d Mill Lane, Otterbridge, ZT1 4BD", i), Location: spot(i)},
			Dropoffs:  []taxi.Address{{Address: fmt.Sprintf("%d Station Road, Otterbridge, ZT3 1AA", i), Location: spot(i + 500)}},
			Passenger: &taxi.Passenger{PhoneNumber: taxi.E164(fmt.Sprintf("+44207%07d", i)), Name: "Ada Lovelace"},
		},
		Serial: serial, UserID: taxi.UserID("u" + id), CreatedAt: booked, UpdatedAt: booked, Fingerprint: sha256.Sum256([]byte(id)),
	}
}

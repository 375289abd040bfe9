package dispatchtest_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/demand"
	streetmap "github.com/cabrank/cabrank/simulator/town"
)

// BenchmarkLive is a town that lives by the wall, many times as fast, while
// callers book over HTTP and ask again and again where their taxi is. An op is
// one call; lag is how late the town's events happen, by the wall.
func BenchmarkLive(b *testing.B) {
	streets := streetmap.Default()
	for _, speed := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("×%d", speed), func(b *testing.B) {
			d := dispatchtest.New(b, dispatchtest.Options{World: simulator.Options{
				Seed: 1, Town: streets, Cars: 150, Wall: time.Now, Speed: speed, Start: time.Now(),
				Demand: demand.Demand{PerHour: 125, Prebooked: 20},
			}})
			go d.World().Run(b.Context())
			callers := atomic.Int64{}
			b.RunParallel(func(pb *testing.PB) { call(b, d, int(callers.Add(1)), pb) })
			s := d.World().Stats()
			b.ReportMetric(float64(s.Events)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(s.LagP50.Seconds()*1000, "lag-p50-ms")
			b.ReportMetric(s.LagP99.Seconds()*1000, "lag-p99-ms")
		})
	}
}

// call is a caller who books one taxi in a hundred calls.
func call(b *testing.B, d *dispatchtest.Fake, caller int, pb *testing.PB) {
	client := d.Client(taxi.ClientOptions{})
	phone := fmt.Sprintf("4420794600%02d", caller%100)
	me, err := client.User(b.Context(), taxi.UserRequest{PhoneNumber: taxi.E164(phone)})
	require.NoError(b, err)
	mine := taxi.JourneyRef{UserID: me.UserID}
	for n := 0; pb.Next(); n++ {
		if n%100 > 0 {
			_, err = client.Status(b.Context(), mine)
			require.NoError(b, err)
			continue
		}
		r := aTaxi(d.Clock().Now())
		r.UserID, r.PhoneNumber = me.UserID, taxi.E164(phone)
		booked, err := client.Book(b.Context(), r)
		require.NoError(b, err)
		mine.JourneyID = booked.JourneyID
	}
}

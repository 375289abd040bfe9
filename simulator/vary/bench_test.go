package vary_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/vary"
)

// BenchmarkStatus asks for a journey whose car is on its way, at each level.
func BenchmarkStatus(b *testing.B) {
	for level := vary.None; level <= vary.Rich; level++ {
		b.Run(fmt.Sprint(level), func(b *testing.B) {
			now := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
			c := host.Default()
			c.Speed, c.Variation = 0, level
			h, err := host.Open(b.Context(), c, host.Deps{Now: func() time.Time { return now }})
			require.NoError(b, err)
			defer h.Close()
			place := &taxi.Address{Address: "1 Mill Lane, Otterbridge, ZT1 4BD", Location: &taxi.Point{Longitude: 2.1, Latitude: 54.7}}
			j, err := h.World().Service().Book(b.Context(), taxi.BookRequest{
				Name: "Ada", PhoneNumber: "442079460001", Pickup: place, Dropoffs: []taxi.Address{*place}, PickupTime: taxi.At(now),
			})
			require.NoError(b, err)
			require.NoError(b, h.World().Clock().UntilStatus(b.Context(), j.JourneyID, taxi.EnRoute, time.Hour))
			u, err := h.World().Service().User(b.Context(), taxi.UserRequest{PhoneNumber: "442079460001"})
			require.NoError(b, err)
			ask := fmt.Sprintf(`{"userId":%q,"journeyId":%q}`, u.UserID, j.JourneyID)
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, taxi.PathStatus, strings.NewReader(ask))
				r.Header.Set("Content-Type", "application/json")
				h.ServeHTTP(w, r)
				if w.Code != http.StatusOK {
					b.Fatal(w.Body)
				}
			}
		})
	}
}

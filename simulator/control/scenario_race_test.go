package control_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
)

// TestScenariosWhileTheWorldLives starts, reads and ends scenarios while the clock is moved
// and bookings come: nobody waits for anybody for ever.
func TestScenariosWhileTheWorldLives(t *testing.T) {
	config := still()
	config.Demand, config.Cars = "city", 50 // so that something changes all the time
	r := newRig(t, config, host.Deps{People: []fixtures.Person{}})
	clock := r.Host().World().Clock()
	var all sync.WaitGroup
	stop := make(chan struct{})
	all.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if clock.Advance(t.Context(), time.Second) != nil {
					return
				}
			}
		}
	})
	for i := range 30 {
		run := do[control.Run](r, "POST", "/scenarios/timeout-after-commit/start", "")
		_, _ = r.desk.Book(t.Context(), r.request(clock.Now().Add(7*24*time.Hour))) // its answer is lost
		is := do[control.Run](r, "GET", "/scenarios/runs/latest", "")
		require.Equal(t, run.ID, is.ID)
		require.LessOrEqual(t, len(is.Journeys), 1, "what the town's residents book is none of it")
		if i%2 == 0 {
			do[control.Run](r, "DELETE", "/scenarios/runs/"+run.ID, "")
		}
	}
	close(stop)
	all.Wait()
}

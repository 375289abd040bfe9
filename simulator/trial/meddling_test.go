package trial_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/trial"
	"github.com/cabrank/cabrank/store"
)

// meddler changes one journey in the store, once, without telling anybody.
type meddler struct {
	simulator.Records
	meddle func(*store.Journey) bool
	once   bool
}

// Apply does what it is asked, and then more.
func (m *meddler) Apply(fn func(*store.Tx) error) (store.Ticket, error) {
	ticket, err := m.Records.Apply(fn)
	all, listing := m.Records.(interface {
		Journeys(context.Context, int) ([]*store.Snapshot, error)
	}).Journeys(context.Background(), 0)
	if listing != nil {
		return ticket, listing
	}
	for _, snap := range all {
		if j := *snap.Journey; !m.once && m.meddle(&j) {
			m.once = true
			_, _ = m.Records.Apply(func(tx *store.Tx) error { tx.PutJourney(&j); return nil })
		}
	}
	return ticket, err
}

// records makes a meddler for each world.
func records(meddle func() func(*store.Journey) bool) trial.Options {
	return trial.Options{Records: func(r simulator.Records) simulator.Records {
		return &meddler{Records: r, meddle: meddle()}
	}}
}

// at meddles with the first journey that reaches a status, a few changes later.
func at(s taxi.Status, change func(*store.Journey)) trial.Options {
	return records(func() func(*store.Journey) bool {
		seen := map[taxi.JourneyID]int{}
		return func(j *store.Journey) bool {
			if j.Status != s {
				return false
			}
			change(j)
			seen[j.JourneyID]++
			return seen[j.JourneyID] == 2
		}
	})
}

// handler answers in place of the service's handler, if it wants to; n counts
// its requests.
func handler(instead func(w http.ResponseWriter, r *http.Request, body []byte, n int, next http.Handler)) trial.Options {
	return trial.Options{Handler: func(next http.Handler) http.Handler {
		n := 0
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				panic(err)
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			n++
			instead(w, r, body, n, next)
		})
	}}
}

// broken are systems that break one rule each.
var broken = map[string]struct {
	rule string
	trial.Options
}{
	"a booking that is asked for again is another": {"once", handler(func(w http.ResponseWriter, r *http.Request, body []byte, n int, next http.Handler) {
		if r.URL.Path == taxi.PathBook && !bytes.Contains(body, []byte("journeyId")) {
			r.Header.Del(taxi.IdempotencyHeader)
			body = bytes.Replace(body, []byte(`"ride"`), fmt.Appendf(nil, `"call":%d,"ride"`, n), 1)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		}
		next.ServeHTTP(w, r)
	})},
	"a cancellation is acknowledged and not made": {"durable", handler(func(w http.ResponseWriter, r *http.Request, _ []byte, _ int, next http.Handler) {
		asked := r.URL.Path
		if asked == taxi.PathCancel {
			r.URL.Path = taxi.PathStatus
		}
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	})},
	"an answer has a field of its own": {"answer", handler(func(w http.ResponseWriter, r *http.Request, _ []byte, _ int, next http.Handler) {
		if r.URL.Path != taxi.PathStatus {
			next.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(bytes.Replace(answer.Body.Bytes(), []byte(`{`), []byte(`{"mood":"sunny",`), 1))
	})},
	"no edit is taken": {"edit", handler(func(w http.ResponseWriter, r *http.Request, body []byte, _ int, next http.Handler) {
		if r.URL.Path != taxi.PathBook || !bytes.Contains(body, []byte("journeyId")) || bytes.Contains(body, []byte("J0000000")) {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", taxi.ProblemContentType)
		w.WriteHeader(http.StatusConflict)
		_, _ = w.Write([]byte(`{"type":"/problems/edit-not-allowed","title":"No","status":409,"instance":"/1","code":"edit-not-allowed"}`))
	})},
	"an edit is taken and not made": {"edit", handler(func(w http.ResponseWriter, r *http.Request, body []byte, _ int, next http.Handler) {
		var edit struct {
			taxi.JourneyRef
			Name *string `json:"name"`
		}
		if r.URL.Path == taxi.PathBook && json.Unmarshal(body, &edit) == nil && edit.JourneyID != "" && edit.UserID != "" {
			body, _ = json.Marshal(edit.JourneyRef)
			r.URL.Path, r.Body, r.ContentLength = taxi.PathStatus, io.NopCloser(bytes.NewReader(body)), int64(len(body))
		}
		next.ServeHTTP(w, r)
	})},
	"a drop-off that the driver is not told of": {"place", at(taxi.POB, func(j *store.Journey) {
		j.Dropoffs = []taxi.Address{{Address: "Elsewhere", Location: &taxi.Point{Longitude: 2.11, Latitude: 54.68}}}
	})},
	"a journey goes back without a word": {"edge", at(taxi.POB, func(j *store.Journey) { j.Status = taxi.EnRoute })},
	"a ride for a penny": {"price", at(taxi.Waiting, func(j *store.Journey) {
		j.Price = &taxi.Price{Value: 0.01, Currency: "GBP", Type: taxi.Fixed}
	})},
	"a car that is another":     {"car", at(taxi.Accepted, func(j *store.Journey) { j.VehicleID = "car-77" })},
	"a held journey with a car": {"presence", at(taxi.Held, func(j *store.Journey) { j.Vehicle = &taxi.Vehicle{Description: "Ghost"} })},
	"a journey from tomorrow":   {"time", at(taxi.EnRoute, func(j *store.Journey) { j.UpdatedAt = j.UpdatedAt.Add(24 * time.Hour) })},
	"a booking nobody lets go":  {"release", at(taxi.Held, func(j *store.Journey) { j.Date = taxi.At(j.Date.Add(-8 * time.Hour)) })},
	"a wait that grows":         {"eta", at(taxi.Waiting, func(j *store.Journey) { j.ETA = &taxi.ETA{Value: 90, Unit: taxi.UnitMinutes} })},
	"a fare put up afterwards": {"terminal", at(taxi.Complete, func(j *store.Journey) {
		j.Price = &taxi.Price{Value: 99, Currency: "GBP", Type: taxi.Fixed}
	})},
}

// TestABrokenSystemIsFoundOut tries systems that break a rule on purpose: the rule
// is named, the run is made small, and its line shows the failure again.
func TestABrokenSystemIsFoundOut(t *testing.T) {
	for name, row := range broken {
		t.Run(name, func(t *testing.T) {
			o := row.Options
			o.Seed, o.Faults = 1, trial.AllFaults
			sum, err := trial.Series(t.Context(), o, 3, 1)
			require.NoError(t, err)
			require.NotNil(t, sum.Failure, "nobody noticed")
			require.Equal(t, row.rule, sum.Failure.Rule, sum.Failure)

			small := trial.Shrink(t.Context(), sum.Failure)
			t.Log(small, small.Line())
			require.Equal(t, row.rule, small.Rule)
			require.LessOrEqual(t, len(small.Options.Only), 3)
			require.Less(t, small.Options.Cars, 12, "as few as it takes for one that suits the ride")
			require.Equal(t, []string{"none", "nearest", "none"}, []string{small.Options.Town, small.Options.Assigner, small.Options.Demand})

			again := small.Options
			again.Event = small.Event
			out, err := trial.Run(t.Context(), again)
			require.NoError(t, err)
			require.NotNil(t, out.Failure)
			require.Equal(t, small.String(), out.Failure.String())
		})
	}
}

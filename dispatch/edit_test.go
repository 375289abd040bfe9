package dispatch_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store"
)

// moved returns an address some metres north of the station.
func moved(metres float64) *taxi.Address {
	const metresPerDegree = 111_195
	return &taxi.Address{
		Address:  "Further up the road",
		Location: &taxi.Point{Longitude: station.Location.Longitude, Latitude: station.Location.Latitude + metres/metresPerDegree},
	}
}

// TestEditMatrixIsEnforced checks every cell of the edit matrix: each field, in each status, with a small and a large change.
func TestEditMatrixIsEnforced(t *testing.T) {
	small := map[string]func(*taxi.BookRequest){
		"name":            func(r *taxi.BookRequest) { r.Name = "Grace" },
		"phoneNumber":     func(r *taxi.BookRequest) { r.PhoneNumber = "+442079460002" },
		"data":            func(r *taxi.BookRequest) { r.Data = json.RawMessage(`{"note":"blue coat"}`) },
		"dropoffs":        func(r *taxi.BookRequest) { r.Dropoffs = []taxi.Address{hospital, station} },
		"pickup":          func(r *taxi.BookRequest) { r.Pickup = moved(200) },
		"pickupTime":      func(r *taxi.BookRequest) { r.PickupTime = taxi.At(r.PickupTime.Add(8 * time.Minute)) },
		"vehicleCategory": func(r *taxi.BookRequest) { r.VehicleCategory = "estate" },
	}
	large := map[string]func(*taxi.BookRequest){
		"pickup":          func(r *taxi.BookRequest) { r.Pickup = moved(600) },
		"pickupTime":      func(r *taxi.BookRequest) { r.PickupTime = taxi.At(r.PickupTime.Add(11 * time.Minute)) },
		"vehicleCategory": func(r *taxi.BookRequest) { r.VehicleCategory = "minibus" },
	}
	for _, row := range dispatch.EditMatrix() {
		for _, status := range taxi.Statuses() {
			rule := row.Rules[status]
			cell(t, row.Field, status, "", small[row.Field], rule == dispatch.EditNever, status)
			if change, ok := large[row.Field]; ok {
				after := status
				if rule == dispatch.EditKeep {
					after = taxi.Waiting // the driver is released
				}
				cell(t, row.Field, status, " by a lot", change, rule == dispatch.EditNever || rule == dispatch.EditNear, after)
			}
		}
	}
}

func cell(t *testing.T, field string, status taxi.Status, much string, change func(*taxi.BookRequest), refused bool, after taxi.Status) {
	if status == taxi.Held {
		after = taxi.Waiting // a booking for now that an operator held comes up again with its edit
	}
	t.Run(fmt.Sprintf("%s%s at %s", field, much, status), func(t *testing.T) {
		h := newHouse(t)
		before, ref := h.bookAt(status)
		r := h.request()
		r.JourneyID, r.UserID = &before.JourneyID, ref.UserID
		change(&r)
		_, err := h.client.Book(t.Context(), r)
		got, statusErr := h.client.Status(t.Context(), ref)
		require.NoError(t, statusErr)
		if refused {
			code := taxi.CodeEditNotAllowed
			if status.Terminal() {
				code = taxi.CodeJourneyClosed
			}
			p := refusal(t, err, code)
			require.Equal(t, status, p.JourneyStatus)
			require.Equal(t, before, got, "refused whole")
			return
		}
		require.NoError(t, err)
		require.Equal(t, before.JourneyID, got.JourneyID)
		require.Equal(t, after, got.Status)
		require.Equal(t, r.Name, got.Passenger.Name)
		require.Equal(t, r.PhoneNumber, got.Passenger.PhoneNumber)
		require.Equal(t, r.Pickup, got.Pickup)
		require.Equal(t, r.Dropoffs, got.Dropoffs)
		require.True(t, got.Date.Equal(r.PickupTime.Time))
		if after == taxi.Waiting {
			holdsToPresence(t, got)
		}
	})
}

func TestUnchangedEditNeverFails(t *testing.T) {
	for _, status := range taxi.Statuses() {
		if status.Terminal() {
			continue
		}
		h := newHouse(t)
		before, ref := h.bookAt(status)
		r := h.request()
		r.JourneyID = &before.JourneyID
		for _, data := range []string{"", "null"} {
			r.Data = json.RawMessage(data)
			got, err := h.client.Book(t.Context(), r)
			require.NoError(t, err)
			require.Equal(t, before, got, status)
		}
		_ = ref
	}
}

func TestTimeEditHoldsOrReleasesTheJourney(t *testing.T) {
	h := newHouse(t)
	j, _ := h.book(h.request())
	r := h.request()
	r.JourneyID = &j.JourneyID
	r.PickupTime = taxi.At(h.now.Add(3 * time.Hour))
	later, err := h.client.Book(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, taxi.Held, later.Status)
	require.Nil(t, later.ETA)

	r.PickupTime = taxi.At(h.now.Add(5 * time.Minute))
	sooner, err := h.client.Book(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, taxi.Waiting, sooner.Status)
	require.NotNil(t, sooner.ETA)

	r.PickupTime = taxi.At(h.now.Add(-time.Hour))
	_, err = h.client.Book(t.Context(), r)
	refusal(t, err, taxi.CodePickupInPast)
}

func TestEditOnBoardTurnsThePriceIntoAnEstimate(t *testing.T) {
	h := newHouse(t)
	j, _ := h.bookAt(taxi.POB)
	require.Equal(t, taxi.Fixed, j.Price.Type)
	r := h.request()
	r.JourneyID = &j.JourneyID
	r.Dropoffs = []taxi.Address{hospital, station}
	got, err := h.client.Book(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, taxi.Estimated, got.Price.Type)
}

// The drive that an edit begins is in the same record as the edit.
func TestEditIsStoredWithItsDrive(t *testing.T) {
	var drive *store.Drive
	records := store.Memory()
	service := dispatch.New(records, dispatch.Options{
		Now: func() time.Time { return morning },
		Reroute: func(before, after *store.Journey) *store.Drive {
			require.Equal(t, hospital, before.Dropoffs[0])
			require.Equal(t, station, after.Dropoffs[0])
			return drive
		},
	})
	r := (&house{now: morning}).request()
	j, err := service.Book(t.Context(), r)
	require.NoError(t, err)
	r.JourneyID, r.Dropoffs = &j.JourneyID, []taxi.Address{station}
	drive = &store.Drive{From: *hospital.Location, To: *station.Location, Departs: morning, Arrives: morning.Add(time.Minute)}
	_, err = service.Book(t.Context(), r)
	require.NoError(t, err)
	kept, err := records.Journey(t.Context(), j.JourneyID)
	require.NoError(t, err)
	require.Equal(t, drive, kept.Drive)
}

func TestForeignJourneysCannotBeEdited(t *testing.T) {
	h := newHouse(t)
	j, _ := h.book(h.request())
	other := h.request()
	other.PhoneNumber = "+442079460002"
	h.book(other)

	other.JourneyID = &j.JourneyID
	_, foreign := h.client.Book(t.Context(), other)
	unknown := taxi.JourneyID("J0000000")
	other.JourneyID = &unknown
	_, missing := h.client.Book(t.Context(), other)
	a, b := refusal(t, foreign, taxi.CodeJourneyNotFound), refusal(t, missing, taxi.CodeJourneyNotFound)
	a.Instance, b.Instance = "", ""
	require.Equal(t, a, b, "nobody can tell a foreign journey from none")

	stranger := h.request()
	stranger.PhoneNumber, stranger.JourneyID = "+442079460003", &j.JourneyID
	_, err := h.client.Book(t.Context(), stranger)
	refusal(t, err, taxi.CodeJourneyNotFound)
	_, err = h.client.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460003"})
	refusal(t, err, taxi.CodeUserNotFound)
}

func TestAnOfferForAnEarlierVersionIsVoid(t *testing.T) {
	h := newHouse(t)
	j, ref := h.book(h.request())
	offered, err := h.records.Journey(t.Context(), ref.JourneyID)
	require.NoError(t, err)
	r := h.request()
	r.JourneyID, r.Dropoffs = &j.JourneyID, []taxi.Address{hospital, station}
	_, err = h.client.Book(t.Context(), r)
	require.NoError(t, err)
	_, err = h.service.Advance(h.now, dispatch.Step{Journey: j.JourneyID, Event: dispatch.EventAccept, Offered: offered.Revision})
	require.ErrorIs(t, err, dispatch.ErrVoid)
}

// A fleet that plans for a change that is undone would drive to nobody.
func TestFleetIsNotifiedOnlyOfStoredChanges(t *testing.T) {
	h := newHouse(t)
	_, ref := h.book(h.request())
	told := len(h.fleet.changes)
	nowhere := math.NaN()
	_, err := h.service.Advance(h.now, dispatch.Step{Journey: ref.JourneyID, Event: dispatch.EventAccept, Offered: 1, Set: func(j *store.Journey) {
		j.Drive = &store.Drive{From: taxi.Point{Longitude: nowhere}}
	}})
	require.Error(t, err, "the store refuses what is no number")
	require.Len(t, h.fleet.changes, told)
	_, err = h.service.Advance(h.now, dispatch.Step{Journey: ref.JourneyID, Event: dispatch.EventAccept, Offered: 1})
	require.NoError(t, err)
	require.Len(t, h.fleet.changes, told+1)
}

// An edit of the time may be three changes; each is reported with the statuses before and after it.
func TestChangesReportTheirOwnStatuses(t *testing.T) {
	h := newHouse(t)
	r := h.request()
	j, ref := h.book(r)
	_, err := h.service.Advance(h.now, dispatch.Step{Journey: ref.JourneyID, Event: dispatch.EventAccept, Offered: 1})
	require.NoError(t, err)
	h.fleet.changes = nil
	r.JourneyID, r.PickupTime = &j.JourneyID, taxi.At(h.now.Add(5*time.Hour))
	held, err := h.client.Book(t.Context(), r)
	require.NoError(t, err)
	require.Nil(t, held.Driver)
	holdsToPresence(t, held)
	var events []dispatch.Event
	var statuses []taxi.Status
	for _, c := range h.fleet.changes {
		events = append(events, c.Event)
		statuses = append(statuses, c.Before.Status, c.After.Status)
	}
	require.Equal(t, []dispatch.Event{dispatch.EventEdit, dispatch.EventDrop, dispatch.EventHold}, events)
	require.Equal(t, []taxi.Status{
		taxi.Accepted, taxi.Accepted, taxi.Accepted, taxi.Waiting, taxi.Waiting, taxi.Held,
	}, statuses)
}

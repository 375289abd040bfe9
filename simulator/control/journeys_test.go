package control_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
)

// newEmptyRig returns a rig whose world has no users and no bookings.
func newEmptyRig(t *testing.T) *rig {
	return newRig(t, still(), host.Deps{People: []fixtures.Person{}})
}

// book books for now, for a caller of a number.
func (r *rig) book(caller int) taxi.Journey {
	r.Helper()
	b := r.request(r.Host().World().Clock().Now())
	b.PhoneNumber = taxi.E164(fmt.Sprintf("+4420794600%02d", caller))
	j, err := r.desk.Book(r.Context(), b)
	require.NoError(r, err)
	return j
}

func TestJourneyOrdersAreApplied(t *testing.T) {
	r := newEmptyRig(t)
	r.refused("GET", "/journeys/latest", "", 404)
	j := r.book(0)
	id := "/journeys/" + string(j.JourneyID)
	v := do[simulator.JourneyView](r, "POST", id+"/transition", `{"to":"ACCEPTED"}`)
	require.Equal(t, taxi.Accepted, v.Status)
	require.NotNil(t, v.Driver)
	first := v.VehicleID
	v = do[simulator.JourneyView](r, "POST", id+"/reassign", `{}`)
	require.NotEqual(t, first, v.VehicleID)
	v = do[simulator.JourneyView](r, "POST", id+"/reassign", fmt.Sprintf(`{"vehicle":%q}`, first))
	require.Equal(t, first, v.VehicleID)
	v = do[simulator.JourneyView](r, "POST", id+"/hold", ``)
	require.True(t, v.Held)
	require.NoError(t, r.Host().World().Clock().Advance(t.Context(), time.Hour))
	require.Equal(t, v, do[simulator.JourneyView](r, "GET", "/journeys/latest", ""))
	v = do[simulator.JourneyView](r, "POST", id+"/script", `{"steps":[{"after":"30s","to":"EN_ROUTE"},{"after":"2m","to":"ARRIVED"},{"after":"1m","drop":true}]}`)
	require.Len(t, v.Script, 3)
	require.False(t, do[simulator.JourneyView](r, "POST", id+"/release", `{}`).Held)
	require.NoError(t, r.Host().World().Clock().Advance(t.Context(), 31*time.Second))
	require.Equal(t, taxi.EnRoute, do[simulator.JourneyView](r, "GET", id, "").Status)
	require.NoError(t, r.Host().World().Clock().Advance(t.Context(), 3*time.Minute))
	require.Equal(t, taxi.Waiting, do[simulator.JourneyView](r, "GET", id, "").Status)
	v = do[simulator.JourneyView](r, "POST", id+"/transition", `{"to":"COMPLETE","force":true}`)
	require.Equal(t, taxi.Complete, v.Status)
	require.Empty(t, v.Ways)
	require.Equal(t, 1, do[control.ScriptsWaiting](r, "POST", "/journeys/next/script", `{"steps":[{"hold":true}]}`).Waiting)
	status, _ := r.send("DELETE", "/journeys/next/script", "")
	require.Equal(t, http.StatusNoContent, status)
	r.book(1)
	require.Empty(t, do[simulator.JourneyView](r, "GET", "/journeys/latest", "").Script)
	r.refused("POST", "/journeys/next/script", `{"steps":[{"to":"POB"}]}`, 422)
}

func TestRefusedJourneyOrdersListLegalOnes(t *testing.T) {
	r := newEmptyRig(t)
	id := "/journeys/" + string(r.book(0).JourneyID)
	status, text := r.send("POST", id+"/transition", `{"to":"POB"}`)
	require.Equal(t, http.StatusConflict, status)
	var p control.Refused
	require.NoError(t, json.Unmarshal([]byte(text), &p))
	require.Equal(t, taxi.Waiting, p.JourneyStatus)
	require.Equal(t, "/to", p.Errors[0].Pointer)
	require.Equal(t, taxi.Accepted, p.Legal[0].To)
	for _, wrong := range []struct {
		path, body string
		status     int
		says       string
	}{
		{id + "/transition", `{}`, 422, `/to: "" is none of`},
		{id + "/transition", `{"to":"POB","why":1}`, 422, "/why is not a known member"},
		{id + "/transition", `{"to":7}`, 422, "/to"},
		{id + "/script", `{"steps":[{"after":"soon","to":"ACCEPTED"}]}`, 422, "/steps/0/after"},
		{id + "/script", `{"steps":[{"to":"ACCEPTED"},{"to":"HELD"}]}`, 422, "/steps/1: ACCEPTED does not become HELD"},
		{id + "/reassign", `{"vehicle":"car-99"}`, 422, "/vehicle: there is no vehicle"},
		{id + "/hold", `{"for":"1m"}`, 422, "/for"},
		{"/journeys/J0/hold", `{}`, 404, `no journey "J0"`},
	} {
		require.Contains(t, r.refused("POST", wrong.path, wrong.body, wrong.status).Detail, wrong.says)
	}
	require.Equal(t, []taxi.FieldError{
		{Pointer: "/to", Code: "type", Detail: "wants a string, not a number"}, {Pointer: "/why", Code: "type", Detail: "is not a known member"},
	}, r.refused("POST", id+"/transition", `{"to":7,"why":1}`, 422).Errors, "all at once")
}

func TestJourneysAreListed(t *testing.T) {
	r := newEmptyRig(t)
	var booked []taxi.JourneyID
	for caller := range 5 {
		booked = append([]taxi.JourneyID{r.book(caller).JourneyID}, booked...)
	}
	listed := func(parameters string) (found []taxi.JourneyID, next string) {
		t.Helper()
		l := do[control.JourneyList](r, "GET", "/journeys"+parameters, "")
		for _, j := range l.Journeys {
			found = append(found, j.JourneyID)
		}
		return found, l.Next
	}
	found, next := listed("")
	require.Equal(t, booked, found)
	require.Empty(t, next)
	found, next = listed("?limit=2")
	require.Equal(t, booked[:2], found)
	found, next = listed("?limit=3&after=" + next)
	require.Equal(t, booked[2:], found)
	found, next = listed("?after=" + next)
	require.Empty(t, found)
	require.Empty(t, next)
	do[simulator.JourneyView](r, "POST", "/journeys/"+string(booked[3])+"/transition", `{"to":"ACCEPTED"}`)
	found, _ = listed("?status=accepted,POB")
	require.Equal(t, booked[3:4], found)
	found, _ = listed("?phone=442079460004")
	require.Equal(t, booked[:1], found)
	found, _ = listed("?phone=442079460999")
	require.Empty(t, found)
	require.NoError(t, r.Host().World().Clock().Advance(t.Context(), time.Second))
	do[simulator.JourneyView](r, "POST", "/journeys/"+string(booked[4])+"/transition", `{"to":"CANCELLED"}`)
	found, _ = listed("?since=2026-06-01T08:00:01Z")
	require.Equal(t, booked[4:], found)
	for parameters, says := range map[string]string{
		"?status=SOON": `status is "SOON"`, "?since=now": "since is", "?limit=0": "1 to 500", "?limit=501": "1 to 500", "?after=x": "after is", "?state=1": "state is not known",
	} {
		require.Contains(t, r.refused("GET", "/journeys"+parameters, "", 422).Detail, says)
	}
}

// TestForgottenJourneysAreNotListed checks that a journey that is forgotten is not returned,
// even before it has been deleted.
func TestForgottenJourneysAreNotListed(t *testing.T) {
	r := newEmptyRig(t)
	kept := r.book(0).JourneyID
	gone := "/journeys/" + string(r.book(1).JourneyID)
	do[simulator.JourneyView](r, "POST", gone+"/transition", `{"to":"CANCELLED"}`)
	require.Len(t, do[control.JourneyList](r, "GET", "/journeys", "").Journeys, 2)
	world := r.Host().World()
	_, leave := world.Enter()
	world.Service().Forget(monday.Add(365 * 24 * time.Hour))
	leave()
	left := do[control.JourneyList](r, "GET", "/journeys", "").Journeys
	require.Len(t, left, 1)
	require.Equal(t, kept, left[0].JourneyID)
	require.Equal(t, kept, do[simulator.JourneyView](r, "GET", "/journeys/latest", "").JourneyID)
	r.refused("GET", gone, "", 404)
	r.refused("POST", "/clock/advance", `{"until":{"journey":"`+strings.TrimPrefix(gone, "/journeys/")+`","status":"CANCELLED"}}`, 404)
}

// TestLatestJourneyExcludesInitialBookings checks that latest is none of the bookings with
// which a world begins: those of the fixtures, of a scenario or of a snapshot.
func TestLatestJourneyExcludesInitialBookings(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	for caller, begin := range []string{"/snapshots/one/restore", "/reset", "/scenarios/two-active-bookings/start"} {
		require.NotEmpty(t, do[control.JourneyList](r, "GET", "/journeys", "").Journeys)
		require.Contains(t, r.refused("GET", "/journeys/latest", "", 404).Detail, "nothing has been booked since the world began")
		r.refused("POST", "/clock/advance", `{"until":{"journey":"latest","status":"ARRIVED"}}`, 404)
		j := r.book(caller)
		do[control.Snapshot](r, "PUT", "/snapshots/one", "")
		require.NoError(t, r.Host().Restart(t.Context()))
		require.Equal(t, j.JourneyID, do[simulator.JourneyView](r, "GET", "/journeys/latest", "").JourneyID)
		r.send("POST", begin, "{}")
	}
	r.refused("GET", "/journeys/latest", "", 404)
}

// TestUnknownResourcesReturnNotFoundCodes checks the code of the problem for an unknown
// journey, user and vehicle, whichever call returns it.
func TestUnknownResourcesReturnNotFoundCodes(t *testing.T) {
	r := newEmptyRig(t)
	for call, want := range map[string]taxi.Code{
		"GET /journeys/latest": taxi.CodeJourneyNotFound, "GET /journeys/J0": taxi.CodeJourneyNotFound,
		"POST /journeys/J0/hold": taxi.CodeJourneyNotFound, "POST /journeys/latest/hold": taxi.CodeJourneyNotFound,
		"GET /users/442079460099": taxi.CodeUserNotFound, "DELETE /users/442079460099": taxi.CodeUserNotFound,
		"GET /vehicles/car-9": "vehicle-not-found", "POST /vehicles/car-9/breakdown": "vehicle-not-found",
	} {
		method, path, _ := strings.Cut(call, " ")
		require.Equal(t, want, r.refused(method, path, "", 404).Code, call)
	}
}

// TestRefusedPartnerCarOrderChangesNothing checks that a partner's car is not moved by an order that is
// refused for its other part, the duty.
func TestRefusedPartnerCarOrderChangesNothing(t *testing.T) {
	config := still()
	config.Cars = 1
	r := newRig(t, config, host.Deps{})
	do[control.Outcome](r, "POST", "/advance", order(r.bookAt(monday).JourneyID, taxi.Accepted))
	do[simulator.JourneyView](r, "POST", "/journeys/"+string(r.bookAt(monday.Add(time.Second)).JourneyID)+"/transition", `{"to":"ACCEPTED","force":true}`)
	all := do[control.VehicleList](r, "GET", "/vehicles", "").Vehicles
	require.Len(t, all, 2)
	partner := all[1]
	require.True(t, partner.Partner)
	r.refused("PUT", "/vehicles/"+partner.ID, `{"onDuty":false,"location":{"longitude":-0.1276,"latitude":51.5072}}`, 409)
	require.Contains(t, r.refused("POST", "/vehicles/"+partner.ID+"/breakdown", "", 409).Detail, "reassign that")
	require.Equal(t, partner, do[control.Vehicle](r, "GET", "/vehicles/"+partner.ID, ""))
}

func TestVehiclesAreListedAndUpdated(t *testing.T) {
	r := newEmptyRig(t)
	l := do[control.VehicleList](r, "GET", "/vehicles?limit=3", "")
	require.Len(t, l.Vehicles, 3)
	require.Equal(t, "car-3", l.Next)
	l = do[control.VehicleList](r, "GET", "/vehicles?state=free&after=car-3", "")
	require.Len(t, l.Vehicles, 2)
	require.Empty(t, l.Next)
	require.NotEmpty(t, l.Vehicles[0].Driver.Name)
	v := do[control.Vehicle](r, "PUT", "/vehicles/car-2", `{"onDuty":false,"location":{"longitude":2.1,"latitude":54.71}}`)
	require.False(t, v.OnDuty)
	require.Equal(t, taxi.Point{Longitude: 2.1, Latitude: 54.71}, v.Location)
	require.Equal(t, v, do[control.Vehicle](r, "GET", "/vehicles/car-2", ""))
	v = do[control.Vehicle](r, "POST", "/vehicles/car-2/position", `{"longitude":2.11,"latitude":54.70}`)
	require.Equal(t, taxi.Point{Longitude: 2.11, Latitude: 54.70}, v.Location)
	require.True(t, do[control.Vehicle](r, "PUT", "/vehicles/car-2", `{"onDuty":true}`).OnDuty)
	require.Len(t, do[control.VehicleList](r, "GET", "/vehicles?state=free", "").Vehicles, 5)
	require.Contains(t, r.refused("POST", "/vehicles/car-2/position", `{"longitude":2.11}`, 422).Detail, "/latitude is missing")
	require.Contains(t, r.refused("POST", "/vehicles/car-2/position", `{"longitude":0,"latitude":0}`, 422).Detail, "the place is not in town")
	require.Contains(t, r.refused("PUT", "/vehicles/car-2", `{"location":{"longitude":0,"latitude":0}}`, 422).Detail, "/location: is not in town")
	r.refused("GET", "/vehicles/car-9", "", 404)
	r.refused("PUT", "/vehicles/car-9", `{"onDuty":true}`, 404)
	v = do[control.Vehicle](r, "POST", "/vehicles/car-2/breakdown", `{"for":"30m"}`)
	require.Equal(t, simulator.CarOffDuty, v.State)
	do[control.Advanced](r, "POST", "/clock/advance", `{"by":"29m"}`)
	require.Len(t, do[control.VehicleList](r, "GET", "/vehicles?state=free", "").Vehicles, 4)
	do[control.Advanced](r, "POST", "/clock/advance", `{"by":"1m"}`)
	require.Len(t, do[control.VehicleList](r, "GET", "/vehicles?state=free", "").Vehicles, 5)
	r.refused("POST", "/vehicles/car-9/breakdown", "", 404)
	require.Equal(t, "/for", r.refused("POST", "/vehicles/car-2/breakdown", `{"for":"25h"}`, 422).Errors[0].Pointer)
	r.refused("GET", "/vehicles?state=parked", "", 422)
	r.refused("GET", "/vehicles?after=car-9", "", 422)
}

func TestUsersAreCreatedUpdatedAndDeleted(t *testing.T) {
	r := newEmptyRig(t)
	status, _ := r.send("PUT", "/users/442079460020", `{"status":"BLACKLISTED","name":"Ada"}`)
	require.Equal(t, 201, status)
	u := do[control.User](r, "GET", "/users/+442079460020", "")
	require.Equal(t, taxi.Blacklisted, u.Status)
	require.Equal(t, taxi.E164("442079460020"), u.PhoneNumber)
	_, err := r.desk.Book(t.Context(), r.requestOf("+442079460020"))
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodeUserBlacklisted})
	u = do[control.User](r, "PUT", "/users/"+string(u.UserID), `{"status":"ENABLED","data":{"features":["voice"],"options":[]}}`)
	require.Equal(t, "Ada", u.Name)
	require.Equal(t, []taxi.Feature{"voice"}, u.Data.Features)
	j, err := r.desk.Book(t.Context(), r.requestOf("+442079460020"))
	require.NoError(t, err)
	require.Equal(t, []taxi.JourneyID{j.JourneyID}, do[control.User](r, "GET", "/users/"+string(u.UserID), "").Journeys)
	require.Contains(t, r.refused("DELETE", "/users/442079460020", "", 409).Detail, "cancel them first")
	do[simulator.JourneyView](r, "POST", "/journeys/latest/transition", `{"to":"CANCELLED"}`)
	require.Equal(t, "Guest", do[control.User](r, "PUT", "/users/442079460021", `{"status":"DISABLED"}`).Name)
	require.Len(t, do[control.UserList](r, "GET", "/users?status=disabled", "").Users, 1)
	l := do[control.UserList](r, "GET", "/users?limit=1", "")
	require.Len(t, do[control.UserList](r, "GET", "/users?after="+l.Next, "").Users, 1)
	status, _ = r.send("DELETE", "/users/442079460020", "")
	require.Equal(t, 204, status)
	r.refused("GET", "/users/442079460020", "", 404)
	r.refused("GET", "/users/nobody", "", 404)
	r.refused("PUT", "/users/nobody", `{}`, 404)
	require.Len(t, do[control.UserList](r, "GET", "/users", "").Users, 1)
	require.Contains(t, r.refused("PUT", "/users/442079460020", `{"status":"GONE"}`, 422).Detail, "/status")
	require.Contains(t, r.refused("PUT", "/users/442079460020", `{"data":{"options":7}}`, 422).Detail, "/data")
}

func (r *rig) requestOf(phone taxi.E164) taxi.BookRequest {
	b := r.request(monday)
	b.PhoneNumber = phone
	return b
}

func TestSystemStatusIsSet(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	require.Equal(t, taxi.SystemOK, do[taxi.ConfigResponse](r, "GET", "/system", "").Status)
	do[taxi.ConfigResponse](r, "PUT", "/system", `{"status":"CLOSED","eta":{"value":40,"unit":"minutes"},"data":{"features":["voice"],"language":"cy"}}`)
	is, err := r.desk.Config(t.Context(), taxi.ConfigRequest{})
	require.NoError(t, err)
	require.Equal(t, taxi.SystemClosed, is.Status)
	require.InDelta(t, 40, is.ETA.Value, 0)
	require.JSONEq(t, `"cy"`, string(is.Data.Other["language"]))
	_, err = r.desk.Book(t.Context(), r.request(monday))
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodeServiceClosed})
	for body, says := range map[string]string{
		`{}`:                   "/status is missing",
		`{"status":"ON FIRE"}`: "want one of [OK BUSY CLOSED MAINTENANCE]",
		`{"status":"OK","eta":{"value":-1,"unit":"minutes"}}`: "/eta/value",
		`{"status":"OK","eta":{"value":1}}`:                   "/eta/unit",
	} {
		require.Contains(t, r.refused("PUT", "/system", body, 422).Detail, says)
	}
}

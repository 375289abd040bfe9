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

// newEmptyRig is a rig whose world nobody has booked in.
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

func TestJourneysAreOrderedAbout(t *testing.T) {
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

func TestAnOrderThatIsRefusedSaysWhatIsPossible(t *testing.T) {
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

// TestForgottenJourneysAreNotListed looks before what is forgotten has been deleted.
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

// TestWhatIsNotThere is told with the codes of the operations, whichever call asks.
func TestWhatIsNotThere(t *testing.T) {
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

// TestAPartnersCarIsNotHalfMoved refuses a duty for it before it is put elsewhere.
func TestAPartnersCarIsNotHalfMoved(t *testing.T) {
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

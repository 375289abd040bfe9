package control_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
)

func TestVehiclesAreListedAndPut(t *testing.T) {
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

func TestUsersArePut(t *testing.T) {
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

func TestTheSystemIsSet(t *testing.T) {
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

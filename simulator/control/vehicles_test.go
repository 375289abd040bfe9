package control_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
)

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

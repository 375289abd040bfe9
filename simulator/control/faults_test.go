package control_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
)

// config calls /config of the world that the rig asks.
func (r *rig) config() error {
	_, err := r.desk.Config(r.Context(), taxi.ConfigRequest{})
	return err
}

func TestFaultRulesAreManagedOverHTTP(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	added := do[fault.Listed](r, http.MethodPost, "/faults", `{"match":{"op":"config"},"window":{"times":2},"do":{"kind":"status","status":503,"retryAfter":"30s"}}`)
	require.Equal(t, "f-1", added.ID)
	require.Equal(t, "1: status on config, 2 left", do[control.Overview](r, http.MethodGet, "", "").Faults)
	require.ErrorIs(t, r.config(), &taxi.Problem{Code: taxi.CodeDispatchPaused})
	changed := do[fault.Listed](r, http.MethodPatch, "/faults/f-1", `{"window":{"times":3}}`)
	require.Equal(t, 2, *changed.Left)
	require.Equal(t, 1, do[fault.Listed](r, http.MethodGet, "/faults/f-1", "").Hits)
	status, _ := r.send(http.MethodDelete, "/faults/f-1", "")
	require.Equal(t, http.StatusNoContent, status)
	require.NoError(t, r.config())

	all := do[control.FaultCatalogue](r, http.MethodGet, "/faults/catalogue", "")
	require.Len(t, all.Faults, len(fault.Catalogue()))

	p := r.refused(http.MethodPost, "/faults", `{"match":{"op":"fly"},"do":{"kind":"close","for":"1s"}}`, http.StatusUnprocessableEntity)
	require.Equal(t, "/match/op", p.Errors[0].Pointer)
	require.Equal(t, "/do/for", p.Errors[1].Pointer)
	r.refused(http.MethodPost, "/faults", `{"do":{"kind":"close"},"do":{}}`, http.StatusBadRequest)
	r.refused(http.MethodGet, "/faults/none", "", http.StatusNotFound)
	do[fault.Listed](r, http.MethodPost, "/faults", `{"id":"mine","do":{"kind":"bad-json","form":"bom"}}`)
	r.refused(http.MethodPost, "/faults", `{"id":"mine","do":{"kind":"bad-json","form":"bom"}}`, http.StatusConflict)
	status, _ = r.send(http.MethodDelete, "/faults", "")
	require.Equal(t, http.StatusNoContent, status)
	require.Empty(t, do[control.Faults](r, http.MethodGet, "/faults", "").Faults)
}

// TestMagicNumber306KeepsJourneysWaiting checks that a journey of the number that ends in 306 stays WAITING,
// booked for now and for later, and can be cancelled.
func TestMagicNumber306KeepsJourneysWaiting(t *testing.T) {
	for name, ahead := range map[string]time.Duration{"now": 0, "later": 2 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, still(), host.Deps{})
			asked := r.request(monday.Add(ahead))
			asked.PhoneNumber = fault.MagicBase + "306"
			j, err := r.desk.Book(t.Context(), asked)
			require.NoError(t, err)
			user, err := r.desk.User(t.Context(), taxi.UserRequest{PhoneNumber: asked.PhoneNumber})
			require.NoError(t, err)
			do[control.Advanced](r, http.MethodPost, "/clock/advance", `{"by":"5h"}`)
			ref := taxi.JourneyRef{UserID: user.UserID, JourneyID: j.JourneyID}
			is, err := r.desk.Status(t.Context(), ref)
			require.NoError(t, err)
			require.Equal(t, taxi.Waiting, is.Status)
			is, err = r.desk.Cancel(t.Context(), ref)
			require.NoError(t, err)
			require.Equal(t, taxi.Cancelled, is.Status)
			is, err = r.desk.Status(t.Context(), ref)
			require.NoError(t, err)
			require.Equal(t, taxi.Cancelled, is.Status)
		})
	}
}

// TestRestartFaultKeepsOrLosesBookings checks that the fault restart keeps what was booked, and loses it
// with form=lost.
func TestRestartFaultKeepsOrLosesBookings(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	j, err := r.desk.Book(t.Context(), r.request(monday))
	require.NoError(t, err)
	user, err := r.desk.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460000"})
	require.NoError(t, err)
	ref := taxi.JourneyRef{UserID: user.UserID, JourneyID: j.JourneyID}
	do[fault.Listed](r, http.MethodPost, "/faults", `{"window":{"times":1},"do":{"kind":"restart"}}`)
	_, err = r.desk.Status(t.Context(), ref)
	require.NoError(t, err)
	require.Contains(t, do[control.Overview](r, http.MethodGet, "", "").Faults, "none")
	do[fault.Listed](r, http.MethodPost, "/faults", `{"window":{"times":1},"do":{"kind":"restart","form":"lost"}}`)
	_, err = r.desk.Status(t.Context(), ref)
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodeJourneyNotFound})
}

func TestMagicNumbersAreManagedOverHTTP(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	table := do[control.Magic](r, http.MethodGet, "/magic", "")
	require.Len(t, table.Numbers, len(fault.MagicNumbers()))
	defined := do[fault.Magic](r, http.MethodPut, "/magic/911", `{"kind":"status","status":507}`)
	require.Equal(t, 507, defined.Do.Status)
	asked := r.request(monday)
	asked.PhoneNumber = "+442079460911"
	_, err := r.desk.Book(t.Context(), asked)
	require.ErrorContains(t, err, "507")
	r.refused(http.MethodPut, "/magic/100", `{"kind":"close"}`, http.StatusUnprocessableEntity)
	r.refused(http.MethodPut, "/magic/nine", `{"kind":"close"}`, http.StatusNotFound)
}

// TestOpenAPIListsEveryFaultParameter checks that the document describes the parameters of all
// faults, and that all examples of the catalogue can be added.
func TestOpenAPIListsEveryFaultParameter(t *testing.T) {
	do, _ := described().At("#/components/schemas/Do/properties")
	want := map[string]bool{"kind": true}
	for _, f := range fault.Catalogue() {
		for _, p := range f.Parameters {
			want[p.Name] = true
		}
	}
	for name := range want {
		require.Contains(t, do, name)
	}
	require.Len(t, do, len(want))
	r := newRig(t, still(), host.Deps{})
	for _, f := range fault.Catalogue() { // what it answers is held against the document, too
		for _, x := range f.All() {
			text, err := json.Marshal(x.Rule())
			require.NoError(t, err)
			status, answer := r.send(http.MethodPost, "/faults", string(text))
			require.Equal(t, http.StatusCreated, status, answer)
		}
	}
}

package control_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/host"
)

func TestAClockIsReadAndSet(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	require.Equal(t, control.Clock{Mode: control.Manual, Now: monday, Callers: "world"}, do[control.Clock](r, "GET", "/clock", ""))
	for _, c := range []struct {
		order string
		want  control.Clock
	}{
		{`{"mode":"scaled","speed":60}`, control.Clock{Mode: control.Scaled, Speed: 60, Now: monday, Callers: "world"}},
		{`{"speed":0}`, control.Clock{Mode: control.Manual, Now: monday, Callers: "world"}},
		{`{"speed":30}`, control.Clock{Mode: control.Scaled, Speed: 30, Now: monday, Callers: "world"}},
		{`{"speed":1}`, control.Clock{Mode: control.Real, Speed: 1, Now: monday, Callers: "world"}},
		{`{"mode":"real","callers":"wall"}`, control.Clock{Mode: control.Real, Speed: 1, Now: monday, Callers: "wall"}},
		{`{"mode":"manual","callers":"world"}`, control.Clock{Mode: control.Manual, Now: monday, Callers: "world"}},
	} {
		require.Equal(t, c.want, do[control.Clock](r, "PUT", "/clock", c.order))
		require.Equal(t, c.want, do[control.Clock](r, "PUT", "/clock", `{}`), "what is left out stays")
	}
	set := do[control.Clock](r, "PUT", "/clock", `{"now":"2026-06-02T08:00:00Z"}`)
	require.Equal(t, monday.Add(24*time.Hour), set.Now)

	for order, want := range map[string]string{
		`{"mode":"fast"}`:                      "/mode",
		`{"mode":"scaled"}`:                    "/speed",
		`{"mode":"scaled","speed":10001}`:      "/speed",
		`{"mode":"real","speed":2}`:            "/speed",
		`{"mode":"manual","speed":1}`:          "/speed",
		`{"speed":-1}`:                         "/speed",
		`{"callers":"nobody"}`:                 "/callers",
		`{"now":"2026-06-02T07:59:59Z"}`:       "/now",
		`{"now":"2027-06-02T08:00:00Z"}`:       "/now",
		`{"now":"tomorrow"}`:                   "/now",
		`{"now":"2026-06-03T08:00:00Z","x":1}`: "/x",
	} {
		require.Equal(t, want, r.refused("PUT", "/clock", order, 409, 422).Errors[0].Pointer, order)
	}
	require.Equal(t, set, do[control.Clock](r, "GET", "/clock", ""), "and nothing has moved")
}

// TestProblemDetailsAreReadableSentences checks that the detail of a problem with the whole body, with a
// member and with a parameter is a readable sentence.
func TestProblemDetailsAreReadableSentences(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	require.Equal(t, `want one of "by", "to" and "until"`, r.refused("POST", "/clock/advance", `{}`, 422).Detail)
	require.Equal(t, `/until/status is "SOON", want one of HELD, WAITING, ACCEPTED, EN_ROUTE, ARRIVED, POB, COMPLETE and CANCELLED`,
		r.refused("POST", "/clock/advance", `{"until":{"journey":"latest","status":"SOON"}}`, 422).Detail)
	require.Contains(t, r.refused("GET", "/events?since=abc", "", 422).Detail, `since is "abc"`)
}

// TestPickupTimesFollowTheCallersSetting checks that a booking for now by the wall clock is refused
// in a world that is a day ahead, and accepted once the setting callers is wall.
func TestPickupTimesFollowTheCallersSetting(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	do[control.Clock](r, "PUT", "/clock", `{"now":"2026-06-02T08:00:00Z"}`)
	_, err := r.desk.Book(t.Context(), r.request(monday))
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodePickupInPast})
	do[control.Clock](r, "PUT", "/clock", `{"callers":"wall"}`)
	j, err := r.desk.Book(t.Context(), r.request(monday))
	require.NoError(t, err)
	require.Equal(t, taxi.Waiting, j.Status)
}

// TestPickupTimesByEitherClockAreAccepted checks that bookings by the wall clock and by the clock of a world
// that is an hour ahead are both accepted if the setting callers is either.
func TestPickupTimesByEitherClockAreAccepted(t *testing.T) {
	r := newRig(t, still(), host.Deps{})
	const hour = time.Hour
	do[control.Clock](r, "PUT", "/clock", `{"now":"2026-06-01T09:00:00Z","callers":"either"}`)
	for _, row := range []struct {
		asked  time.Time
		status taxi.Status
	}{
		{monday, taxi.Waiting},                // now, by the wall
		{monday.Add(hour), taxi.Waiting},      // now, by the world
		{monday.Add(hour / 2), taxi.Held},     // in half an hour, by the wall
		{monday.Add(3 * hour / 2), taxi.Held}, // and by the world
	} {
		j, err := r.desk.Book(t.Context(), r.request(row.asked))
		require.NoError(t, err, row.asked)
		require.Equal(t, row.status, j.Status, row.asked)
		require.True(t, row.asked.Equal(j.Date.Time), "it says what was asked for")
	}
	_, err := r.desk.Book(t.Context(), r.request(monday.Add(-hour)))
	require.ErrorIs(t, err, &taxi.Problem{Code: taxi.CodePickupInPast})
}

func TestAClockIsAdvanced(t *testing.T) {
	r := newRig(t, still(), host.Deps{People: []fixtures.Person{}})
	j, err := r.desk.Book(t.Context(), r.request(monday))
	require.NoError(t, err)

	moved := do[control.Advanced](r, "POST", "/clock/advance", `{"until":{"journey":"latest","status":"ARRIVED"}}`)
	require.Equal(t, monday, moved.From)
	require.Len(t, moved.Events, 3)
	require.Equal(t, 3, moved.Changes)
	for i, want := range []taxi.Status{taxi.Accepted, taxi.EnRoute, taxi.Arrived} {
		is := moved.Events[i]
		require.Equal(t, want, is.To)
		require.Equal(t, j.JourneyID, is.JourneyID)
		require.NotEmpty(t, is.VehicleID)
		if i > 0 {
			require.Equal(t, moved.Events[i-1].Seq+1, is.Seq)
		}
	}
	require.Equal(t, moved.Events[2].At, moved.Now)

	by := do[control.Advanced](r, "POST", "/clock/advance", `{"by":"30s"}`)
	require.Equal(t, moved.Now.Add(30*time.Second), by.Now)
	to := do[control.Advanced](r, "POST", "/clock/advance", `{"to":"2026-06-01T08:30:00Z"}`)
	require.Equal(t, monday.Add(30*time.Minute), to.Now)
	require.Equal(t, taxi.Complete, to.Events[len(to.Events)-1].To)
	idle := do[control.Advanced](r, "POST", "/clock/advance", `{"until":"idle"}`)
	require.Equal(t, to.Now, idle.Now)
	require.Equal(t, []control.Change{}, idle.Events)

	late, err := r.desk.Book(t.Context(), r.request(to.Now.Add(24*time.Hour)))
	require.NoError(t, err)
	held := r.refused("POST", "/clock/advance", `{"until":{"journey":"latest","status":"WAITING"},"within":"1h"}`, 409)
	require.Regexp(t, `^the journey is HELD, and did not become WAITING within 1h0m0s: it is released at 2026-06-02T0[78]:\d\d:\d\dZ$`, held.Detail)
	for order, want := range map[string]string{
		`{"until":"idle","within":"1h"}`:                                     "not-reached",
		`{"until":"change","within":"1h"}`:                                   "not-reached",
		`{"until":{"journey":"latest","status":"POB"},"within":"1h"}`:        "journey-in-progress",
		`{"until":{"journey":"` + string(j.JourneyID) + `","status":"POB"}}`: "journey-closed",
		`{"to":"2026-06-01T08:29:59Z"}`:                                      "time-passed",
		`{"until":{"journey":"J0","status":"POB"}}`:                          "journey-not-found",
	} {
		require.Equal(t, taxi.Code(want), r.refused("POST", "/clock/advance", order, 404, 409).Code, order)
	}
	for order, want := range map[string]string{
		``:                                "",
		`{"by":"1s","until":"idle"}`:      "",
		`{"by":"-1s"}`:                    "/by",
		`{"by":"2401h"}`:                  "/by",
		`{"by":7}`:                        "/by",
		`{"by":"1s","within":"1s"}`:       "/within",
		`{"until":"idle","within":"-1s"}`: "/within",
		`{"until":"never"}`:               "/until",
		`{"until":{"journey":"latest"}}`:  "/until/status",
		`{"until":{"journey":"latest","status":"POB","by":1}}`: "/until",
	} {
		require.Equal(t, want, r.refused("POST", "/clock/advance", order, 422).Errors[0].Pointer, order)
	}
	gone := do[control.Advanced](r, "POST", "/clock/advance", `{"until":{"journey":"`+string(late.JourneyID)+`","status":"COMPLETE"}}`)
	require.Equal(t, taxi.Complete, gone.Events[len(gone.Events)-1].To)
	noShow := r.request(gone.Now)
	noShow.PhoneNumber = "+442079460303"
	_, err = r.desk.Book(t.Context(), noShow)
	require.NoError(t, err)
	require.Contains(t, r.refused("POST", "/clock/advance", `{"until":{"journey":"latest","status":"POB"}}`, 409).Detail, "the journey is CANCELLED, and will not be POB")
	for number, from := range map[taxi.E164]string{"+442079460301": "ACCEPTED", "+442079460304": "EN_ROUTE", "+442079460020": "EN_ROUTE"} {
		drops := r.request(r.Host().World().Clock().Now())
		drops.PhoneNumber = number
		_, err = r.desk.Book(t.Context(), drops)
		require.NoError(t, err)
		do[control.Advanced](r, "POST", "/clock/advance", `{"until":{"journey":"latest","status":"`+from+`"}}`)
		require.Equal(t, taxi.CodeJourneyInProgress, r.refused("POST", "/clock/advance", `{"until":{"journey":"latest","status":"HELD"}}`, 409).Code)
		if back := `{"until":{"journey":"latest","status":"WAITING"}}`; number == "+442079460020" {
			require.Contains(t, r.refused("POST", "/clock/advance", back, 409).Detail, "the journey is COMPLETE, and will not be WAITING", "nothing happened to the driver")
		} else {
			events := do[control.Advanced](r, "POST", "/clock/advance", back).Events
			require.Equal(t, dispatch.EventDrop, events[len(events)-1].Event)
		}
	}
}

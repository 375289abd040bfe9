package platform_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// minimal is the shortest valid call request.
const minimal = `{"target":{"phoneNumber":{"number":"+442079460001"}},"verbs":[{"say":{"text":["Hello."]}}]}`

// place sends a call request to the Voice API as the first account.
func (h *house) place(body string, headers ...string) answer {
	h.t.Helper()
	a := h.credentials.Accounts[0]
	return h.placeAs(a.ID, a.ClientID, body, headers...)
}

func (h *house) placeAs(account, client, body string, headers ...string) answer {
	h.t.Helper()
	basic := base64.StdEncoding.EncodeToString([]byte(account + ":" + client))
	return h.send(http.MethodPost, "/channels/voice", body, append([]string{"Authorization", "Basic " + basic, "Content-Type", "application/json"}, headers...)...)
}

// placed places a call and returns its id.
func (h *house) placed(body string) string {
	h.t.Helper()
	a := h.place(body)
	require.Equal(h.t, http.StatusCreated, a.status, "%s", a.body)
	return decoded[api.Created](h.t, a).ID
}

func (h *house) call(id string) calls.View {
	h.t.Helper()
	a := h.send(http.MethodGet, "/sim/v1/calls/"+id, "")
	require.Equal(h.t, http.StatusOK, a.status, "%s", a.body)
	return decoded[calls.View](h.t, a)
}

// said returns what the platform says in a call.
func said(c calls.View) (list []string) {
	for _, line := range c.Transcript {
		if line.Kind == voice.LineSay {
			list = append(list, line.Text)
		}
	}
	return list
}

func TestMinimalCallRequestIsPlaced(t *testing.T) {
	h := newHouse(t)
	a := h.place(minimal)
	require.Equal(t, http.StatusCreated, a.status, "%s", a.body)
	created := decoded[api.Created](t, a)
	require.Regexp(t, "^[0-9a-f]{24}$", created.ID)
	require.Equal(t, "queued", created.Status)
	require.Equal(t, "/sim/v1/calls/"+created.ID, a.header.Get("Location"))
	list := func() string { return string(h.send(http.MethodGet, "/sim/v1/calls", "").body) }
	h.pass(400 * time.Millisecond)
	require.NotEmpty(t, h.call(created.ID).Transcript)
	require.Contains(t, list(), created.ID)
	require.NotContains(t, list(), "transcript", "lists leave them out while a call is up")
	h.pass(time.Minute)
	call := h.call(created.ID)
	require.Equal(t, voice.StateCompleted, call.Status)
	require.Equal(t, 16, call.Cause)
	require.Equal(t, "+"+h.credentials.Accounts[0].MBN, call.From)
	require.Regexp(t, `^\+\*+[0-9]{3}$`, call.To)
	require.Equal(t, []string{"Hello."}, said(call))
	require.Contains(t, list(), created.ID)
	require.NotContains(t, list(), "transcript", "and when it is over")
}

func TestCallerIDMustBelongToTheAccount(t *testing.T) {
	h := newHouse(t)
	account := h.credentials.Accounts[0]
	for given, shown := range map[string]string{
		"":                                  "+" + account.MBN,
		"+" + account.DDIs[1].Name:          "+" + account.DDIs[1].Name,
		"+442079460999":                     "+" + account.MBN,
		"anonymous":                         "anonymous",
		"+" + h.credentials.Accounts[1].MBN: "+" + account.MBN,
	} {
		id := h.placed(strings.Replace(minimal, "{", fmt.Sprintf(`{"callerId":%q,`, given), 1))
		require.Equal(t, shown, h.call(id).From, given)
		h.pass(time.Minute)
	}
}

// TestCallsToEveryKindOfTarget checks the final status of calls to each kind of target.
func TestCallsToEveryKindOfTarget(t *testing.T) {
	h := newHouse(t)
	trunk := h.made(h.path("/trunk"), goodTrunk)
	device := h.made(h.path("/device"), strings.Replace(gateway(trunk, ""), `"extension":""`, `"extension":"201"`, 1))
	for target, status := range map[string]voice.State{
		`{"phoneNumber":{"number":"020 7946 0001"}}`:                     voice.StateCompleted,
		`{"PhoneNumber":{"number":"442079460001"},"timeout":5}`:          voice.StateCompleted,
		`{"extension":{"extension":"201"}}`:                              voice.StateCompleted,
		`{"extension":{"extension":"201","overrideTo":"+442079460007"}}`: voice.StateCompleted,
		`{"device":{"id":"` + device + `"}}`:                             voice.StateCompleted,
		`{"Device":{"id":"` + device + `"}}`:                             voice.StateCompleted,
		`{"SipURI":{"uri":"sip:desk@pbx.example"}}`:                      voice.StateCompleted,
		`{"phoneNumber":{"number":"+442079460486"}}`:                     voice.StateBusy,
		`{"phoneNumber":{"number":"+442079460480"},"timeout":5}`:         voice.StateNoAnswer,
		`{"phoneNumber":{"number":"+442079460603"}}`:                     voice.StateFailed,
	} {
		id := h.placed(`{"target":` + target + `,"verbs":[{"say":{"text":["Hello."]}}]}`)
		h.pass(2 * time.Minute)
		require.Equal(t, status, h.call(id).Status, target)
	}
}

func TestInvalidCallRequestsAreRefused(t *testing.T) {
	h := newHouse(t)
	const target = `"target":{"phoneNumber":{"number":"+442079460001"}}`
	dial := func(to string) string { return `{` + target + `,"verbs":[{"dial":{"targets":[` + to + `]}}]}` }
	for body, want := range map[string]string{
		`{}`: "/target /verbs",
		`{"target":{"phoneNumber":{"number":"12"}},"verbs":[]}`:       "/target/phoneNumber/number",
		`{"target":{"extension":{"extension":"7"}},"verbs":[]}`:       "/target/extension/extension",
		`{"target":{"device":{"id":"x"}},"verbs":[]}`:                 "/target/device/id",
		dial(`{"extension":{"extension":"7"}},{"device":{"id":"x"}}`): "/verbs/0/dial/targets/0/extension/extension /verbs/0/dial/targets/1/device/id",
	} {
		p := h.refused(h.place(body), api.CodeValidation)
		require.ElementsMatch(t, strings.Fields(want), at(p), "%s", body)
	}
	for _, body := range []string{
		strings.Replace(minimal, "+442079460001", "999", 1),
		strings.Replace(minimal, "+442079460001", "1 1 2", 1),
		dial(`{"phoneNumber":{"number":"101"}}`),
	} {
		h.refused(h.place(body), api.CodeEmergency)
	}
	h.refused(h.place(minimal[:40]), api.CodeMalformed)
	h.refused(h.place("[]"), api.CodeMalformed)
	h.refused(h.place(strings.Replace(minimal, "Hello.", strings.Repeat("x", 70<<10), 1)), api.CodeTooLarge)
	require.JSONEq(t, "[]", string(h.send(http.MethodGet, "/sim/v1/calls", "").body), "no call was made of any")
}

func TestVoiceAPIChecksCredentials(t *testing.T) {
	h := newHouse(t)
	one, two := h.credentials.Accounts[0], h.credentials.Accounts[1]
	for _, row := range [][2]string{{one.ID, two.ClientID}, {one.ID, ""}, {"nobody", one.ClientID}, {"", ""}, {one.ID, strings.ToUpper(one.ClientID) + " "}} {
		a := h.placeAs(row[0], row[1], minimal)
		h.refused(a, api.CodeCredentials)
		require.Contains(t, a.header.Get("WWW-Authenticate"), "Basic")
	}
	h.refused(h.send(http.MethodPost, "/channels/voice", minimal, "Content-Type", "application/json"), api.CodeUnauthenticated)
	h.refused(h.send(http.MethodPost, "/channels/voice", minimal, "Authorization", "Bearer "+h.token("admin")), api.CodeUnauthenticated)
	require.Equal(t, http.StatusCreated, h.placeAs(two.ID, two.ClientID, minimal).status)
}

// TestClientIDGuessingIsThrottled checks that wrong client ids are throttled, even from the account's own address.
// An address that has sent the right one before is not affected, others can try again after a second, and logins of
// users are not throttled.
func TestClientIDGuessingIsThrottled(t *testing.T) {
	h := newHouse(t)
	one, two := h.credentials.Accounts[0], h.credentials.Accounts[1]
	h.placed(minimal)
	for range 30 {
		h.refused(h.placeAs(one.ID, "guess", minimal), api.CodeCredentials)
	}
	require.Equal(t, http.StatusCreated, h.place(minimal).status, "whoever shares the address with a guesser")

	throttled := 0
	for range 15 {
		if a := h.placeAs(two.ID, "guess", minimal); a.status == http.StatusTooManyRequests {
			h.refused(a, api.CodeLoginThrottled)
			throttled++
		}
	}
	require.Equal(t, 5, throttled)
	h.refused(h.placeAs(two.ID, two.ClientID, minimal), api.CodeLoginThrottled)
	h.pass(time.Second)
	require.Equal(t, http.StatusCreated, h.placeAs(two.ID, two.ClientID, minimal).status)
	h.login("admin")
}

// TestVoiceAPIRequiresHTTPSFromOutside checks that the Voice API refuses plain HTTP from other machines unless Insecure is set.
func TestVoiceAPIRequiresHTTPSFromOutside(t *testing.T) {
	for _, insecure := range []bool{false, true} {
		h := newHouse(t, func(o *platform.Options) { o.Insecure = insecure })
		req := httptest.NewRequest(http.MethodPost, "/channels/voice", strings.NewReader(minimal)) // from 192.0.2.1
		req.SetBasicAuth(h.credentials.Accounts[0].ID, h.credentials.Accounts[0].ClientID)
		req.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.handler.ServeHTTP(w, req)
		if insecure {
			require.Equal(t, http.StatusCreated, w.Code)
			continue
		}
		h.refused(answer{w.Code, w.Header(), w.Body.Bytes()}, api.CodeHTTPS)
	}
}

func TestIdempotencyKeyRepeatsTheAnswer(t *testing.T) {
	h := newHouse(t)
	first := h.place(minimal, rest.IdempotencyHeader, "k")
	require.Equal(t, http.StatusCreated, first.status)
	again := h.place(minimal, rest.IdempotencyHeader, "k")
	require.Equal(t, first.body, again.body)
	require.Equal(t, "true", again.header.Get(rest.ReplayedHeader))
	require.Empty(t, first.header.Get(rest.ReplayedHeader))
	h.refused(h.place(minimal+" ", rest.IdempotencyHeader, "k"), api.CodeKeyReused)
	h.refused(h.place(minimal, rest.IdempotencyHeader, strings.Repeat("k", 300)), api.CodeValidation)
	other := h.as("admin", http.MethodPost, "/api/v1/account/"+h.credentials.Accounts[1].ID+"/channels/voice", minimal)
	require.Equal(t, http.StatusCreated, other.status, "a key is an account's own")
	h.pass(24 * time.Hour)
	later := h.place(minimal, rest.IdempotencyHeader, "k")
	require.Equal(t, http.StatusCreated, later.status)
	require.NotEqual(t, first.body, later.body)
}

func TestCallRateAndLiveCallsAreLimited(t *testing.T) {
	h := newHouse(t, func(o *platform.Options) { o.Limits.CallsPerSecond, o.Limits.CallBurst = 1, 2 })
	h.placed(minimal)
	h.placed(minimal)
	h.refused(h.place(minimal), api.CodeRateLimited)
	h.pass(time.Second)
	h.placed(minimal)

	h = newHouse(t, func(o *platform.Options) { o.Limits.LiveCalls = 1 })
	h.placed(minimal)
	h.refused(h.place(minimal), api.CodeTooManyCalls)
	h.pass(time.Minute)
	h.placed(minimal)
}

// TestCallEventsAreDeliveredWithTheirTag checks that the events of a call are delivered in order and with its tag, and that a delivery can
// be repeated.
func TestCallEventsAreDeliveredWithTheirTag(t *testing.T) {
	h := newHouse(t)
	third := h.events()
	id := h.placed(strings.Replace(minimal, "{", `{"tag":{"data":{"order":7}},`, 1))
	h.pass(time.Minute)
	var types []string
	for i, body := range third.bodies() {
		var e struct {
			Type      string
			Timestamp time.Time
			Data      struct {
				AccountID, CallID, From, To string
				Seq                         int
				Tag                         json.RawMessage
			}
		}
		require.NoError(t, json.Unmarshal([]byte(body), &e))
		types = append(types, e.Type)
		require.Equal(t, id, e.Data.CallID)
		require.Equal(t, h.credentials.Accounts[0].ID, e.Data.AccountID)
		require.Equal(t, i+1, e.Data.Seq)
		require.JSONEq(t, `{"data":{"order":7}}`, string(e.Data.Tag))
	}
	require.Equal(t, "call.initiated call.ringing call.answered call.verb call.completed", strings.Join(types, " "))
	list := decoded[[]struct{ ID, State, Type string }](t, h.send(http.MethodGet, "/sim/v1/deliveries?state=delivered&call="+id, ""))
	require.Len(t, list, 5)
	require.Equal(t, http.StatusAccepted, h.send(http.MethodPost, "/sim/v1/deliveries/"+list[0].ID+"/attempts", "").status)
	h.pass(time.Second)
	require.Len(t, third.bodies(), 6)
}

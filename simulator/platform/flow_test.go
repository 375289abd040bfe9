package platform_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

const caller = "442079460001"

// attach attaches a phone and returns its id.
func (h *house) attach(body string) string {
	h.t.Helper()
	a := h.send(http.MethodPost, "/sim/v1/phones", body, "Content-Type", "application/json")
	require.Equal(h.t, http.StatusCreated, a.status, "%s", a.body)
	return decoded[simapi.PhoneView](h.t, a).ID
}

func (h *house) phone(id string) simapi.PhoneView {
	h.t.Helper()
	a := h.send(http.MethodGet, "/sim/v1/phones/"+id, "")
	require.Equal(h.t, http.StatusOK, a.status, "%s", a.body)
	return decoded[simapi.PhoneView](h.t, a)
}

func (h *house) act(phone, body string) {
	h.t.Helper()
	a := h.send(http.MethodPost, "/sim/v1/phones/"+phone, body, "Content-Type", "application/json")
	require.Equal(h.t, http.StatusNoContent, a.status, "%s", a.body)
}

// dial calls the first account's first number.
func (h *house) dial(script string) string {
	h.t.Helper()
	to := h.credentials.Accounts[0].DDIs[0].Name
	if script == "" {
		return h.attach(fmt.Sprintf(`{"from":%q,"to":%q}`, caller, to))
	}
	return h.attach(fmt.Sprintf(`{"from":%q,"to":%q,"script":%s}`, caller, to, script))
}

// route connects the first number to a device.
func (h *house) route(to string) {
	h.t.Helper()
	h.made(h.path("/device"), start(to, h.credentials.Accounts[0].DDIs[0].ID))
}

// trunkTo creates a trunk whose far end responds with a SIP status; 0: it answers.
func (h *house) trunkTo(status int) string {
	h.t.Helper()
	return h.made(h.path("/trunk"), fmt.Sprintf(`{"ip":"192.0.2.9","port":%d,"calledFormat":"national","callerFormat":"e164"}`, 5000+status))
}

// TestGatewayExitsFollowTrunkStatus checks which exit of a gateway a call takes for each SIP status of the trunk.
// Behind each exit, a plugin says the exit's name. After 486 Busy Here, the second trunk is not tried.
func TestGatewayExitsFollowTrunkStatus(t *testing.T) {
	for status, exit := range map[int]string{486: "onBusy", 480: "onNoAnswer", 603: "onFail", 404: "onFail", 503: "onFail", 408: "onNoAnswer"} {
		h := newHouse(t)
		third := newThirdParty(t)
		third.answer = func(body string) (int, string) {
			var turn struct{ Data, Action string }
			require.NoError(t, json.Unmarshal([]byte(body), &turn))
			if turn.Action != voice.ActionStart {
				return http.StatusNoContent, ""
			}
			return http.StatusOK, `[{"say":{"text":["` + turn.Data + `"]}}]`
		}
		hook := h.made(h.path("/hook"), `{"app":"flow.generic","url":"`+third.url+`"}`)
		var exits strings.Builder
		exits.WriteString(`,"ringTime":5`)
		for _, name := range []string{"onComplete", "onFail", "onNoAnswer", "onBusy"} {
			fmt.Fprintf(&exits, `,%q:%q`, name, h.made(h.path("/device"), plugin(hook, `,"data":"`+name+`"`)))
		}
		trunks := h.trunkTo(status)
		if status == 486 {
			trunks += `","` + h.trunkTo(0)
		}
		h.route(h.made(h.path("/device"), gateway(trunks, exits.String())))
		phone := h.dial("")
		h.pass(2 * time.Minute)
		call := h.phone(phone).Call
		require.NotNil(t, call, "%d", status)
		require.Equal(t, []string{exit}, said(*call), "%d", status)
		require.Equal(t, voice.StateCompleted, call.Status)
	}
}

func plugin(hook, more string) string {
	return `{"type":"PLUGIN","name":"P","plugin":{"plugin":"` + hook + `"` + more + `}}`
}

// TestCallToNumberWithoutFlowFails checks the cause and SIP status of a call to a number without a flow, and of one whose
// flow hangs up at once. An unknown number is refused.
func TestCallToNumberWithoutFlowFails(t *testing.T) {
	h := newHouse(t)
	phone := h.dial("")
	h.pass(time.Second)
	call := h.phone(phone).Call
	require.Equal(t, []any{voice.StateFailed, 1, 404}, []any{call.Status, call.Cause, call.SIPStatus})
	h.refused(h.send(http.MethodPost, "/sim/v1/phones", `{"from":"442079460001","to":"441632960999"}`, "Content-Type", "application/json"), api.CodeNotFound)

	h.route("HANGUP")
	phone = h.dial("")
	h.pass(time.Second)
	call = h.phone(phone).Call
	require.Equal(t, []any{31, 480}, []any{call.Cause, call.SIPStatus}, "hung up before anybody answered")
}

// TestUnsupportedDeviceLeadsToOnFail checks that a call that reaches a device of an unsupported type continues at the onFail exit
// of the device before it.
func TestUnsupportedDeviceLeadsToOnFail(t *testing.T) {
	h := newHouse(t)
	fax := h.made(h.path("/device"), `{"type":"FAX","name":"Fax"}`)
	good := h.made(h.path("/device"), gateway(h.trunkTo(0), ""))
	h.route(h.made(h.path("/device"), gateway(h.trunkTo(486), `,"onBusy":"`+fax+`","onFail":"`+good+`"`)))
	phone := h.dial("")
	h.pass(time.Minute)
	require.Equal(t, "talking", string(h.phone(phone).Status))
	h.send(http.MethodPost, "/sim/v1/reset", "")
	h.pass(time.Second)
}

// TestFlowHookGathersDigitsAndSpeech checks a call that a flow hook conducts: it asks for a digit and for words, and both arrive at
// the hook.
func TestFlowHookGathersDigitsAndSpeech(t *testing.T) {
	h := newHouse(t)
	answer := func(body string) (int, string) {
		var turn map[string]any
		require.NoError(t, json.Unmarshal([]byte(body), &turn))
		for _, name := range []string{"callId", "from", "to", "digits", "speech", "action"} {
			require.IsType(t, "", turn[name], name)
		}
		switch turn["action"] {
		case "start":
			require.Equal(t, "+"+caller, turn["from"])
			require.Equal(t, "+"+h.credentials.Accounts[0].DDIs[0].Name, turn["to"])
			return 200, `[{"gather":{"action":"menu","numDigits":1,"say":{"text":"Press 1 for a taxi."}}}]`
		case "menu":
			require.Equal(t, "1", turn["digits"])
			require.Equal(t, "digits", turn["reason"])
			return 200, `[{"gather":{"action":"where","input":["speech"],"say":{"text":["Where from?"]}}}]`
		case "where":
			require.Equal(t, "the station", turn["speech"])
			return 200, `[{"say":{"text":["From the station. Goodbye."]}},{"hangup":{"reason":"done"}}]`
		}
		return 204, ""
	}
	h.route(h.asks(answer))
	phone := h.dial(`[{"expect":"press 1"},{"press":"1"},{"expect":"where from"},{"say":"the station"},{"expect":"goodbye"}]`)
	h.pass(2 * time.Minute)
	view := h.phone(phone)
	require.Equal(t, "done", view.Script)
	require.Equal(t, []string{"Press 1 for a taxi.", "Where from?", "From the station. Goodbye."}, said(*view.Call))
	require.Equal(t, "done", view.Call.Reason)
	require.Equal(t, view.Call.Transcript, view.Transcript)
	h.refused(h.send(http.MethodGet, "/sim/v1/stories/none", ""), api.CodeNotFound)
}

// TestFailedFlowHookLeadsToOnError checks that a call continues at onError, and the account receives hook.failed, if its flow hook
// answers with an error status or an invalid document.
func TestFailedFlowHookLeadsToOnError(t *testing.T) {
	for name, answer := range map[string]func(string) (int, string){
		"an error":        func(string) (int, string) { return 500, "" },
		"no document":     func(string) (int, string) { return 200, `{"say":1}` },
		"an unknown verb": func(string) (int, string) { return 200, `[{"sing":{}}]` },
	} {
		h := newHouse(t)
		third, events := newThirdParty(t), newThirdParty(t)
		third.answer = answer
		hook := h.made(h.path("/hook"), `{"app":"flow.generic","url":"`+third.url+`"}`)
		h.made(h.path("/hook"), `{"app":"event.generic","url":"`+events.url+`"}`)
		person := h.made(h.path("/device"), gateway(h.trunkTo(0), ""))
		h.route(h.made(h.path("/device"), plugin(hook, `,"onError":"`+person+`"`)))
		phone := h.dial("")
		h.pass(time.Minute)
		require.Equal(t, "talking", string(h.phone(phone).Status), name)
		require.Contains(t, strings.Join(events.bodies(), " "), `"hook.failed"`, name)
		h.send(http.MethodPost, "/sim/v1/reset", "")
		h.pass(time.Second)
	}
}

// TestExtensionPhoneReceivesACall checks that a call to an extension rings the phone that is attached as this extension, and
// that its keys reach the call.
func TestExtensionPhoneReceivesACall(t *testing.T) {
	h := newHouse(t)
	desk := h.attach(`{"extension":"201"}`)
	require.Equal(t, "waiting", string(h.phone(desk).Status))
	id := h.placed(`{"target":{"extension":{"extension":"201"}},"verbs":[{"gather":{"numDigits":2,"say":{"text":["Hello desk."]}}}]}`)
	h.pass(time.Second)
	require.Equal(t, "ringing", string(h.phone(desk).Status))
	require.Equal(t, "+"+h.credentials.Accounts[0].MBN, h.phone(desk).From)
	h.act(desk, `{"answer":true}`)
	h.act(desk, `{"press":"42"}`)
	h.pass(time.Minute)
	view := h.phone(desk)
	require.Equal(t, "over", string(view.Status))
	require.Equal(t, id, view.Call.ID)
	var keys strings.Builder
	for _, line := range view.Transcript {
		if line.Kind == voice.LinePress {
			keys.WriteString(line.Text)
		}
	}
	require.Equal(t, "42", keys.String())
	h.refused(h.place(`{"target":{"extension":{"extension":"201"}},"verbs":[]}`), api.CodeValidation)
}

// TestControlAPIEndsALiveCall checks that the control API ends a live call, and that a second request is refused.
func TestControlAPIEndsALiveCall(t *testing.T) {
	h := newHouse(t)
	id := h.placed(`{"target":{"phoneNumber":{"number":"+442079460480"},"timeout":60},"verbs":[]}`)
	h.pass(time.Second)
	require.Equal(t, http.StatusNoContent, h.send(http.MethodDelete, "/sim/v1/calls/"+id, "").status)
	h.pass(time.Second)
	require.Equal(t, voice.StateCanceled, h.call(id).Status)
	h.refused(h.send(http.MethodDelete, "/sim/v1/calls/"+id, ""), api.CodeCallOver)
	h.refused(h.send(http.MethodDelete, "/sim/v1/calls/x", ""), api.CodeNotFound)
}

// TestTrunksUseTheirNumberFormats checks that a trunk receives the caller's and the called number in its own formats, and
// which number a gateway presents.
func TestTrunksUseTheirNumberFormats(t *testing.T) {
	number := "+" + template().credentials.Accounts[0].DDIs[0].Name
	for _, row := range []struct{ caller, called, present, from, to string }{
		{"e164", "e164", "pass-through", caller, number[1:]},
		{"e164p", "e164p", "pass-through", "+" + caller, number},
		{"national", "national", "pass-through", "0" + caller[2:], "0" + number[3:]},
		{"e164", "e164", "privacy", "anonymous", number[1:]},
		{"national", "e164", "0113 496 0000", "01134960000", number[1:]},
	} {
		h := newHouse(t)
		trunk := h.made(h.path("/trunk"), fmt.Sprintf(`{"ip":"192.0.2.9","callerFormat":%q,"calledFormat":%q}`, row.caller, row.called))
		h.route(h.made(h.path("/device"), gateway(trunk, fmt.Sprintf(`,"present":%q`, row.present))))
		desk := h.attach(fmt.Sprintf(`{"trunk":%q,"script":[{"wait":"1s"},{"hangup":true}]}`, trunk))
		h.dial("")
		h.pass(time.Minute)
		view := h.phone(desk)
		require.Equal(t, []string{row.from, row.to}, []string{view.From, view.To}, "%+v", row)
		require.Equal(t, "over", string(view.Status))
	}
	h := newHouse(t)
	h.refused(h.post("/sim/v1/phones", `{"trunk":"x"}`), api.CodeValidation)
	h.refused(h.post("/sim/v1/phones", `{"extension":"1","account":"x"}`), api.CodeValidation)
	h.refused(h.post("/sim/v1/phones", `{"extension":"1","number":"02079460001"}`), api.CodeValidation)
}

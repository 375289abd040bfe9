package platform_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// calls returns all calls with their transcripts, the latest first.
func (h *house) calls() []calls.View {
	h.t.Helper()
	all := decoded[[]calls.View](h.t, h.send(http.MethodGet, "/sim/v1/calls", ""))
	for i, c := range all {
		all[i] = h.call(c.ID)
	}
	return all
}

// menu returns a hook that asks a question at the start of a call, and then repeats the keys or words of the answer.
func menu(input string) func(string) (int, string) {
	return func(body string) (int, string) {
		var turn struct{ Action, Digits, Speech string }
		_ = json.Unmarshal([]byte(body), &turn)
		switch turn.Action {
		case "start":
			return 200, `[{"gather":{"input":[` + input + `],"action":"menu","say":{"text":["Which taxi?"]}}}]`
		case "asked": // the other call has heard the question
			return 200, `[{"say":{"text":["the red one"]}},{"gather":{"input":["speech"],"action":"told"}}]`
		case "menu":
			return 200, fmt.Sprintf(`[{"say":{"text":["You chose %s%s."]}}]`, turn.Digits, turn.Speech)
		}
		return 204, ""
	}
}

// answeredBy connects the first number to a hook.
func (h *house) answeredBy(answer func(string) (int, string)) (number string) {
	h.t.Helper()
	h.route(h.asks(answer))
	return h.credentials.Accounts[0].DDIs[0].Name
}

// leadsTo connects the second number to a hook that dials the given number.
func (h *house) leadsTo(number string) (second string) {
	h.t.Helper()
	dials := h.asks(func(body string) (int, string) {
		if !strings.Contains(body, `"action":"start"`) {
			return 204, ""
		}
		return 200, `[{"dial":{"targets":[{"phoneNumber":{"number":"+` + number + `"}}]}}]`
	})
	ddi := h.credentials.Accounts[0].DDIs[1]
	h.made(h.path("/device"), start(dials, ddi.ID))
	return ddi.Name
}

// TestCallToOwnNumberIsLinkedToItsParent checks a call that an account places to one of its own numbers: it comes in as a second call
// that names the first as its parent, and each call has in its transcript what the other says.
func TestCallToOwnNumberIsLinkedToItsParent(t *testing.T) {
	h := newHouse(t)
	number := h.answeredBy(menu(`"speech"`))
	id := h.placed(`{"target":{"phoneNumber":{"number":"+` + number + `"}},"verbs":[` +
		`{"gather":{"input":["speech"],"action":"asked"}}]}`)
	h.pass(time.Minute)
	list := h.calls()
	require.Len(t, list, 2)
	in := list[1]
	if in.ID == id {
		in = list[0]
	}
	require.Equal(t, []any{id, voice.Inbound, "+" + number}, []any{in.Parent, in.Direction, in.To})
	require.Equal(t, "+"+h.credentials.Accounts[0].MBN, in.From)
	require.Equal(t, []string{"Which taxi?", "You chose the red one."}, said(in))
	out := h.call(id)
	require.Equal(t, []string{"Which taxi?", "You chose the red one."}, heardFrom(out, "callee"), "both transcripts tell it")
	require.Equal(t, []string{"the red one"}, heardFrom(in, "caller"))
	require.Equal(t, []voice.State{voice.StateCompleted, voice.StateCompleted}, []voice.State{in.Status, out.Status})
}

// heardFrom returns what a party says in a call.
func heardFrom(c calls.View, party voice.Party) (list []string) {
	for _, line := range c.Transcript {
		if line.Kind == voice.LineSpeech && line.Party == party {
			list = append(list, line.Text)
		}
	}
	return list
}

// TestDialToOwnNumberIsLinkedToItsParent checks the verb dial with another number of the same platform: keys and prompts pass through
// both calls, and the second call names the first as its parent.
func TestDialToOwnNumberIsLinkedToItsParent(t *testing.T) {
	h := newHouse(t)
	second := h.leadsTo(h.answeredBy(menu(`"digits"`)))
	phone := h.attach(`{"from":"442079460001","to":"` + second + `","script":[{"expect":"which taxi"},{"press":"2"},{"expect":"you chose 2"}]}`)
	h.pass(2 * time.Minute)
	view := h.phone(phone)
	require.Equal(t, "done", view.Script, "%+v", view.Transcript)
	list := h.calls()
	require.Len(t, list, 2)
	for _, c := range list {
		require.Equal(t, voice.StateCompleted, c.Status)
		if c.ID != view.CallID {
			require.Equal(t, view.CallID, c.Parent)
			require.Equal(t, []string{"Which taxi?", "You chose 2."}, said(c))
		}
	}
}

// TestNumberThatDialsItselfIsStopped checks that a number whose hook dials the number itself is stopped after 20 devices,
// with SIP status 483 Too Many Hops.
func TestNumberThatDialsItselfIsStopped(t *testing.T) {
	h := newHouse(t)
	own := `[{"dial":{"targets":[{"phoneNumber":{"number":"+` + h.credentials.Accounts[0].DDIs[0].Name + `"}}]}}]`
	h.answeredBy(func(string) (int, string) { return 200, own })
	phone := h.dial("")
	h.pass(5 * time.Minute)
	require.NotNil(t, h.phone(phone).Call)
	list := h.calls()
	require.Len(t, list, 11, "two devices each, 20 in all, and one that was too far")
	require.Equal(t, []any{25, 483}, []any{list[len(list)-1].Cause, list[len(list)-1].SIPStatus})
	h.refused(h.post("/sim/v1/phones", `{"number":"`+h.credentials.Accounts[0].DDIs[0].Name+`"}`), api.CodeValidation)
}

// TestCallToAnotherAccountHidesItsParent checks that a call to a number of another account comes in without the id of its parent call,
// which belongs to somebody else, and that both calls count towards the limit if they are of the same account.
func TestCallToAnotherAccountHidesItsParent(t *testing.T) {
	h := newHouse(t)
	other := h.credentials.Accounts[1].DDIs[0].Name
	id := h.placed(`{"target":{"phoneNumber":{"number":"` + other + `"}},"verbs":[]}`)
	h.pass(time.Minute)
	out := h.call(id)
	require.Equal(t, []any{voice.StateFailed, 1, 404}, []any{out.Status, out.Cause, out.SIPStatus}, "it has no flow")
	in := h.calls()
	require.Len(t, in, 2)
	for _, c := range in {
		require.Empty(t, c.Parent)
	}
	h = newHouse(t, func(o *platform.Options) { o.Limits.LiveCalls = 1 })
	id = h.placed(`{"target":{"phoneNumber":{"number":"` + h.credentials.Accounts[0].DDIs[0].Name + `"}},"verbs":[]}`)
	h.pass(time.Minute)
	require.Equal(t, 503, h.call(id).SIPStatus, "the account has a call up already")
}

// TestTrunksOfTheSameZoneAreTriedFirst checks the order in which trunks are tried: first those in the platform's zone, or if it
// has none, in the zone of the first trunk.
func TestTrunksOfTheSameZoneAreTriedFirst(t *testing.T) {
	for _, row := range []struct {
		platform string
		zones    []string
		want     []int
	}{
		{"", []string{"", "north", ""}, []int{0, 2, 1}},
		{"", []string{"north", "south", "North"}, []int{0, 2, 1}},
		{"south", []string{"north", "south", "south"}, []int{1, 2, 0}},
		{"west", []string{"north", "south", "north"}, []int{0, 1, 2}},
	} {
		for tried, want := range row.want { // those before are out of order
			require.True(t, zoned(t, row.platform).rings(row.zones, row.want[:tried], want), "%+v: %d", row, want)
		}
	}
}

func zoned(t *testing.T, zone string) *house {
	return newHouse(t, func(o *platform.Options) { o.Zone = zone })
}

// rings reports whether a call through a gateway with trunks in these zones, some of them out of order, rings the
// trunk that one is the index of.
func (h *house) rings(zones []string, broken []int, one int) bool {
	var ids []string
	for i, zone := range zones {
		port := 5060
		if slices.Contains(broken, i) {
			port = 5503
		}
		ids = append(ids, h.made(h.path("/trunk"), fmt.Sprintf(`{"ip":"192.0.2.9","port":%d,"zone":%q}`, port, zone)))
	}
	trunks, err := json.Marshal(ids)
	require.NoError(h.t, err)
	h.route(h.made(h.path("/device"), `{"type":"SIP_GATEWAY","name":"G","sipGateway":{"trunks":`+string(trunks)+`}}`))
	desk := h.attach(fmt.Sprintf(`{"trunk":%q}`, ids[one]))
	h.dial("")
	h.pass(2 * time.Second)
	return h.phone(desk).Status == phones.Ringing
}

package platform_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

const (
	goodTrunk = `{"ip":"192.0.2.10","port":5080,"vendor":"Acme","callerFormat":"e164","calledFormat":"national",` +
		`"description":"Depot","zone":"eu-west","countryCode":"GB"}`
	goodHook = `{"app":"event.generic","url":"https://hooks.example/events","authType":"DISABLED","method":"POST","priority":3}`
)

// gateway returns a device of type SIP_GATEWAY with one trunk, and with more fields.
func gateway(trunk, more string) string {
	return `{"type":"SIP_GATEWAY","name":"Office","extension":"","sipGateway":{"trunks":["` + trunk + `"]` + more + `}}`
}

func start(to string, ddis ...string) string {
	list, _ := json.Marshal(ddis)
	return fmt.Sprintf(`{"type":"ROUTE_START","name":"In","extension":"","startRoute":{"ddis":%s,"connectTo":%q}}`, list, to)
}

// TestRESTEndpointsCreateReadAndReplace checks each endpoint of the REST API for its status code and body: reading accounts and
// numbers, the address, and creating, listing, reading and replacing trunks, hooks and devices.
func TestRESTEndpointsCreateReadAndReplace(t *testing.T) {
	h := newHouse(t)
	account := h.credentials.Accounts[0]
	get := func(path string) string {
		a := h.as("admin", http.MethodGet, path, "")
		require.Equal(t, http.StatusOK, a.status, "%s", a.body)
		require.Equal(t, "application/json", a.header.Get("Content-Type"))
		return string(a.body)
	}
	put := func(path, body string) {
		a := h.as("admin", http.MethodPut, path, body)
		require.Equal(t, http.StatusNoContent, a.status, "%s", a.body)
		require.Empty(t, a.body)
	}
	require.JSONEq(t, fmt.Sprintf(`[{"id":%q,"name":%q},{"id":%q,"name":%q}]`, account.ID, account.Name,
		h.credentials.Accounts[1].ID, h.credentials.Accounts[1].Name), get("/api/v1/account"))
	require.JSONEq(t, fmt.Sprintf(`{"id":%q,"name":%q,"mbn":%q,"domain":%q}`, account.ID, account.Name, account.MBN, account.Domain),
		get(h.path("")))
	const address = `{"line1":"1 High Street","line2":"","level1":"Otterbridge","level2":"North","postalCode":"ZT1 9ZZ","country":"GB"}`
	put(h.path("/address"), address)
	require.JSONEq(t, address, get(h.path("/address")))
	var ddis []api.DDI
	require.NoError(t, json.Unmarshal([]byte(get(h.path("/ddi"))), &ddis))
	require.Equal(t, account.DDIs, ddis)

	for _, row := range []struct{ name, body, changed string }{
		{"trunk", goodTrunk, strings.Replace(goodTrunk, "Depot", "Yard", 1)},
		{"hook", goodHook, strings.Replace(goodHook, "3", "4", 1)},
		{"device", start("HANGUP", ddis[0].ID), start("HANGUP", ddis[1].ID)},
	} {
		path := h.path("/" + row.name)
		require.JSONEq(t, "[]", get(path))
		id := h.made(path, row.body)
		require.JSONEq(t, withID(row.body, id), get(path+"/"+id))
		require.JSONEq(t, "["+withID(row.body, id)+"]", get(path))
		put(path+"/"+id, withID(row.changed, id))
		require.JSONEq(t, withID(row.changed, id), get(path+"/"+id))
	}
}

func withID(body, id string) string { return `{"id":"` + id + `",` + body[1:] }

// TestOmittedFieldsGetDefaults checks the values of the fields that a request leaves out.
func TestOmittedFieldsGetDefaults(t *testing.T) {
	h := newHouse(t)
	trunk := h.made(h.path("/trunk"), `{"ip":"2001:db8::7"}`)
	hook := h.made(h.path("/hook"), `{"app":"flow.generic","url":"http://127.0.0.1:1/x"}`)
	device := h.made(h.path("/device"), gateway(trunk, ""))
	plugin := h.made(h.path("/device"), `{"type":"plugin","name":"P","plugin":{"plugin":"`+hook+`","onError":"hangup"}}`)
	for path, want := range map[string]string{
		"/trunk/" + trunk: `{"id":"` + trunk + `","ip":"2001:db8::7","port":5060,"vendor":"","callerFormat":"e164p","calledFormat":"e164p",` +
			`"description":"SIP Trunk","zone":"","countryCode":"gb"}`,
		"/hook/" + hook: `{"id":"` + hook + `","app":"flow.generic","url":"http://127.0.0.1:1/x","authType":"DISABLED","method":"POST","priority":0}`,
		"/device/" + device: `{"id":"` + device + `","type":"SIP_GATEWAY","name":"Office","extension":"","sipGateway":{"ringTime":180,` +
			`"maxCallTime":14400,"record":false,"trunks":["` + trunk + `"],"present":"pass-through","countryCode":"gb",` +
			`"onComplete":"HANGUP","onFail":"HANGUP","onNoAnswer":"HANGUP","onBusy":"HANGUP"}}`,
		"/device/" + plugin: `{"id":"` + plugin + `","type":"PLUGIN","name":"P","extension":"","plugin":{"plugin":"` + hook + `",` +
			`"ringTime":180,"maxCallTime":14400,"present":"pass-through","countryCode":"gb","onTransfer":"HANGUP","onError":"HANGUP",` +
			`"onComplete":"HANGUP","onFail":"HANGUP","onNoAnswer":"HANGUP","onBusy":"HANGUP"}}`,
	} {
		require.JSONEq(t, want, string(h.as("admin", http.MethodGet, h.path(path), "").body))
	}
}

// TestAllInvalidFieldsAreReported checks that a refused body is answered with the pointers of all invalid fields at once.
func TestAllInvalidFieldsAreReported(t *testing.T) {
	h := newHouse(t)
	trunk := h.made(h.path("/trunk"), `{"ip":"192.0.2.1"}`)
	events := h.made(h.path("/hook"), goodHook)
	for _, row := range []struct{ path, body, want string }{
		{"/trunk", `{}`, "/ip"},
		{"/trunk", `{"id":"x","ip":"1.2.3.4.5","port":70000,"vendor":7,"callerFormat":"morse","zone":"` + strings.Repeat("z", 65) +
			`","countryCode":"zz","speed":1}`, "/id /vendor /callerFormat /zone /port /countryCode /ip /speed"},
		{"/trunk", `{"ip":"0.0.0.0","port":5060.5}`, "/ip /port"},
		{"/trunk", `{"ip":"192.0.2.1","port":1e300,"a/b~c":1}`, "/port /a~1b~0c"},
		{"/trunk", `{"ip":null,"description":"bell\u0007"}`, "/ip /description"},
		{"/hook", `{}`, "/app /url"},
		{"/hook", `{"app":"sms","url":"ftp://x","authType":"MAGIC","method":"GET","priority":-1}`, "/app /url /authType /method /priority"},
		{"/hook", `{"app":"event.generic","url":"https://user@x/","authType":"KEY"}`, "/url /apiKeyName /apiKeyValue"},
		{"/hook", `{"app":"event.generic","url":"https://x/","authType":"KEY_SECRET","apiKeyName":"Host","apiKeyValue":"***",` +
			`"apiSecretName":"a b","apiSecretValue":"x\ny"}`, "/apiKeyName /apiKeyValue /apiSecretName /apiSecretValue"},
		{
			"/hook", `{"app":"event.generic","url":"https://x/","authType":"BASIC_AUTH","secret":"whsec_c2hvcnQ="}`,
			"/apiKeyValue /apiSecretValue /secret",
		},
		{"/device", `{}`, "/type /name"},
		{"/device", `{"type":"SIP_GATEWAY","name":"x","extension":"abc"}`, "/extension /sipGateway"},
		{"/device", `{"type":"SIP_GATEWAY","name":"x","sipGateway":[]}`, "/sipGateway"},
		{
			"/device", gateway("nowhere", `,"ringTime":2,"maxCallTime":1,"record":"yes","present":"loud","onBusy":"nowhere","onfail":"x"`),
			"/sipGateway/ringTime /sipGateway/maxCallTime /sipGateway/record /sipGateway/present /sipGateway/onfail /sipGateway/trunks/0 /sipGateway/onBusy",
		},
		{"/device", `{"type":"SIP_GATEWAY","name":"x","sipGateway":{"trunks":[]}}`, "/sipGateway/trunks"},
		{
			"/device", `{"type":"SIP_GATEWAY","name":"x","sipGateway":{"trunks":["` + trunk + `",7,"` + trunk + `"]}}`,
			"/sipGateway/trunks/1 /sipGateway/trunks/2",
		},
		{"/device", `{"type":"SIP_GATEWAY","name":"x","sipGateway":{"trunks":["` + trunk + `"]},"startRoute":{}}`, "/startRoute"},
		{"/device", `{"type":"ROUTE_START","name":"x","startRoute":{}}`, "/startRoute/connectTo /startRoute/ddis"},
		{
			"/device", start("nowhere", "no-number", h.credentials.Accounts[1].DDIs[0].ID),
			"/startRoute/ddis/0 /startRoute/ddis/1 /startRoute/connectTo",
		},
		{"/device", `{"type":"PLUGIN","name":"x","plugin":{"plugin":"` + events + `","onTransfer":"x"}}`, "/plugin/plugin /plugin/onTransfer"},
	} {
		p := h.refused(h.as("admin", http.MethodPost, h.path(row.path), row.body), api.CodeValidation)
		require.ElementsMatch(t, strings.Fields(row.want), at(p), "%s", row.body)
		require.Len(t, p.Details.Fields, len(p.Errors))
	}
	p := h.refused(h.as("admin", http.MethodPut, h.path("/address"), `{"line1":7}`), api.CodeValidation)
	require.ElementsMatch(t, []string{"/line1", "/line2", "/level1", "/level2", "/postalCode", "/country"}, at(p))
}

// TestCyclicOrTooLongFlowsAreRefused checks that devices are refused with which a flow would be a cycle, or longer than 20 devices.
func TestCyclicOrTooLongFlowsAreRefused(t *testing.T) {
	h := newHouse(t)
	path := h.path("/device")
	trunk := h.made(h.path("/trunk"), `{"ip":"192.0.2.1"}`)
	last := h.made(path, gateway(trunk, ""))
	middle := h.made(path, gateway(trunk, `,"onBusy":"`+last+`"`))
	first := h.made(path, gateway(trunk, `,"onFail":"`+middle+`"`))

	p := h.refused(h.as("admin", http.MethodPut, path+"/"+last, withID(gateway(trunk, `,"onNoAnswer":"`+first+`"`), last)), api.CodeValidation)
	require.Equal(t, []string{"/sipGateway/onNoAnswer"}, at(p), "round by three")
	p = h.refused(h.as("admin", http.MethodPut, path+"/"+last, withID(gateway(trunk, `,"onBusy":"`+last+`"`), last)), api.CodeValidation)
	require.Equal(t, []string{"/sipGateway/onBusy"}, at(p), "round by itself")

	next := first
	for range 17 {
		next = h.made(path, gateway(trunk, `,"onComplete":"`+next+`"`))
	}
	p = h.refused(h.as("admin", http.MethodPost, path, gateway(trunk, `,"onComplete":"`+next+`"`)), api.CodeValidation)
	require.Equal(t, []string{"/sipGateway/onComplete"}, at(p), "21 devices")
	p = h.refused(h.as("admin", http.MethodPut, path+"/"+last, withID(gateway(trunk, `,"onFail":"`+h.made(path, gateway(trunk, ""))+`"`), last)), api.CodeValidation)
	require.Equal(t, []string{"/sipGateway/onFail"}, at(p), "21 devices, one more at the end")
}

// TestConflictingDevicesAreRefused checks that a device cannot claim a number or an extension that another device
// has.
func TestConflictingDevicesAreRefused(t *testing.T) {
	h := newHouse(t)
	ddis := h.credentials.Accounts[0].DDIs
	path := h.path("/device")
	h.made(path, start("HANGUP", ddis[0].ID))
	p := h.refused(h.as("admin", http.MethodPost, path, start("HANGUP", ddis[1].ID, ddis[0].ID)), api.CodeConflict)
	require.Equal(t, []string{"/startRoute/ddis/1"}, at(p))
	second := h.made(path, start("HANGUP", ddis[1].ID))
	p = h.refused(h.as("admin", http.MethodPut, path+"/"+second, withID(start("HANGUP", ddis[0].ID), second)), api.CodeConflict)
	require.Equal(t, []string{"/startRoute/ddis/0"}, at(p))
	fax := `{"type":"FAX","name":"x","extension":"201"}`
	h.made(path, fax)
	p = h.refused(h.as("admin", http.MethodPost, path, fax), api.CodeConflict)
	require.Equal(t, []string{"/extension"}, at(p))
}

// TestEventHooksPerAccountAreLimited checks that an account cannot have more than 20 event hooks, since each of them is sent every
// event.
func TestEventHooksPerAccountAreLimited(t *testing.T) {
	h := newHouse(t)
	path, flow := h.path("/hook"), strings.Replace(goodHook, "event.generic", "flow.generic", 1)
	var event string
	for range 20 {
		event = h.made(path, goodHook)
	}
	p := h.refused(h.as("admin", http.MethodPost, path, goodHook), api.CodeLimit)
	require.Contains(t, p.Detail, "at most 20 event hooks")
	id := h.made(path, flow)
	h.refused(h.as("admin", http.MethodPut, path+"/"+id, withID(goodHook, id)), api.CodeLimit)
	require.Equal(t, http.StatusNoContent, h.as("admin", http.MethodPut, path+"/"+event, withID(goodHook, event)).status)
	require.Equal(t, http.StatusNoContent, h.as("admin", http.MethodPut, path+"/"+event, withID(flow, event)).status)
	h.made(path, goodHook)
}

// TestUnknownDeviceTypesAreStored checks that a device of an unknown type is stored and returned unchanged.
func TestUnknownDeviceTypesAreStored(t *testing.T) {
	h := newHouse(t)
	const fax = `{"type":"FAX_MACHINE","name":"Fax","extension":"","faxMachine":{"big":12345678901234567890,"list":[1,{"a":null}]},"x":"y"}`
	id := h.made(h.path("/device"), fax)
	a := h.as("admin", http.MethodGet, h.path("/device/"+id), "")
	require.JSONEq(t, withID(fax, id), string(a.body))
	require.Contains(t, string(a.body), "12345678901234567890")
}

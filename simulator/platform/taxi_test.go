package platform_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/api"
)

// taxiPath returns the path of the first account's taxi plugin settings.
func (h *house) taxiPath() string {
	return "/sim/v1/accounts/" + h.credentials.Accounts[0].ID + "/taxi"
}

func (h *house) taxi() map[string]any {
	h.t.Helper()
	a := h.send(http.MethodGet, h.taxiPath(), "")
	require.Equal(h.t, http.StatusOK, a.status, "%s", a.body)
	return decoded[map[string]any](h.t, a)
}

func (h *house) setTaxi(body string) answer {
	h.t.Helper()
	return h.send(http.MethodPut, h.taxiPath(), body, "Content-Type", "application/json")
}

// TestTaxiSettingsAreStoredAndMasked checks that the settings of the taxi plugin can be set and reset to the defaults, and that its
// secret is masked.
func TestTaxiSettingsAreStoredAndMasked(t *testing.T) {
	h := newHouse(t)
	before := h.taxi()
	require.Equal(t, "Otterbridge Taxis", before["firm"])
	require.Equal(t, []any{"voice", "messaging"}, before["features"])
	require.Len(t, before["options"], 9)
	require.NotContains(t, before, "third_party_url")

	a := h.setTaxi(`{"firm":"Otter Cabs","options":[],"features":["voice"],"skipDropOff":true,"operatorExtension":"7","timezone":"Europe/Berlin",
		"language":"de-DE","third_party_url":"https://dispatch.example/taxi","third_party_auth":"bearer:s3cret",
		"places":[{"name":"The station","address":"Station Road","location":{"longitude":2,"latitude":54}},{"name":"Mill Lane","address":"Mill Lane","location":{"longitude":2,"latitude":54},"street":true}]}`)
	require.Equal(t, http.StatusNoContent, a.status, "%s", a.body)
	set := h.taxi()
	require.Equal(t, "***", set["third_party_auth"])
	require.Equal(t, []any{}, set["options"])
	require.Equal(t, true, set["skipDropOff"])
	require.Len(t, set["places"], 2)

	require.Equal(t, http.StatusNoContent, h.setTaxi(`{}`).status)
	require.True(t, maps.EqualFunc(before, h.taxi(), func(a, b any) bool {
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		return string(x) == string(y)
	}), "nothing given is as by default")
}

func TestInvalidTaxiSettingsAreRefused(t *testing.T) {
	h := newHouse(t)
	for body, pointer := range map[string]string{
		`{"third_party_url":"dispatch"}`:                     "/third_party_url",
		`{"third_party_url":"https://u:p@dispatch.example"}`: "/third_party_url",
		`{"third_party_url":"https://dispatch.example?x=1"}`: "/third_party_url",
		`{"third_party_auth":"s3cret"}`:                      "/third_party_auth",
		`{"third_party_ca":"x"}`:                             "/third_party_ca",
		`{"timezone":"Otterbridge"}`:                         "/timezone",
		`{"options":"all"}`:                                  "/options",
		`{"features":[1]}`:                                   "/features/0",
		`{"skipDropOff":"yes"}`:                              "/skipDropOff",
		`{"places":[{"name":"x"}]}`:                          "/places/0",
		`{"places":[{"address":"x","location":{"longitude":200,"latitude":0}}]}`: "/places/0",
		`{"prompts":{"en-GB":"{{define \"S0\"}}"}}`:                              "/prompts",
		`{"prompts":[]}`: "/prompts",
		`{"optoins":[]}`: "/optoins",
	} {
		p := h.refused(h.setTaxi(body), api.CodeValidation)
		require.Equal(t, []string{pointer}, at(p), body)
		require.NotContains(t, string(h.setTaxi(body).body), "s3cret")
	}
	h.refused(h.send(http.MethodGet, strings.Replace(h.taxiPath(), h.credentials.Accounts[0].ID, "nobody", 1), ""), api.CodeNotFound)
}

// TestMaskedSettingsKeepTheRenewedSecret checks that a new secret is not overwritten by simultaneous updates that
// send the secret as ***.
func TestMaskedSettingsKeepTheRenewedSecret(t *testing.T) {
	h := newHouse(t)
	account := h.credentials.Accounts[0].ID
	settings := func(firm, auth string) string {
		return `{"firm":"` + firm + `","third_party_url":"https://dispatch.example","third_party_auth":"` + auth + `"}`
	}
	require.Equal(t, http.StatusNoContent, h.setTaxi(settings("a", "bearer:0")).status)
	for n := range 20 {
		renewed := fmt.Sprintf("bearer:%d", n+1)
		var all sync.WaitGroup
		for i := range 8 {
			auth := "***"
			if i == 3 {
				auth = renewed
			}
			all.Go(func() { h.setTaxi(settings(fmt.Sprint(i), auth)) })
		}
		all.Wait()
		row, _ := h.records.Taxi.Get(account, account)
		require.Contains(t, string(row.Value), `"`+renewed+`"`)
	}
}

// TestPrivateThirdPartiesNeedPermission checks that a third party on a private network is refused, unless the operator
// has named its host and port or allows private hooks. Link-local addresses are always refused.
func TestPrivateThirdPartiesNeedPermission(t *testing.T) {
	settings := func(url string) string { return `{"third_party_url":"` + url + `"}` }
	h := newHouse(t, func(o *platform.Options) { o.PrivateHooks = false })
	for _, url := range []string{"http://10.99.99.99", "http://[::ffff:192.168.99.99]/taxi", "http://169.254.169.254/latest"} {
		p := h.refused(h.setTaxi(settings(url)), api.CodeValidation)
		require.Equal(t, []string{"/third_party_url"}, at(p), url)
	}
	for _, url := range []string{"http://127.0.0.1:9000", "https://dispatch.example/taxi"} {
		require.Equal(t, http.StatusNoContent, h.setTaxi(settings(url)).status, url)
	}
	require.NoError(t, h.platform.UseThirdParty(t.Context(), platform.ThirdParty{URL: "http://10.99.99.99/taxi"}))
	require.Equal(t, http.StatusNoContent, h.setTaxi(settings("http://10.99.99.99/other")).status)
	require.Equal(t, []string{"/third_party_url"}, at(h.refused(h.setTaxi(settings("http://10.99.99.99:22")), api.CodeValidation)))

	allowing := newHouse(t)
	require.Equal(t, http.StatusNoContent, allowing.setTaxi(settings("http://10.99.99.99")).status)
	allowing.refused(allowing.setTaxi(settings("http://169.254.169.254")), api.CodeValidation)
	err := platform.CheckThirdParty("http://169.254.169.254")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "--third-party", "it is the flag whose value is refused")
}

// TestTaxiPluginAnswersCallsInAFlow checks that a flow can have the taxi plugin in place of a hook, and that a phone can then
// call it as "taxi".
func TestTaxiPluginAnswersCallsInAFlow(t *testing.T) {
	h := newHouse(t)
	h.refused(h.send(http.MethodPost, "/sim/v1/phones", `{"to":"taxi"}`, "Content-Type", "application/json"), api.CodeValidation)
	h.route(h.made(h.path("/device"), plugin(api.PluginTaxi, "")))
	a := h.send(http.MethodPost, "/sim/v1/phones", `{"to":"taxi","from":"442079460001"}`, "Content-Type", "application/json")
	require.Equal(t, http.StatusCreated, a.status, "%s", a.body)
	h.pass(1e9)
	require.Contains(t, said(h.calls()[0]), "Sorry, we cannot take automatic bookings right now.")
}

//go:build browser

package browsertest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// A fault affects requests while it is on, and no longer once it is off.
func TestFaultIsMadeAndSeen(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off")
	config := func() int {
		status, _, _ := s.ask(http.MethodPost, "/config", map[string]any{})
		return status
	}
	p := open(t, s, "/console/faults")
	p.click(`[data-test="fault-status"] [role="switch"]`)
	p.says("header .chip", "1 fault on")
	require.Equal(t, http.StatusInternalServerError, config())

	p.press(`[data-test^="rule-"] a`, "hit 1")
	p.shows("requests")
	p.says("main li", "fault f-1")
	p.press("main li a", "request ok") // the request: that it was answered so is not its caller's fault
	p.says("main", "answer")
	require.Contains(t, get[string](p, "location.search"), "id=1")

	p.key("5")
	p.shows("faults")
	p.press(`[data-test^="rule-"] button`, "Off")
	p.until(`!document.querySelector("header .chip")`)
	require.Equal(t, http.StatusOK, config())
}

// A fault rule can be made from a request.
func TestRequestBecomesAFault(t *testing.T) {
	t.Parallel()
	s := serve(t, "serve", "--log", "off")
	s.call(http.MethodPost, "/user", map[string]any{"phoneNumber": caller})
	p := open(t, s, "/console/requests?id=1")
	p.press("main a, main button", "Make this a fault")
	p.shows("faults")
	p.until(`document.querySelector('[data-test="fault-form"]')`)
	p.isAccessible("the form of a fault")
	get[bool](p, `(() => { const s = document.querySelector("#f-kind"); s.value = "hang"; return s.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	p.press(`[data-test="fault-form"] button`, "Make it go wrong")
	p.says(`[data-test^="rule-"]`, "/user, of ••• 001")
}

//go:build browser

package browsertest

import "testing"

// An operation is found, tried, and leads to the request that it made.
func TestOperationIsTried(t *testing.T) {
	t.Parallel()
	p := open(t, serve(t, "serve", "--log", "off"), "/console/api")
	p.key("/")
	p.write("[data-search]", "booking")
	p.press(".operations a", "POST /book")
	p.says(`[data-test="operation"]`, "Create a booking")
	p.isAccessible("an operation")
	p.click(`[data-test="send"]`)
	p.says(`[data-test="answer"]`, "200")
	p.says(`[data-test="answer"]`, "journeyId")
	p.press(`[data-test="answer"] a`, "This request")
	p.shows("requests")
	p.says("main", "/book")
}

package tracking_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules/tracking"
)

// TestJudgeCallNeedsNoOtherCall checks that JudgeCall applies only the rules that need no other call.
func TestJudgeCallNeedsNoOtherCall(t *testing.T) {
	t.Parallel()
	x := &conformance.Exchange{
		ID: 1, Operation: rules.OpStatus,
		Request: conformance.Request{Method: "POST", URL: "http://127.0.0.1/status", Body: conformance.Body(`{"userId":"u","journeyId":"J"}`)},
		Response: &conformance.Response{
			Status: 200, Header: map[string][]string{"Content-Type": {"application/json"}},
			Body: conformance.Body(`{"journeyId":"J","status":"FLYING","eta":{"value":-1,"unit":"minute"}}`),
		},
	}
	found := map[string]bool{}
	for _, f := range tracking.JudgeCall(x) {
		if f.Outcome == conformance.Fail {
			found[f.Check] = true
		}
	}
	require.Subset(t, found, map[string]bool{"STA-02": true, "ENR-02": true})
	x.Response = &conformance.Response{Status: 503, Header: map[string][]string{"Content-Type": {"application/json"}}, Body: conformance.Body(`{}`)}
	for _, f := range tracking.JudgeCall(x) {
		require.NotEqual(t, "W-01", f.Check, "whether it ever serves, one call cannot tell")
	}
	x.RecordedPartly()
	require.Empty(t, tracking.JudgeCall(x))
}

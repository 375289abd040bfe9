package dispatchside_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// A whole run ends as it should, names first what is wrong, and books no more once
// nothing can be cancelled. What is robustness by the catalogue does not fail a run,
// however bad it is: that /user shows anybody's journeys, or answers a stranger 500.
// WHOLE=1 takes every server, as the gate does; otherwise it is a sample.
func TestVendorsWholeRuns(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		file, env string
		exit      int
		first     string // regular expression of what is named first; "": nothing fails
		left      int    // journeys that may still be booked
		spare     string // ids of checks that do not fail
	}{
		{file: "hurried.mjs", env: "ONLY="},
		{file: "wrong.mjs", env: "ONLY="},
		{file: "hurried.mjs", env: "ONLY=ids", exit: 1, first: `/cancel was answered 404|journeyId`, left: 10},
		{file: "hurried.mjs", env: "ONLY=users", first: `BOK-36`},
		{file: "wrong.mjs", env: "ONLY=wrapped", exit: 1, first: `CFG-01|data`, left: 1, spare: "JRN-02 JRN-03 JRN-04"},
		{file: "wrong.mjs", env: "ONLY=empty", exit: 1, first: `CAN-01|/cancel`},
		{file: "wrong.mjs", env: "ONLY=lowercase", exit: 1, first: `"waiting"`, spare: "JRN-02 CON-02 CON-03"},
		{file: "wrong.mjs", env: "ONLY=nobookings", exit: 1, first: `USR-10|activeBookings`, spare: "BOK-36"},
		{file: "wrong.mjs", env: "ONLY=everybody", first: `USR-12`, spare: "BOK-19 BOK-36 USR-18"},
		{file: "wrong.mjs", env: "ONLY=user500", first: `USR-16`},
		{file: "wrong.mjs", env: "ONLY=always200", first: `BOK-30|BOK-31|200`, spare: "USR-01 CAN-01 STA-01 BOK-22 BOK-23"},
	} {
		if !whole() && !matrix.InSample(row.file+row.env, 7) {
			continue
		}
		t.Run(row.file+" "+row.env, func(t *testing.T) {
			t.Parallel()
			v := startVendor(t, row.file, row.env)
			rep := judgeVendor(t, v, dispatchside.Target{})
			left, first := v.stop(t), firstNamed(rep)
			require.Equal(t, row.exit, rep.ExitCode(), rep.Verdict())
			require.Equal(t, row.first == "", first == "", first)
			require.Regexp(t, row.first, first)
			require.LessOrEqual(t, left, row.left)
			require.Len(t, rep.Leftovers, left)
			for id := range strings.FieldsSeq(row.spare) {
				require.NotContains(t, having(rep, conformance.Fail), id)
			}
			require.NotContains(t, rep.Verdict(), "not seen: a /user reply after an edit")
		})
	}
}

// A step that was answered with nothing is told as that, and not as refused.
func TestVendorsAnsweredWithNothing(t *testing.T) {
	t.Parallel()
	v := startVendor(t, "wrong.mjs", "ONLY=empty")
	rep := judgeVendor(t, v, dispatchside.Target{Only: []string{"JRN-01"}})
	v.stop(t)
	at := slices.IndexFunc(rep.Checks, func(r conformance.Result) bool { return r.ID == "JRN-01" })
	require.Equal(t, "step 5, /cancel, was answered without a journeyId and a status", rep.Checks[at].Findings[0].Message)
}

// A journey that was cancelled at POB is not asked to become COMPLETE: that needs a
// journey of its own.
func TestVendorsAdvanceToTheEnd(t *testing.T) {
	t.Parallel()
	v := startVendor(t, "wrong.mjs", "ONLY=")
	only := []string{"JRN-06", "JRN-08", "JRN-13", "JRN-14", "CAN-08"}
	rep := judgeVendor(t, v, dispatchside.Target{Only: only, Advance: v.advance})
	v.stop(t)
	require.ElementsMatch(t, only, having(rep, conformance.Pass))
}

// advance moves a journey of the server on.
func (v *vendorServer) advance(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
	body, err := json.Marshal(map[string]any{"journeyId": id, "status": to})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, v.url+"/advance", bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", to, resp.Status)
	}
	return nil
}

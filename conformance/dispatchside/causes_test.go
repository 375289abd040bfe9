package dispatchside_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/report"
)

// TestOneFaultIsOneCause has servers with one fault, most of which fail several checks:
// the first cause says what was seen, which call decides, and what to change; all
// failures come of it; and the run is told on a screen.
// WHOLE=1 takes every server, as the gate does; otherwise it is a sample.
func TestOneFaultIsOneCause(t *testing.T) {
	t.Parallel()
	const hurried, wrong = "hurried.mjs", "wrong.mjs"
	for _, row := range []struct {
		file, env  string
		says, cure string // parts
		check      string // that is among those that hang on it
		sent       string // of the deciding call
	}{
		{hurried, "ONLY=ids", `/book sent the journeyId as a number, 1; the interface defines a string, and /cancel and /status did not find "1"`, "as a string", "BOK-04@book", "/book with "},
		{hurried, "ONLY=cancelled", `status is "CANCELED", want string CANCELLED`, "CANCELLED", "CAN-01@cancel", `/cancel with journeyId "1"`},
		{hurried, "ONLY=active", `status is "CANCELLED"`, "activeBookings", "CAN-03@cancel", "/user"},
		{hurried, "ONLY=edits", "which is an edit, was answered with another journey", "change that journey", "BOK-19@book", `/book with journeyId "`},
		{hurried, "ONLY=dates", "date has a space where ISO 8601 has a T", "ISO 8601", "STA-04@status", "/status with"},
		{hurried, "ONLY=zone", "date", "ISO 8601", "BOK-11@book", "pickupTime"},
		{hurried, "ONLY=offset", "date", "ISO 8601", "BOK-11@book", "pickupTime"},
		{hurried, "ONLY=json", "makes /config, /user, /book, /cancel and /status answer HTTP 500", "answer 400", "BAD-02@book", "the body"},
		{hurried, "ONLY=ranges", `"latitude":91`, "-90 to 90", "BOK-31@book", "/book"},
		{hurried, "ONLY=users", "under the userId that booked it", "userId", "BOK-36@book", `userId "`},
		{wrong, "ONLY=everybody", "another end user's journey is listed", "by the user's id", "USR-12@user", "/user"},
		{wrong, "ONLY=wipe", "removed the passenger", "field by field", "BOK-20@book", `/book with journeyId "`},
		{wrong, "ONLY=rename", "changed the passenger's name", "field by field", "BOK-20@book", `/book with journeyId "`},
		{wrong, "ONLY=lowercase", `status is "waiting"`, "to the letter", "CAN-01@cancel", "/status"},
		{wrong, "ONLY=pending", `status is "PENDING"`, "", "STA-02@status", "/status"},
		{wrong, "ONLY=price", `price.value is a string: got "12.50"`, "a number", "ENR-04@journey", "/book"},
		{wrong, "ONLY=eta", "eta", "", "ENR-01@journey", ""},
		{wrong, "ONLY=badge", "driver.badgeNumber is missing", "all three", "ENR-09@journey", ""},
		{wrong, "ONLY=reverse", "in order", "whole array", "BOK-17@book", "dropoffs"},
		{wrong, "ONLY=swapped", "km from where it was booked", "", "BOK-32@book", ""},
		{wrong, "ONLY=number", "phoneNumber is a number", "strings", "USR-01@user", "/user"},
		{wrong, "ONLY=nobookings", "not among the user's active bookings", "activeBookings", "JRN-03@journey", ""},
		{wrong, "ONLY=empty", "in the reply of /cancel, journeyId is missing", "CANCELLED", "CAN-01@cancel", "/cancel"},
		{wrong, "ONLY=wrapped", "status is missing, want string, not empty; there is one at data.status", "", "CFG-01@config", "/config"},
		{wrong, "ONLY=user500", "an unknown number was not answered cleanly: got HTTP 500", "404", "USR-16@user", "/user"},
		{wrong, "ONLY=always200", "was not refused cleanly: got HTTP 200", "", "", "/book"},
	} {
		if !whole() && !matrix.InSample(row.file+row.env, 15) {
			continue
		}
		t.Run(row.file+" "+row.env, func(t *testing.T) {
			t.Parallel()
			v := startVendor(t, row.file, row.env)
			rep := judgeVendor(t, v, dispatchside.Target{})
			v.stop(t)
			require.NotEmpty(t, rep.Causes)
			first := rep.Causes[0]
			require.Contains(t, first.Message, row.says)
			require.Contains(t, first.Cure, row.cure)
			require.Contains(t, first.Deciding.String(), row.sent)
			require.Positive(t, first.Call)
			if row.check != "" {
				require.Contains(t, rep.FirstNamed(), row.check)
				i := slices.IndexFunc(rep.Checks, func(c conformance.Result) bool { return c.Name() == row.check })
				require.Equal(t, 1, rep.Checks[i].Cause)
			}
			for _, c := range rep.Checks {
				require.Equal(t, c.Outcome == conformance.Fail, c.Cause > 0, c.Name())
			}
			var out strings.Builder
			(&report.Terminal{W: &out}).Report(rep)
			require.LessOrEqual(t, strings.Count(out.String(), "\n"), 25, out.String())
		})
	}
}

// TestAFixAfterWhichMoreIsSeenIsNoStepBack mends the ids of a server whose edits are
// wrong, too, which nobody could see before.
func TestAFixAfterWhichMoreIsSeenIsNoStepBack(t *testing.T) {
	oneAfterAnother(t)
	t.Parallel()
	run := func(env string) *conformance.RunFile {
		v := startVendor(t, "hurried.mjs", env)
		rep := judgeVendor(t, v, dispatchside.Target{})
		v.stop(t)
		return conformance.NewRunFile(rep, "1.2.3")
	}
	before, after := run("ONLY=ids,edits"), run("ONLY=edits")
	require.Contains(t, before.Causes[0].Hidden, "BOK-19@book")
	require.Regexp(t, `^also fails [A-Z]+-\d+.*; hides [A-Z]+-\d+`, before.Causes[0].Reach())
	d := conformance.Diff(before, after)
	require.False(t, d.Worse(), d.Changes)
	require.Regexp(t, `^broken 0, exposed \d+, fixed \d+, .*not a regression`, d.Total())
	i := slices.IndexFunc(d.Changes, func(c conformance.Change) bool { return c.ID == "BOK-19" })
	require.Equal(t, "exposed", d.Changes[i].Kind)
}

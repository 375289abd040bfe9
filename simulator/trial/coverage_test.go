package trial_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/trial"
)

// never says why a code is given by no server of ours.
var never = map[taxi.Code]string{
	taxi.CodeForbidden: "never: whoever shows the credentials may do everything; for vendors who tell callers apart",
}

// TestEverythingIsReached holds the days of a few seeds, and the scenes below for
// what no day brings about, against all there is: rows of the transition table,
// cells of the edit matrix, codes of refusals.
func TestEverythingIsReached(t *testing.T) {
	if raced {
		t.Skip("the same days take long with the race detector, and show nothing else")
	}
	days, err := trial.Series(t.Context(), trial.Options{Seed: 100, Faults: trial.AllFaults}, 12, 2)
	require.NoError(t, err)
	noFailure(t, days.Failure)
	scenes := trial.Coverage{Rows: directedRows(t), Codes: directedCodes(t)}
	page := page{t: t, days: days.Coverage, scenes: scenes}
	golden.Equal(t, "testdata/coverage.md", page.transitions()+page.edits()+page.codes())
}

// page is the table of what is reached, and how.
type page struct {
	t            *testing.T
	days, scenes trial.Coverage
}

// by says how something is reached. What a scene shows is said to be shown by it,
// though a day may bring it about too: so the page does not depend on luck.
func (p page) by(what any, days, scenes int) string {
	switch {
	case scenes > 0:
		return "a scene"
	case days > 0:
		return "days"
	default:
		p.t.Errorf("%v is not reached", what)
		return "nothing"
	}
}

func (p page) transitions() string {
	var b strings.Builder
	b.WriteString("# What the trials reach\n\n\"days\" are seeded days with all faults, \"a scene\" is a test for what no day brings about.\n\n" +
		"## Transitions\n\n| # | from | event | to | reached by |\n| --- | --- | --- | --- | --- |\n")
	for _, row := range dispatch.Transitions() {
		step := trial.Step{From: row.From, Event: row.Event, To: row.To}
		from := string(row.From)
		if row.From == dispatch.Unbooked {
			from = "(none)"
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %s |\n", row.Row, from, row.Event, row.To, p.by(step, p.days.Rows[step], p.scenes.Rows[step]))
	}
	return b.String()
}

func (p page) edits() string {
	var b strings.Builder
	b.WriteString("\n## Edits\n\n|")
	for _, s := range taxi.Statuses() {
		fmt.Fprintf(&b, " | %s", s)
	}
	b.WriteString(" |\n|" + strings.Repeat(" --- |", len(taxi.Statuses())+1) + "\n")
	for _, row := range dispatch.EditMatrix() {
		fmt.Fprintf(&b, "| %s", row.Field)
		for _, s := range taxi.Statuses() {
			cell := trial.Cell{Field: row.Field, At: s}
			fmt.Fprintf(&b, " | %s", p.by(cell, p.days.Cells[cell], p.scenes.Cells[cell]))
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

func (p page) codes() string {
	var b strings.Builder
	b.WriteString("\n## Refusals\n\n| code | reached by |\n| --- | --- |\n")
	for _, code := range dispatch.Codes() {
		how, excused := never[code]
		if !excused {
			how = p.by(code, p.days.Codes[code], p.scenes.Codes[code])
		}
		fmt.Fprintf(&b, "| %s | %s |\n", code, how)
	}
	return b.String()
}

// FuzzParseFaults reads anything, and what is read is written so that it is read as the same.
func FuzzParseFaults(f *testing.F) {
	for _, seed := range []string{"", "all", "none", "seed", "lost", "disk, crash", "lost,lost", "lost,duplicate,reorder,garbled,disk,crash", "rain", ",", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		faults, err := trial.ParseFaults(text)
		if err != nil {
			return
		}
		again, err := trial.ParseFaults(faults.String())
		require.NoError(t, err, "%q is %s", text, faults)
		require.Equal(t, faults, again)
	})
}

package dispatch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// TestLifecyclePageMatchesTheTables keeps the page that people read equal to the tables
// that the program obeys.
func TestLifecyclePageMatchesTheTables(t *testing.T) {
	golden.Equal(t, "testdata/lifecycle.md", transitionsPage()+presencePage()+editPage())
}

func transitionsPage() string {
	var b strings.Builder
	b.WriteString("## Transitions\n\n| # | from | event | to | when | effects |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, row := range dispatch.Transitions() {
		from := string(row.From)
		if row.From == dispatch.Unbooked {
			from = "(none)"
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %s | %s |\n", row.Row, from, row.Event, row.To, row.When, effectsOf(row))
	}
	return b.String()
}

// effectsOf lists what a transition does, and which fields it takes away.
func effectsOf(row dispatch.Transition) string {
	var words []string
	if gone := cleared(row); len(gone) > 0 {
		words = append(words, "cleared: "+strings.Join(gone, ", "))
	}
	for _, e := range row.Effects {
		words = append(words, e.Words)
	}
	return strings.Join(words, "; ")
}

// cleared lists the fields of the wire that a new status does not show.
func cleared(row dispatch.Transition) []string {
	had, has := dispatch.Fields(row.From), dispatch.Fields(row.To)
	var gone []string
	for _, f := range []struct {
		name     string
		had, has bool
	}{
		{"eta", had.ETA, has.ETA},
		{"vehicle", had.Crew, has.Crew},
		{"driver", had.Crew, has.Crew},
		{"location", had.Location, has.Location},
		{"price", had.Price, has.Price},
	} {
		if f.had && !f.has {
			gone = append(gone, f.name)
		}
	}
	return gone
}

func presencePage() string {
	var b strings.Builder
	b.WriteString("\n## Fields by status\n\n| | eta | vehicle, driver | location | price |\n| --- | --- | --- | --- | --- |\n")
	mark := map[bool]string{true: "yes", false: "–"}
	for _, s := range taxi.Statuses() {
		f := dispatch.Fields(s)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", s, mark[f.ETA], mark[f.Crew], mark[f.Location], mark[f.Price])
	}
	return b.String()
}

func editPage() string {
	var b strings.Builder
	b.WriteString("\n## Edits\n\n|")
	for _, s := range taxi.Statuses() {
		fmt.Fprintf(&b, " | %s", s)
	}
	b.WriteString(" |\n|" + strings.Repeat(" --- |", len(taxi.Statuses())+1) + "\n")
	for _, row := range dispatch.EditMatrix() {
		fmt.Fprintf(&b, "| %s", row.Field)
		for _, s := range taxi.Statuses() {
			fmt.Fprintf(&b, " | %s", row.Rules[s])
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

// TestCanBecomeFollowsFromTransitions derives from the table of transitions which statuses a polling client may see
// one after the other, with any number of steps in between, and compares that with [taxi.Status.CanBecome].
func TestCanBecomeFollowsFromTransitions(t *testing.T) {
	reach := map[taxi.Status]map[taxi.Status]bool{}
	for _, s := range taxi.Statuses() {
		reach[s] = map[taxi.Status]bool{s: true}
	}
	for range taxi.Statuses() {
		for _, row := range dispatch.Transitions() {
			for _, s := range taxi.Statuses() {
				if row.From != dispatch.Unbooked && reach[s][row.From] {
					reach[s][row.To] = true
				}
			}
		}
	}
	for _, from := range taxi.Statuses() {
		for _, to := range taxi.Statuses() {
			require.Equal(t, reach[from][to], from.CanBecome(to), "%s then %s", from, to)
		}
	}
}

// TestEventsFollowTheTransitionTable tries each event in each status: it moves the
// journey as a row says, or is void and changes nothing.
func TestEventsFollowTheTransitionTable(t *testing.T) {
	for _, from := range taxi.Statuses() {
		for _, ev := range everyEvent() {
			t.Run(fmt.Sprintf("%s/%s", from, ev), func(t *testing.T) {
				h := newHouse(t)
				_, ref := h.bookAt(from)
				h.now = h.now.Add(h.service.Policy().NoCarTimeout) // guards that wait have waited
				before, err := h.records.Journey(t.Context(), ref.JourneyID)
				require.NoError(t, err)

				after, err := h.service.Advance(h.now, dispatch.Step{Journey: ref.JourneyID, Event: ev, Offered: before.Revision})
				want, legal := rowFor(from, ev)
				if ev == dispatch.EventNoShow && from == taxi.Arrived {
					legal = false // nobody tried to reach the passenger
				}
				if !legal {
					require.ErrorIs(t, err, dispatch.ErrVoid)
					same, err := h.records.Journey(t.Context(), ref.JourneyID)
					require.NoError(t, err)
					require.Equal(t, before.Journey, same.Journey)
					return
				}
				require.NoError(t, err)
				require.Equal(t, want, after.Status)
				holdsToPresence(t, after.Journey)
			})
		}
	}
}

func everyEvent() []dispatch.Event {
	return []dispatch.Event{
		dispatch.EventBook, dispatch.EventRelease, dispatch.EventHold, dispatch.EventReoffer, dispatch.EventAccept,
		dispatch.EventSetOff, dispatch.EventArrive, dispatch.EventContact, dispatch.EventBoard, dispatch.EventStop,
		dispatch.EventFinish, dispatch.EventDrop, dispatch.EventCancel, dispatch.EventNoDriver, dispatch.EventNoShow,
	}
}

func rowFor(from taxi.Status, ev dispatch.Event) (taxi.Status, bool) {
	for _, row := range dispatch.Transitions() {
		if row.From == from && row.Event == ev {
			return row.To, true
		}
	}
	return "", false
}

// holdsToPresence checks that nothing is shown that the status hides. (What may
// be shown and is not there yet, such as a driver, is the fleet's to fill in.)
func holdsToPresence(t *testing.T, j taxi.Journey) {
	t.Helper()
	has := dispatch.Fields(j.Status)
	if !has.ETA {
		require.Nil(t, j.ETA, j.Status)
	}
	if !has.Crew {
		require.Nil(t, j.Vehicle, j.Status)
		require.Nil(t, j.Driver, j.Status)
	}
	if !has.Location {
		require.Nil(t, j.Location, j.Status)
	}
}

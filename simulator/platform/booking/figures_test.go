package booking_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// A stranger books a taxi, by keys.
const strangerBooks = `[{"expect":"?"},{"press":"1"},{"expect":"say your name"},{"press":"1"},{"expect":"where shall we pick you up"},{"press":"1"},
	{"expect":"for now"},{"press":"1"},{"expect":"where to"},{"press":"1"},{"expect":"to book it"},{"press":"1"},{"expect":"your taxi is booked"},{"wait":"1m"}]`

// beside returns a town that books with a reference dispatch system in the same process. The clocks of both stand
// still at the same time.
func beside(t testing.TB) *town {
	d := dispatchtest.New(t, dispatchtest.Options{World: simulator.Options{Start: morning}, People: []fixtures.Person{}})
	return newTown(t, d.URL(), func(o *platform.Options) { o.Now = func() time.Time { return morning } })
}

// BenchmarkBooking measures whole conversations with a reference dispatch system in the same process. The target is
// 300 a second.
func BenchmarkBooking(b *testing.B) {
	w := beside(b)
	i := 0
	for b.Loop() {
		i++
		w.dial(fmt.Sprintf("447700%06d", i%1_000_000), strangerBooks)
		w.line.Run(2 * time.Minute)
	}
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "conversations/s")
}

// How long a prompt takes: 150 words a minute, and 300 ms between sentences.
const (
	perWord = time.Minute / 150
	between = 300 * time.Millisecond
)

// spokenLength returns how long the prompts take if none is interrupted.
func spokenLength(lines []voice.Line) time.Duration {
	var all time.Duration
	for _, l := range lines {
		if l.Kind == voice.LineSay {
			all += time.Duration(len(strings.Fields(l.Text)))*perWord + between
		}
	}
	return all
}

// TestKnownCallersBookingMeetsLengthTargets checks how long the platform speaks, and how much it asks, for the booking of a
// known caller.
func TestKnownCallersBookingMeetsLengthTargets(t *testing.T) {
	const first = `[{"expect":"where shall we"},{"press":"1"},{"expect":"for now"},{"press":"1"},{"expect":"where to"},{"press":"1"},{"expect":"to book it"},{"press":"1"},{"expect":"goodbye"},{"wait":"5s"}]`
	for how, row := range map[string]struct {
		script string
		most   time.Duration
		turns  int
	}{
		"in one sentence": {`[{"expect":"?"},{"say":"from the station to the airport now please"},{"expect":"shall i book it?"},{"say":"yes please"},{"expect":"goodbye"},{"wait":"5s"}]`, 12 * time.Second, 3},
		"by keys":         {`[{"expect":"?"},{"press":"1"},{"expect":"to tell the driver, press 4"},{"press":"1"},{"expect":"to change it, press 2"},{"press":"1"},{"expect":"goodbye"},{"wait":"5s"}]`, 45 * time.Second, 3},
	} {
		third := newParty(t, map[string][]reply{
			"/config": raw(`{"status":"OK"}`), "/user": raw(`{"userId":"u-1","name":"Rosalind Whitlock"}`),
			"/book": raw(`{"journeyId":"J1042","status":"WAITING","eta":{"value":4,"unit":"minutes"}}`),
		})
		w := newTown(t, third.url)
		require.Equal(t, "done", w.call("442079460001", first).Script)
		v := w.call("442079460001", row.script)
		require.Equal(t, "done", v.Script, "%s: %s", how, written(w.calls()[0]))
		length := spokenLength(v.Transcript)
		t.Logf("%s: %s", how, length)
		require.LessOrEqual(t, length, row.most, how)
		turns := 0
		for _, l := range v.Transcript {
			if l.Kind == voice.LineSpeech || l.Kind == voice.LinePress {
				turns++
			}
		}
		require.LessOrEqual(t, turns, row.turns, how)
	}
}

// TestBookingWithoutAnAnswerIsLookedUp checks that a /book without an answer is not sent again, but looked up in /user.
func TestBookingWithoutAnAnswerIsLookedUp(t *testing.T) {
	t.Parallel()
	third := newParty(t, map[string][]reply{
		taxi.PathConfig: {{Body: json.RawMessage(`{"status":"OK"}`)}}, taxi.PathUser: {{Status: http.StatusNotFound}}, taxi.PathBook: {{Slow: true}},
	})
	w := newTown(t, third.url)
	v := w.call("442079460001", strings.Replace(strangerBooks, "your taxi is booked", "not sure", 1))
	require.NotContains(t, said(v), "is booked")
	require.Equal(t, "config user book user", third.paths())
}

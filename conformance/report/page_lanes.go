package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// board shows the calls of a probe as swim-lanes, from left to right. Each thing that calls are about has a
// lane; the other calls have a lane of their own.
type board struct {
	Probe conformance.ProbeName
	Lanes []lane
	Width int
	Calls int
	Left  int // calls about things that are not drawn
	Worst conformance.Outcome
}

type lane struct {
	Name  string
	Y     int
	Stops []stop
	Legs  []leg
}

// stop is one call in a lane.
type stop struct {
	X       int
	Call    int
	Word    string // the request: "book", "edit", …
	Under   string // the status in the answer, or the HTTP code
	State   string // the class of its state; "": unknown
	Outcome conformance.Outcome
	Title   string
}

// leg is the line between two neighbouring calls in a lane, coloured by the thing's status.
type leg struct {
	X1, X2 int
	Class  string // for its colour
}

const (
	laneHeight = 78
	laneStart  = 150
	stopStep   = 74
	mostLanes  = 9
	mostStops  = 60
	mostBoards = 30 // those with faults come first
)

// boardsOf returns the boards of the probes that have calls about a thing.
func boardsOf(f *conformance.RunFile, worst map[int]conformance.Outcome) []board {
	var all []board
	if f.Suite.Describe == nil {
		return nil
	}
	for _, calls := range f.CallsByProbe() {
		if b, ok := drawBoard(f.Suite, calls, worst); ok {
			all = append(all, b)
		}
	}
	rank := func(b board) int {
		if n := slices.Index(f.Suite.Shown, b.Probe); n >= 0 {
			return n
		}
		return len(f.Suite.Shown)
	}
	slices.SortStableFunc(all, func(a, b board) int {
		return cmp.Or(rank(a)-rank(b), conformance.Severity[b.Worst]-conformance.Severity[a.Worst])
	})
	return all[:min(len(all), mostBoards)]
}

func drawBoard(suite *conformance.Suite, calls []*conformance.Exchange, worst map[int]conformance.Outcome) (board, bool) {
	b := board{Probe: calls[0].Probe, Calls: len(calls), Worst: conformance.Pass}
	if b.Probe == "" {
		b.Probe = recorded
	}
	lanes := map[string]int{"": 0}
	b.Lanes = []lane{{Name: suite.UserName()}}
	var ended time.Time
	for i, x := range calls {
		if i >= mostStops {
			break
		}
		about := suite.Describe(x)
		id := about.Thing
		n, drawn := b.lane(lanes, id)
		if !drawn {
			continue
		}
		s := stopFor(suite, x, about, worst)
		if ended.After(x.Started) {
			s.Title += ", at the same time as the one before"
		}
		ended = x.Ended()
		s.X = laneStart + i*stopStep
		b.Lanes[n].add(s)
		if made, drawn := b.lane(lanes, about.Made); drawn && about.Made != "" {
			s.Word = "made"
			b.Lanes[made].add(s)
		}
		b.Width = s.X + stopStep
		if conformance.Severity[s.Outcome] > conformance.Severity[b.Worst] {
			b.Worst = s.Outcome
		}
	}
	delete(lanes, "")
	return b, len(lanes) > 0
}

// lane returns the index of a thing's lane, which it adds if there is room; drawn is false if there is
// none.
func (b *board) lane(lanes map[string]int, id string) (n int, drawn bool) {
	n, known := lanes[id]
	switch {
	case known:
		return n, true
	case len(b.Lanes) == mostLanes:
		b.Left++
		return 0, false
	}
	n = len(b.Lanes)
	lanes[id] = n
	b.Lanes = append(b.Lanes, lane{Name: jsonvalue.Clip(id, 14), Y: n * laneHeight})
	return n, true
}

func stopFor(suite *conformance.Suite, x *conformance.Exchange, about conformance.Description, worst map[int]conformance.Outcome) stop {
	s := stop{Call: x.ID, Word: about.Verb, Outcome: worst[x.ID]}
	if s.Outcome == "" {
		s.Outcome = conformance.Pass
	}
	s.Under = Answered(x)
	if x.Response == nil {
		s.Under = "no answer"
	}
	if about.State != "" {
		s.Under = jsonvalue.Clip(about.State, 10)
	}
	if n := slices.Index(suite.States, about.State); n >= 0 {
		s.State = fmt.Sprintf("s%d", n)
	}
	s.Title = fmt.Sprintf("call %d: %s %s, %s, %v", x.ID, x.Request.Method, x.Operation.Path(), Answered(x), x.Took.Round(time.Microsecond*10))
	if x.Intent != "" {
		s.Title += ", on purpose: " + string(x.Intent)
	}
	return s
}

func (l *lane) add(s stop) {
	if len(l.Stops) > 0 && l.Y > 0 { // a thing's lane
		before := l.Stops[len(l.Stops)-1]
		class := cmp.Or(before.State, s.State)
		if before.State == "" && len(l.Legs) > 0 {
			class = l.Legs[len(l.Legs)-1].Class
		}
		l.Legs = append(l.Legs, leg{before.X, s.X, class})
	}
	l.Stops = append(l.Stops, s)
}

// Height returns how tall the drawing is.
func (b board) Height() int { return len(b.Lanes)*laneHeight + 8 }

// worstByCall returns, for each call, the worst outcome for which the call is evidence.
func worstByCall(verdicts map[int][]conformance.Result) map[int]conformance.Outcome {
	worst := map[int]conformance.Outcome{}
	for id, results := range verdicts {
		for _, r := range results {
			at := slices.ContainsFunc(r.Findings, func(f conformance.Finding) bool {
				return f.Outcome == r.Outcome && slices.Contains(f.Exchanges, id)
			})
			if (at || r.Outcome == conformance.Pass) && conformance.Severity[r.Outcome] > conformance.Severity[worst[id]] {
				worst[id] = r.Outcome
			}
		}
	}
	return worst
}

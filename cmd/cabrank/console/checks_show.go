package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/dispatch/inbound"
)

// summary describes a check without its single verdicts.
type summary struct {
	ID      string            `json:"id"`
	Order   order             `json:"order"` // without credentials and numbers
	State   state             `json:"state"`
	Started time.Time         `json:"started"`
	Ended   time.Time         `json:"ended,omitzero"`
	Counts  map[string]int    `json:"counts"` // verdicts by outcome
	Verdict string            `json:"verdict,omitempty"`
	Exit    int               `json:"exit"` // the exit code of 'cabrank check', once the check is over
	Trouble *trouble          `json:"trouble,omitempty"`
	Step    *conformance.Step `json:"-"`
}

// document is a check with all its verdicts, without their evidence.
type document struct {
	summary

	Steps    []conformance.Step `json:"steps"`
	Progress progress           `json:"progress"`
	Verdicts []verdict          `json:"verdicts"`
	Findings *findings          `json:"findings,omitempty"` // when it is over
}

// progress is the progress of a run.
type progress struct {
	Stage conformance.Stage `json:"stage,omitempty"`
	Done  int               `json:"done"`
	All   int               `json:"all"`
	Left  float64           `json:"leftSeconds"` // an estimate; 0: unknown
}

// verdict is the verdict of one check on one operation.
type verdict struct {
	ID          string                `json:"id"`
	Operation   conformance.Operation `json:"operation"`
	Level       conformance.Level     `json:"level"`
	Clause      string                `json:"clause"`
	Requirement string                `json:"requirement"`
	Outcome     conformance.Outcome   `json:"outcome,omitempty"` // "": none yet
	Message     string                `json:"message,omitempty"` // the finding; "": passed without one
	Cause       int                   `json:"cause,omitempty"`   // the number of its cause, from 1
}

// findings is the result of a finished run.
type findings struct {
	Summary   conformance.Summary     `json:"summary"`
	Verdict   string                  `json:"verdict"`
	Seconds   float64                 `json:"seconds"`
	Seed      conformance.Seed        `json:"seed"`
	Causes    []causeView             `json:"causes"`
	Tiers     []conformance.TierScore `json:"tiers"`
	Leftovers []conformance.Leftover  `json:"leftovers"`
}

// causeView is the cause of failures as the page shows it, with a remedy.
type causeView struct {
	conformance.Cause

	Fix   string `json:"fix,omitempty"`
	Sent  string `json:"sent,omitempty"`  // the request that shows it
	Reach string `json:"reach,omitempty"` // how many verdicts it causes
}

// findingsOf returns the result of a run for the page.
func findingsOf(f *conformance.RunFile) *findings {
	out := &findings{
		Summary: f.Summary, Verdict: f.Verdict(), Seconds: f.Duration.Seconds(), Seed: f.Seed,
		Causes: []causeView{}, Tiers: f.Tiers, Leftovers: f.Leftovers,
	}
	for _, c := range f.Causes {
		shown := causeView{Cause: c, Fix: report.CureOfCause(c), Reach: c.Reach()}
		if c.Deciding != nil {
			shown.Sent = c.Deciding.String()
		}
		out.Causes = append(out.Causes, shown)
	}
	return out
}

func (c *check) summary() summary {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.summaryLocked()
}

// summaryLocked returns the summary of a check. The lock is held.
func (c *check) summaryLocked() summary {
	s := summary{ID: c.id, Order: c.order, State: c.state, Started: c.started, Ended: c.ended, Counts: map[string]int{}, Trouble: c.trouble}
	for _, v := range c.verdicts {
		s.Counts[string(v.Outcome)]++
	}
	if c.found != nil {
		s.Verdict, s.Exit = c.found.Verdict, c.found.Summary.ExitCode
	}
	if c.trouble != nil {
		s.Exit = conformance.ExitUnreachable
	}
	return s
}

func (c *check) document() document {
	c.mu.Lock()
	defer c.mu.Unlock()
	return document{c.summaryLocked(), append([]conformance.Step{}, c.steps...), c.currentProgress(), c.listed(), c.found}
}

// currentProgress returns the progress of the run. The lock is held.
func (c *check) currentProgress() progress {
	return progress{c.progress.Stage, c.progress.Done, c.progress.All, c.progress.Left.Seconds()}
}

// listed returns the verdicts of all checks of the suite in order. A verdict without any request so far is empty. The
// lock is held.
func (c *check) listed() []verdict {
	var all []verdict
	for _, rule := range dispatchside.Suite.Checks {
		for _, op := range rule.Operations {
			all = append(all, verdict{ID: rule.ID, Operation: op, Level: rule.Level, Clause: rule.Clause, Requirement: rule.Requirement})
		}
	}
	for i, v := range c.verdicts {
		all[i].Outcome, all[i].Message = c.shown(v)
		all[i].Cause = v.Cause
	}
	return all
}

// shown returns the outcome and the finding of a verdict for the page. Both are empty if the verdict may still change
// before the end of the run. The lock is held.
func (c *check) shown(v conformance.Result) (conformance.Outcome, string) {
	switch {
	case v.Outcome == conformance.NotVerified && !c.over():
		return "", ""
	case len(v.Findings) == 0:
		return v.Outcome, ""
	}
	return v.Outcome, v.Findings[0].Message
}

// evidence is a verdict with the findings and requests that led to it.
type evidence struct {
	Check    conformance.Check       `json:"check"`
	Outcome  conformance.Outcome     `json:"outcome"`
	Known    bool                    `json:"known,omitempty"`
	Findings []conformance.Finding   `json:"findings"`
	Calls    []*conformance.Exchange `json:"calls"` // that the findings refer to
	Curl     string                  `json:"curl,omitempty"`
}

// mostCalls limits the number of requests that are sent with a verdict.
const mostCalls = 20

// verdict responds with one verdict and its evidence.
func (c *checks) verdict(w http.ResponseWriter, r *http.Request, one *check) {
	file := c.fileFor(w, one)
	if file == nil {
		return
	}
	name := r.PathValue("name")
	for _, v := range file.Checks {
		if v.Name() != name {
			continue
		}
		out := evidence{Check: file.ChecksByID()[v.ID], Outcome: v.Outcome, Known: v.Known != nil, Findings: v.Findings, Calls: []*conformance.Exchange{}}
		calls, taken := file.CallsByID(), map[int]bool{}
		take := func(ids []int) {
			for _, id := range ids {
				if x := calls[id]; x != nil && !taken[id] && len(taken) < mostCalls {
					taken[id] = true
					out.Calls = append(out.Calls, x)
				}
			}
		}
		for _, f := range v.Findings {
			take(f.Exchanges)
		}
		if len(out.Calls) == 0 {
			take(v.ShownBy)
		}
		out.Curl = report.Curl(file, v)
		answer(w, http.StatusOK, out)
		return
	}
	problem(w, http.StatusNotFound, "not-found", fmt.Sprintf("the run has no verdict %.60q", name))
}

// mostListeners limits the number of clients that follow checks.
const mostListeners = 100

// known is what one listener has received of a check so far.
type known struct {
	steps    int
	progress progress
	verdicts []conformance.Outcome
	state    state
}

// change is a verdict that has changed.
type change struct {
	At      int                 `json:"at"` // index in the list of verdicts
	Outcome conformance.Outcome `json:"outcome"`
	Message string              `json:"message,omitempty"`
}

// events streams the course of a check until it is over (text/event-stream): step,
// verdicts, progress, state, and end. A late listener first receives all earlier events.
func (c *checks) events(w http.ResponseWriter, r *http.Request, one *check) {
	if c.listeners.Add(1) > mostListeners {
		c.listeners.Add(-1)
		w.Header().Set("Retry-After", "5")
		problem(w, http.StatusServiceUnavailable, "too-many-listeners", fmt.Sprintf("%d clients are listening already", mostListeners))
		return
	}
	defer c.listeners.Add(-1)
	var knows known
	out := inbound.NewStream(w)
	idle := time.NewTicker(inbound.Beat)
	defer idle.Stop()
	for {
		news, next, over := one.newEvents(&knows)
		for _, n := range news {
			_ = out.Event("", n.name, n.data) // Flush returns the error
		}
		if out.Flush() != nil || over {
			return
		}
		select {
		case <-next:
		case <-idle.C:
			_ = out.Comment("nothing has happened") // flushed with the next event
		case <-r.Context().Done():
			return
		}
	}
}

// news is an event for the listeners of a check.
type news struct {
	name string
	data []byte
}

// newEvents returns the events that a listener has not received, and notes in knows that it has. next is closed when there
// are more; over reports whether the check has ended.
func (c *check) newEvents(knows *known) (all []news, next <-chan struct{}, over bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	say := func(name string, value any) {
		text, err := json.Marshal(value)
		if err != nil {
			panic(err) // marshalling plain structs never fails
		}
		all = append(all, news{name, text})
	}
	for _, s := range c.steps[knows.steps:] {
		say("step", s)
	}
	knows.steps = len(c.steps)
	if changes := c.changes(knows); len(changes) > 0 {
		say("verdicts", changes)
	}
	if now := c.currentProgress(); now != knows.progress {
		knows.progress = now
		say("progress", now)
	}
	if c.state != knows.state {
		knows.state = c.state
		say("state", map[string]state{"state": c.state})
	}
	if c.over() {
		say("end", c.summaryLocked())
	}
	return all, c.changed, c.over()
}

// changes returns the verdicts that have changed since a listener last received them. The lock is held.
func (c *check) changes(knows *known) (all []change) {
	if knows.verdicts == nil {
		knows.verdicts = make([]conformance.Outcome, len(c.verdicts))
	}
	for len(knows.verdicts) < len(c.verdicts) {
		knows.verdicts = append(knows.verdicts, "")
	}
	for i, v := range c.verdicts {
		outcome, message := c.shown(v)
		if outcome != knows.verdicts[i] {
			knows.verdicts[i] = outcome
			all = append(all, change{i, outcome, message})
		}
	}
	return all
}

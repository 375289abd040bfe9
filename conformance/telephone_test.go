package conformance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
)

// The operations of a telephone service, which has nothing to do with taxis. The service
// calls opRings itself; opLine is no operation.
const (
	opCall   conformance.Operation = "POST /account/{id}/calls"
	opHangUp conformance.Operation = "DELETE /account/{id}/calls/{call}"
	opRings  conformance.Operation = "POST /rings"
	opLine   conformance.Operation = "line"
)

// The probes of its suite.
const (
	probeCall   conformance.ProbeName = "a call"
	probeHangUp conformance.ProbeName = "hung up twice"
)

const tierVoice, tierCore conformance.Tier = "hears a voice", "reaches somebody"

// newTelephone returns a suite of three checks.
func newTelephone() *conformance.Suite {
	return &conformance.Suite{
		Name: "telephone", Label: "telephone exchange", User: "subscriber", Thing: "call",
		Operations: []conformance.Operation{opCall, opHangUp, opRings}, Spanning: []conformance.Operation{opLine},
		Checks: []conformance.Check{
			{
				ID: "TEL-01", Level: conformance.Must, Tier: tierCore, Operations: []conformance.Operation{opCall}, Clause: "Calls",
				Requirement: "A call has a number.", Why: "Nobody could end it.", Hint: "Answer with callId.",
			},
			{
				ID: "TEL-02", Level: conformance.Should, Harm: "money", Tier: tierCore, Operations: []conformance.Operation{opHangUp}, Clause: "Calls",
				Requirement: "A call ends once.", Why: "It would be charged twice.", Hint: "Answer 404 to the second time.",
			},
			{
				ID: "TEL-03", Level: conformance.Must, Tier: tierVoice, Operations: []conformance.Operation{opLine}, Clause: "Voices",
				Requirement: "Whoever is called hears the greeting.", Needs: "a call that rings", Aid: conformance.AidNumbers,
				Why: "People hang up on silence.", Hint: "Send the greeting along.",
			},
		},
		Clauses: []conformance.Clause{
			{Section: "Calls", Text: "A call has a number and ends once.", Checks: []string{"TEL-01", "TEL-02"}},
			{Section: "Voices", Text: "The greeting is spoken.", Checks: []string{"TEL-03"}, Ambiguity: "A1"},
		},
		Ambiguities:  []conformance.Ambiguity{{ID: "A1", Question: "In which voice?", Accepted: "Any.", Checks: []string{"TEL-03"}}},
		Requirements: []conformance.RequirementSet{{Name: "1", IDs: []string{"TEL-01", "TEL-02"}}},
		Tiers:        []conformance.TierInfo{{Name: "core", Tier: tierCore, Core: true}, {Name: "voice", Tier: tierVoice}},
		Harms:        []conformance.HarmInfo{{Harm: "money", Grave: true}},
		Aids:         []conformance.AidInfo{{Aid: conformance.AidNumbers, Checks: []string{"TEL-03"}}},
		Least:        2, Shown: []conformance.ProbeName{probeHangUp}, IDs: []string{"callId"}, Judge: judgeTelephone,
		States: []string{"RINGING", "ENDED"},
		Describe: func(x *conformance.Exchange) conformance.Description {
			return conformance.Description{Thing: x.Reply().At("callId").Scalar(), Verb: x.Request.Method, State: "RINGING"}
		},
		Transcript: &conformance.Transcript{Title: "What the subscriber says", Lines: func(calls []*conformance.Exchange) []conformance.Line {
			return []conformance.Line{{Who: "subscriber", User: true, Text: "Put me through.", Call: calls[0].ID}, {Who: "operator", Text: "I am trying to."}}
		}},
	}
}

// judgeTelephone applies the rules of that suite.
func judgeTelephone(history []*conformance.Exchange, observations []conformance.Observation) []conformance.FiledFinding {
	f := conformance.NewFindings(conformance.IndexChecks(newTelephone().Checks))
	ended := map[string]*conformance.Exchange{}
	for _, x := range history {
		x.Read()
		switch x.Operation {
		case opCall:
			id := x.Reply().At("callId")
			f.Want("TEL-01", id.IsText() && id.HasText(), id, "string, not empty", x)
		case opHangUp:
			if first := ended[x.Request.URL]; first != nil {
				f.Want("TEL-02", x.Code() == http.StatusNotFound, conformance.Answer(x), "404", first, x)
			}
			ended[x.Request.URL] = x
		}
	}
	for _, o := range observations {
		said := conformance.Finding{Outcome: conformance.Pass, Observations: []int{o.ID}}
		if o.Text != heard(greeting) {
			said.Outcome, said.Message, said.Expected = conformance.Fail, "the greeting was not heard", greeting
		}
		f.File(opLine, "TEL-03", said)
	}
	return f.Filed
}

const greeting = "good morning"

// heard returns the text of an observation.
func heard(said string) string { return fmt.Sprintf("whoever was called heard %q", said) }

// newExchange returns a telephone service that is right. Its answer to a call says what was heard.
func newExchange() http.Handler {
	var last atomic.Int64
	var ringing sync.Map
	mux := http.NewServeMux()
	mux.HandleFunc(string(opCall), func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ PhoneNumber, Greeting string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.PhoneNumber == "" {
			http.Error(w, "a phoneNumber is needed", http.StatusBadRequest)
			return
		}
		id := strconv.FormatInt(last.Add(1), 10)
		ringing.Store(id, true)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]string{"callId": id, "phoneNumber": asked.PhoneNumber, "heard": asked.Greeting}) // a caller who has gone needs no answer
	})
	mux.HandleFunc(string(opHangUp), func(w http.ResponseWriter, r *http.Request) {
		if _, rings := ringing.LoadAndDelete(r.PathValue("call")); !rings {
			http.NotFound(w, r)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	return mux
}

// without makes a service whose answers lack a member.
func without(member string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer := httptest.NewRecorder()
			next.ServeHTTP(answer, r)
			maps.Copy(w.Header(), answer.Header())
			w.WriteHeader(answer.Code)
			_, _ = w.Write(bytes.ReplaceAll(answer.Body.Bytes(), []byte(`"`+member+`":`), []byte(`"was":`))) // the suite will see
		})
	}
}

// stubborn returns a service that does not end a call.
func stubborn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			http.Error(w, "not now", http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}

var autumn = time.Date(2026, time.October, 12, 10, 0, 0, 0, time.UTC)

// test runs the suite against the server at an address: it makes two calls, and ends each
// of them twice.
func test(ctx context.Context, url string, now func() time.Time) (*conformance.Report, error) {
	suite := newTelephone()
	c := client.NewClient(client.Config{
		Suite: suite, URL: url, Now: now, Timeout: 5 * time.Second, Width: 1,
		Auth:  func(req *http.Request) { req.Header.Set("Authorization", "Bearer s3cret-token") },
		Hello: client.Call{Op: opCall, Path: "/account/7/calls", Body: []byte("{}")},
	})
	started := now()
	if !c.Connect(ctx) || !c.Step(ctx, c.HTTPStep(c.Once(ctx, conformance.ProbePreflight, c.Config.Hello))) {
		return nil, &conformance.Unreachable{URL: url, Steps: c.Steps}
	}
	var left []conformance.Leftover
	var observations []conformance.Observation
	for _, probe := range []conformance.ProbeName{probeCall, probeHangUp} {
		asked := []byte(`{"phoneNumber": "+44 113 496 0123", "greeting": "` + greeting + `"}`)
		made := c.Send(ctx, probe, client.Call{Op: opCall, Path: "/account/7/calls", Body: asked, Sound: true})
		id := made.Reply().At("callId").Scalar()
		if id == "" {
			continue
		}
		rang := &conformance.Exchange{ // as if the service had made it
			Operation: opRings, Direction: conformance.Received, Probe: probe, Started: now(),
			Request:  conformance.Request{Method: http.MethodPost, URL: "http://127.0.0.1:1" + opRings.Path(), Header: http.Header{}, Body: conformance.Body("{}")},
			Response: &conformance.Response{Status: http.StatusOK, Proto: "HTTP/1.1", Header: http.Header{}, Body: conformance.Body("{}")},
		}
		c.Keep(rang)
		observations = append(observations, conformance.Observation{
			ID: len(observations) + 1, Probe: probe, At: now(), Text: heard(made.Reply().At("heard").Text()), Call: rang.ID,
		})
		call := client.Call{Op: opHangUp, Path: "/account/7/calls/" + id, Sound: true}
		ended := c.Send(ctx, probe, call)
		call.Sound = false
		c.Send(ctx, probe, call)
		if !ended.Succeeded() {
			left = append(left, conformance.Leftover{ID: id, UserID: "7", Reason: "it was answered " + conformance.Answer(ended).Show()})
		}
	}
	hidden := c.Redactor()
	rep := &conformance.Report{
		Suite: suite, Checks: hidden.Results(suite.Conclude(suite.Judge(c.History, observations), conformance.Unseen)),
		Target: hidden.URL(url), Started: started, Duration: now().Sub(started), Leftovers: hidden.Leftovers(left),
		Preflight: c.Steps, Exchanges: c.History, Hide: hidden.Exchange, Observations: hidden.Observations(observations),
	}
	rep.Explain()
	rep.Score(conformance.Scoring{}, started)
	return rep, nil
}

// tested runs the telephone suite against a handler and returns the run file.
func tested(t *testing.T, h http.Handler) *conformance.RunFile {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	report, err := test(t.Context(), server.URL, func() time.Time { return autumn })
	require.NoError(t, err)
	return conformance.NewRunFile(report, "1.2.3")
}

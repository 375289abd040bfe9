package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// The operations of a telephone service, which has nothing to do with taxis. The
// last is one that the service calls itself.
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

// newTelephone is a suite of three checks.
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
				ID: "TEL-02", Level: conformance.Should, Tier: tierCore, Operations: []conformance.Operation{opHangUp}, Clause: "Calls",
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

// judgeTelephone are the rules of that suite.
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

// heard is what an observer notes.
func heard(said string) string { return fmt.Sprintf("whoever was called heard %q", said) }

// exchange is a telephone service that is right.
type exchange struct {
	mu    sync.Mutex
	calls map[string]bool
	last  int
}

func newExchange() http.Handler {
	e := &exchange{calls: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /account/{id}/calls", e.call)
	mux.HandleFunc("DELETE /account/{id}/calls/{call}", e.hangUp)
	return mux
}

// call makes a call: it rings at the address given.
func (e *exchange) call(w http.ResponseWriter, r *http.Request) {
	var asked struct{ PhoneNumber, Greeting, Rings string }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.PhoneNumber == "" {
		http.Error(w, "a phoneNumber is needed", http.StatusBadRequest)
		return
	}
	e.mu.Lock()
	e.last++
	id := strconv.Itoa(e.last)
	e.calls[id] = true
	e.mu.Unlock()
	if asked.Rings != "" {
		said, err := json.Marshal(map[string]string{"callId": id, "say": asked.Greeting})
		if err == nil {
			err = ring(r, asked.Rings+opRings.Path(), said)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"callId": id, "phoneNumber": asked.PhoneNumber}) // a caller who has gone needs no answer
}

func ring(r *http.Request, address string, said []byte) error {
	req, err := http.NewRequestWithContext(r.Context(), http.MethodPost, address, bytes.NewReader(said))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func (e *exchange) hangUp(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if id := r.PathValue("call"); !e.calls[id] {
		http.NotFound(w, r)
		return
	}
	delete(e.calls, r.PathValue("call"))
	w.WriteHeader(http.StatusNoContent)
}

// sayOf returns what a ring says.
func sayOf(body []byte) string { return jsonvalue.Parse(body).At("say").Text() }

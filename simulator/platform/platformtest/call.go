package platformtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Step is an action of a caller.
type Step struct{ does, what string }

// Expect waits until these words are heard, in any case, for up to half a minute of the
// call.
func Expect(words string) Step { return Step{"expect", words} }

// Press presses keys: 0 to 9, * and #.
func Press(keys string) Step { return Step{"press", keys} }

// Say speaks words.
func Say(words string) Step { return Step{"say", words} }

// Wait lets time of the call pass.
func Wait(d time.Duration) Step { return Step{"wait", d.String()} }

// Call is a finished call.
type Call struct {
	From       string
	Ended      string       // why it ended
	Transcript []voice.Line // what was said, pressed and heard
}

// Heard reports whether the platform has said some words, in any case.
func (c *Call) Heard(words string) bool {
	for _, line := range c.Transcript {
		if line.Kind == voice.LineSay && strings.Contains(strings.ToLower(line.Text), strings.ToLower(words)) {
			return true
		}
	}
	return false
}

// String returns the transcript, one line each.
func (c *Call) String() string {
	var b strings.Builder
	for _, line := range c.Transcript {
		fmt.Fprintf(&b, "%6.1f s  %-8s  %-6s  %s\n", float64(line.AtMs)/1000, line.Party, line.Kind, line.Text)
	}
	fmt.Fprintf(&b, "ended: %s", c.Ended)
	return b.String()
}

// mostCalls limits how many calls a failed test logs.
const mostCalls = 3

// Call simulates a caller of the taxi number of the first account, who performs the
// steps, and returns when the call is over. It fails the test if an expected text is not
// heard.
func (p *Platform) Call(from string, steps ...Step) *Call {
	p.t.Helper()
	script := []map[string]string{}
	for _, s := range steps {
		script = append(script, map[string]string{s.does: s.what})
	}
	view := p.phone(http.MethodPost, "", map[string]any{"from": from, "to": "taxi", "script": script})
	for view.Call == nil && view.Status != "over" {
		p.pass(turn)
		view = p.phone(http.MethodGet, "/"+view.ID, nil)
	}
	c := &Call{From: from, Ended: view.Reason, Transcript: view.Transcript}
	p.mu.Lock()
	p.calls = append(p.calls, c)
	p.calls = p.calls[max(0, len(p.calls)-mostCalls):]
	p.mu.Unlock()
	if view.Script != "" && view.Script != "done" {
		p.t.Fatalf("platformtest: the call from …%s: %s", from[max(0, len(from)-3):], view.Script)
	}
	return c
}

// turn is the step in which the call's time passes.
const turn = 5 * time.Second

// pass lets time of the telephones pass.
func (p *Platform) pass(d time.Duration) {
	p.moving.Lock()
	defer p.moving.Unlock()
	p.line.Advance(d)
}

// phone sends a request to the control API about a telephone.
func (p *Platform) phone(method, path string, body any) (view simapi.PhoneView) {
	p.t.Helper()
	text, err := json.Marshal(body)
	must(p.t, err)
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.url+"/sim/v1/phones"+path, bytes.NewReader(text))
	must(p.t, err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := p.client.Do(req)
	must(p.t, err)
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusMultipleChoices {
		var refused struct{ Detail string }
		_ = json.NewDecoder(resp.Body).Decode(&refused) // the status says enough
		p.t.Fatalf("platformtest: nobody can call: %s: %s", resp.Status, refused.Detail)
	}
	must(p.t, json.NewDecoder(resp.Body).Decode(&view))
	return view
}

// logIfFailed logs the last calls of a failed test.
func (p *Platform) logIfFailed() {
	p.t.Helper()
	if !p.t.Failed() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.calls {
		p.t.Logf("a call from …%s:\n%s", c.From[max(0, len(c.From)-3):], c)
	}
}

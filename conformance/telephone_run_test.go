package conformance_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/matrix"
)

var autumn = time.Date(2026, time.October, 12, 10, 0, 0, 0, time.UTC)

// number is what the telephone suite calls.
const number = "+44 113 496 0123"

// run is one run of the telephone suite.
type run struct {
	*client.Client
	suite *conformance.Suite
	now   func() time.Time
	hook  *httptest.Server // what the service calls back

	mu           sync.Mutex
	observations []conformance.Observation
}

// newRun prepares a run against the server at an address.
func newRun(url string, now func() time.Time) *run {
	r := &run{suite: newTelephone(), now: now}
	r.hook = httptest.NewServer(http.HandlerFunc(r.receive))
	r.Client = client.NewClient(client.Config{
		Suite: r.suite, URL: url, Now: now, Timeout: 5 * time.Second, Width: 1,
		Auth:  func(req *http.Request) { req.Header.Set("Authorization", "Bearer s3cret-token") },
		Hello: client.Call{Op: opCall, Path: "/account/7/calls", Body: []byte("{}")},
	})
	return r
}

// receive notes what the service rings with: a call that the judge answers, and what
// was heard by it.
func (r *run) receive(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(io.LimitReader(req.Body, conformance.MaxBody))
	if err != nil {
		return // it hung up
	}
	x := &conformance.Exchange{
		Operation: opRings, Direction: conformance.Received, Probe: probeCall, Started: r.now(),
		Request:  conformance.Request{Method: req.Method, URL: r.hook.URL + req.URL.Path, Header: req.Header, Body: body},
		Response: &conformance.Response{Status: http.StatusOK, Proto: "HTTP/1.1", Header: http.Header{}, Body: conformance.Body("{}")},
	}
	r.Keep(x)
	r.mu.Lock()
	r.observations = append(r.observations, conformance.Observation{
		ID: len(r.observations) + 1, Probe: probeCall, At: r.now(), Text: heard(sayOf(body)), Call: x.ID,
	})
	r.mu.Unlock()
	_, _ = w.Write(x.Response.Body) // whoever has hung up needs no answer
}

// test runs the suite against the server at an address.
func test(ctx context.Context, url string, now func() time.Time, only ...string) (*conformance.Report, error) {
	r := newRun(url, now)
	defer r.hook.Close()
	started := now()
	if !r.Connect(ctx) || !r.Step(ctx, r.HTTPStep(r.Once(ctx, conformance.ProbePreflight, r.Config.Hello))) {
		return nil, &conformance.Unreachable{URL: url, Steps: r.Steps}
	}
	var left []conformance.Leftover
	for _, probe := range []conformance.ProbeName{probeCall, probeHangUp} {
		left = append(left, r.callAndHangUp(ctx, probe)...)
	}
	return r.report(started, left, only), nil
}

// callAndHangUp makes a call, and ends it twice.
func (r *run) callAndHangUp(ctx context.Context, probe conformance.ProbeName) []conformance.Leftover {
	asked, err := json.Marshal(map[string]string{"phoneNumber": number, "greeting": greeting, "rings": r.hook.URL})
	if err != nil {
		panic(err) // strings can be written
	}
	made := r.Send(ctx, probe, client.Call{Op: opCall, Path: "/account/7/calls", Body: asked, Sound: true})
	id := made.Reply().At("callId").Scalar()
	if id == "" {
		return nil
	}
	call := client.Call{Op: opHangUp, Path: "/account/7/calls/" + id, Sound: true}
	ended := r.Send(ctx, probe, call)
	call.Sound = false
	r.Send(ctx, probe, call)
	if ended.Succeeded() {
		return nil
	}
	return []conformance.Leftover{{ID: id, UserID: "7", Reason: "it was answered " + conformance.Answer(ended).Show()}}
}

// report makes the report of what was seen.
func (r *run) report(started time.Time, left []conformance.Leftover, only []string) *conformance.Report {
	results := r.suite.Conclude(r.suite.Judge(r.History, r.observations), conformance.Unseen)
	hidden := r.Redactor()
	rep := &conformance.Report{
		Suite: r.suite, Checks: hidden.Results(results), Target: hidden.URL(r.Config.URL), Started: started, Duration: r.now().Sub(started),
		Only: only, Leftovers: hidden.Leftovers(left), Preflight: r.Steps, Exchanges: r.History, Hide: hidden.Exchange,
		Observations: hidden.Observations(r.observations),
	}
	rep.Explain()
	rep.Score(conformance.Scoring{}, started)
	return rep
}

// repeat makes the calls again that an earlier run made for a verdict.
func repeat(ctx context.Context, url string, earlier *conformance.RunFile, what string) (*conformance.Report, error) {
	calls, err := earlier.CallsToRepeat(what)
	if err != nil {
		return nil, err
	}
	r := newRun(url, func() time.Time { return autumn })
	defer r.hook.Close()
	ids := []string{}
	for _, x := range calls {
		if x.Direction == conformance.Received {
			continue // the service makes it itself
		}
		body := x.Request.Body
		if then := x.Sent().At("rings").Text(); then != "" {
			body = bytes.ReplaceAll(body, []byte(then), []byte(r.hook.URL))
		}
		path := strings.NewReplacer(ids...).Replace(strings.TrimPrefix(x.Request.URL, earlier.Target))
		again := r.Send(ctx, x.Probe, client.Call{Op: x.Operation, Path: path, Method: x.Request.Method, Body: body, Sound: x.Sound})
		for _, key := range earlier.Suite.IDs {
			if was, is := x.Reply().At(key).Scalar(), again.Reply().At(key).Scalar(); was != "" {
				ids = append(ids, "/calls/"+was, "/calls/"+cmp.Or(is, was))
			}
		}
	}
	report := r.report(autumn, nil, nil)
	report.Follow(earlier, what)
	return report, nil
}

// subject is a sound telephone service for the kill matrix.
func subject(context.Context) (matrix.Subject, error) {
	return matrix.Subject{Handler: newExchange(), Now: time.Now, Test: func(ctx context.Context, at matrix.Place) (*conformance.Report, error) {
		return test(ctx, at.URL, at.Now, at.Only...)
	}}, nil
}

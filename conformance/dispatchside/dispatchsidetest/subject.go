// Package dispatchsidetest has parts for tests of the suite for dispatch systems: a small vendor's
// system, and the subject of a kill matrix.
package dispatchsidetest

import (
	"context"
	"net/http"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// NewSubject returns a subject of the kill matrix: a correct dispatch system, and the target with
// which it is tested. URL is filled in for each row.
func NewSubject(handler http.Handler, target dispatchside.Target, stop func()) matrix.Subject {
	return matrix.Subject{Handler: handler, Now: target.Now, Stop: stop, Test: func(ctx context.Context, at matrix.Place) (*conformance.Report, error) {
		return testAt(ctx, target, at)
	}}
}

// testAt runs the suite against the server at a place of the matrix.
func testAt(ctx context.Context, t dispatchside.Target, at matrix.Place) (*conformance.Report, error) {
	if at.Own {
		t = dispatchside.Target{Seed: t.Seed, Timeout: t.Timeout, Width: t.Width}
	}
	t.URL, t.Only, t.Now = at.URL, at.Only, at.Now
	t.TLS, t.Transport, t.AllowHost = at.TLS, at.Transport, true // every port is on this machine
	t.KeepGoing = true                                           // nothing real is left behind
	if restart := t.Restart; restart != nil {
		t.Restart = func(ctx context.Context) error {
			at.Restart()
			return restart(ctx)
		}
	}
	if set := t.SetClock; set != nil {
		t.SetClock = func(ctx context.Context, to time.Time) error {
			notifyDay(ctx, at)
			return set(ctx, to)
		}
	}
	return dispatchside.Run(ctx, t)
}

// NewDay is the path of a call that tells a mutant that the clock was moved to another day. No
// judged server has this path.
const NewDay = "new-day"

// notifyDay notifies the mutant at a place that a new day has begun.
func notifyDay(ctx context.Context, at matrix.Place) {
	transport := at.Transport
	if transport == nil {
		transport = &http.Transport{TLSClientConfig: at.TLS, DisableKeepAlives: true}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, at.URL+"/"+NewDay, http.NoBody)
	if err != nil {
		return
	}
	if resp, err := (&http.Client{Transport: transport}).Do(req); err == nil {
		_ = resp.Body.Close()
	}
}

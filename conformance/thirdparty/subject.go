package thirdparty

import (
	"context"
	"net/http"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/matrix"
)

// NewSubject makes a subject of the kill matrix of a sound dispatch system and of how
// it may be tested. URL is filled in for each row.
func NewSubject(handler http.Handler, target Target, stop func()) matrix.Subject {
	return matrix.Subject{Handler: handler, Now: target.Now, Test: target.testAt, Stop: stop}
}

// testAt tests the server at a place.
func (t Target) testAt(ctx context.Context, at matrix.Place) (*conformance.Report, error) {
	if at.Own {
		t = Target{Seed: t.Seed, Timeout: t.Timeout, Width: t.Width}
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
	return Run(ctx, t)
}

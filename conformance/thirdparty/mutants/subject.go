package mutants

import (
	"context"
	"net/http"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/thirdparty"
)

// NewSubject makes a subject of the kill matrix of a sound dispatch system and of how
// it may be tested. URL is filled in for each row.
func NewSubject(handler http.Handler, target thirdparty.Target, stop func()) matrix.Subject {
	return matrix.Subject{Handler: handler, Now: target.Now, Stop: stop, Test: func(ctx context.Context, at matrix.Place) (*conformance.Report, error) {
		return testAt(ctx, target, at)
	}}
}

// testAt tests the server at a place.
func testAt(ctx context.Context, t thirdparty.Target, at matrix.Place) (*conformance.Report, error) {
	if at.Own {
		t = thirdparty.Target{Seed: t.Seed, Timeout: t.Timeout, Width: t.Width}
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
	return thirdparty.Run(ctx, t)
}

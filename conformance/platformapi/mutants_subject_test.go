package platformapi_test

import (
	"context"
	"net/http"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/platformapi"
)

// newSubject makes a subject of the kill matrix of a sound platform and of how it may
// be tested. URL is filled in for each row.
func newSubject(handler http.Handler, target platformapi.Target, stop func()) matrix.Subject {
	return matrix.Subject{Handler: handler, Now: target.Now, Stop: stop, Test: func(ctx context.Context, at matrix.Place) (*conformance.Report, error) {
		t := target
		t.URL, t.VoiceURL, t.Only, t.Now = at.URL, at.URL, at.Only, at.Now
		t.TLS, t.Transport, t.AllowHost = at.TLS, at.Transport, true // every port is on this machine
		return platformapi.Run(ctx, t)
	}}
}

package judging

import (
	"context"
	"net/http"

	"github.com/cabrank/cabrank/conformance"
)

// Reference is the reference's own server, with the aids that it has.
type Reference interface {
	http.Handler
	Lend(t *conformance.Target)
}

// The reference is made and served by main, as long as it cannot be imported.
var (
	NewReference   func(context.Context) (Reference, error)
	ServeReference func(context.Context, *conformance.Target) (stop func(), err error)
)

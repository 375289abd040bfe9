package judging

import (
	"context"
	"github.com/cabrank/cabrank/conformance/thirdparty"
	"net/http"
)

// Reference is the reference's own server, with the aids that it has.
type Reference interface {
	http.Handler
	Lend(t *thirdparty.Target)
}

// The reference is made and served by main, as long as it cannot be imported.
var (
	NewReference   func(context.Context) (Reference, error)
	ServeReference func(context.Context, *thirdparty.Target) (stop func(), err error)
)

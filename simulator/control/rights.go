package control

import (
	"cmp"
	"net/http"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control/tokens"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// person is who makes a request.
type person struct {
	name      string // of the token; "": the server's own token, or no token is needed
	may       tokens.Right
	sandboxes int          // how many sandboxes the token may own
	token     *tokens.Kept // nil: the server's own token, or no token is needed
}

// anybody makes requests with the server's own token, or to a server that needs none.
var anybody = person{may: tokens.MayEverything}

// owns reports whether a person may do everything in a world.
func (p person) owns(w *worlds.World) bool {
	return p.may == tokens.MayEverything || p.may == tokens.MaySandboxes && w.Name != "" && w.Owner == p.name
}

// questions are the calls of the journal that read, although they are not GET.
var questions = []string{"/requests/find", "/requests/count", "/requests/wait", "/verify"}

// forbidden returns the problem of a right that is missing in a world.
func (p person) forbidden(needs tokens.Right, w *worlds.World) error {
	of := ""
	if w.Name != "" {
		of = "; the sandbox " + w.Name + " belongs to " + cmp.Or(w.Owner, "nobody")
	}
	if w.Name != "" && w.Owner == p.name {
		needs = tokens.MaySandboxes
	}
	return taxi.NewProblem(http.StatusForbidden, taxi.CodeForbidden, "this needs the right %s, and the token %s has the right %s%s", needs, p.name, p.may, of)
}

package control

import (
	"net/http"

	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// sandbox is a world with what belongs to it: the main one, or one that a caller made.
type sandbox struct {
	*worlds.World

	clock    chan struct{} // holds one while somebody moves the clock
	faults   *fault.Set
	lookouts lookouts
	stage    stage
	first    *Run // the start of the scenario that it was made with; nil: there was none
	answers  answersOf
	metrics  *metrics
	journal  Journal      // nil: there is none
	handler  http.Handler // the five operations, from outside in: metrics, journal, faults, host
}

// boxOf is a world of ours.
func boxOf(w *worlds.World) *sandbox { return w.Beside.(*sandbox) }

// operations passes requests to the host of a sandbox.
func (s *Server) operations(box *sandbox) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		visit, err := box.Gate.Enter(r.Context())
		if err != nil {
			s.fail(w, r, err)
			return
		}
		defer visit.Leave()
		if box.answers.Load() == AnswersRequired {
			answerRequired(w, r, visit.Host)
			return
		}
		visit.Host.ServeHTTP(w, r)
	})
}

// calls is the path of the calls of the world.
func (b *sandbox) calls() string {
	if b.Name == "" {
		return Prefix
	}
	return sandboxPrefix + b.Name + Prefix
}

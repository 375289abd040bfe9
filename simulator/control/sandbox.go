package control

import (
	"net/http"

	"github.com/cabrank/cabrank/simulator/control/metrics"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/worlds"
)

// sandbox is a world with its control data: the main one, or one that a client created.
type sandbox struct {
	*worlds.World

	clock         chan struct{} // of length one: held while a client moves the clock
	faults        *fault.Set
	positionFeeds positionFeeds
	scenarios     scenarioRuns
	first         *Run // the scenario run that it was created with, or nil
	answers       answersOf
	memory        memory
	metrics       *metrics.Metrics
	journal       Journal      // nil: there is none
	handler       http.Handler // the five operations, through metrics, journal, faults and host
}

// boxOf returns the sandbox of a world.
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

// calls returns the path of the world's control API.
func (b *sandbox) calls() string {
	if b.Name == "" {
		return Prefix
	}
	return sandboxPrefix + b.Name + Prefix
}

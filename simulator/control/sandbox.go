package control

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
)

// sandbox is a world with what belongs to it: the main one, or one that a caller made.
type sandbox struct {
	name      string // "": the main world
	made      time.Time
	ttl       time.Duration // by the wall; 0: it stays
	asked     atomic.Int64  // when somebody last asked for it, in milliseconds of the wall since the Unix epoch
	inside    atomic.Int64  // calls that are being answered, but for those of the metrics
	gate      *gate
	clock     chan struct{} // holds one while somebody moves the clock
	faults    *fault.Set
	events    *broker
	lookouts  lookouts
	snapshots snapshots
	stage     stage
	first     *Run // the start of the scenario that it was made with; nil: there was none
	answers   answersOf
	metrics   *metrics
	journal   Journal      // nil: there is none
	close     func() error // closing again returns the same
	handler   http.Handler // the five operations, from outside in: metrics, journal, faults, host
}

// open opens a world.
func (s *Server) open(ctx context.Context, name string, c host.Config) (*sandbox, error) {
	h, err := s.options.Open(ctx, name, c)
	if err != nil {
		return nil, err
	}
	box := &sandbox{name: name, gate: newGate(h), clock: make(chan struct{}, 1), events: newBroker()}
	box.metrics = s.newMetrics(box)
	h.Follow(box.changed)
	box.close = sync.OnceValue(box.shut)
	box.faults = s.newFaults(box)
	box.handler = fault.Handler(box.faults, s.operations(box))
	if s.options.Journal != nil {
		box.journal = s.options.Journal(name, box.now, box.handler)
		box.handler = box.journal
	}
	box.handler = box.metrics.count(s.options.Now, box.handler)
	return box, nil
}

// operations passes requests to the host of a sandbox.
func (s *Server) operations(box *sandbox) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		visit, err := box.gate.enter(r.Context())
		if err != nil {
			s.fail(w, r, err)
			return
		}
		defer visit.leave()
		if box.answers.Load() == AnswersRequired {
			answerRequired(w, r, visit.host)
			return
		}
		visit.host.ServeHTTP(w, r)
	})
}

// calls is the path of the calls of the world.
func (b *sandbox) calls() string {
	if b.name == "" {
		return Prefix
	}
	return sandboxPrefix + b.name + Prefix
}

// now reads the clock of the world.
func (b *sandbox) now() time.Time { return b.gate.latest().World().Clock().Now() }

// shut ends the world. Its journal is closed last, since it may hear of that.
func (b *sandbox) shut() error {
	b.events.end("the sandbox has ended")
	err := errors.Join(b.gate.close(), b.snapshots.removeAll())
	if b.journal != nil {
		err = errors.Join(err, b.journal.Close())
	}
	return err
}

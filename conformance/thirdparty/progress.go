package thirdparty

import (
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance"
)

// progress counts the things done in a stage of a run, and tells of each.
type progress struct {
	stage conformance.Stage
	all   int
	tell  func(conformance.Progress) // nil: nobody is told
	left  func() time.Duration       // how long the rest takes; nil: not known

	mu   sync.Mutex
	done int
}

// count adds a thing.
func (p *progress) count() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.tell == nil {
		return
	}
	told := conformance.Progress{Stage: p.stage, Done: p.done, All: p.all}
	if p.left != nil {
		told.Left = p.left()
	}
	p.tell(told)
}

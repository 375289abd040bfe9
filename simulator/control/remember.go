package control

import (
	"context"
	"sync"

	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/store"
)

// The keys under which the records store the faults and the form of answers of a sandbox.
const (
	metaFaults  = "faults"  // see [fault.Set.State]
	metaAnswers = "answers" // see [Answers]
)

// memory stores the faults and the form of answers of a sandbox in the world's records.
type memory struct {
	on bool // false: nothing is stored

	mu     sync.Mutex // held while a value is read and stored, so that the latest is stored last
	ticket store.Ticket
	err    error // of the latest value
}

// keep stores a value that has changed, without waiting for the disk. A value that was never
// stored is not stored while it is usual.
func (m *memory) keep(records *store.Store, key, usual string, value func() (string, error)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	text, err := value()
	if m.err = err; err != nil {
		return
	}
	if is, kept := records.Meta(key); is == text || !kept && text == usual {
		return
	}
	m.ticket, m.err = records.QueueMeta(key, text)
}

// wait waits until all values that were stored before are durable.
func (m *memory) wait(ctx context.Context) error {
	m.mu.Lock()
	ticket, err := m.ticket, m.err
	m.mu.Unlock()
	if err != nil {
		return err
	}
	return ticket.Wait(ctx)
}

// remember restores the faults and answers that the records of a sandbox have, and stores them
// again in the records of each world that replaces it.
func (s *Server) remember(b *sandbox) {
	if !s.options.Remember {
		return
	}
	records := b.Gate.Latest().Records()
	if text, kept := records.Meta(metaFaults); kept {
		if err := b.faults.Restore([]byte(text)); err != nil {
			s.log.Error("the world goes on without its faults: they cannot be read", "sandbox", b.Name, "error", err)
		}
	}
	if text, kept := records.Meta(metaAnswers); kept {
		b.answers.Store(Answers(text))
	}
	b.memory.on = true
	b.Gate.Latest().Follow(func(*simulator.World) {
		b.keepFaults()
		b.keepAnswers()
	})
}

// keepsFaults returns the function that stores the faults of a sandbox; nil: they are not
// stored.
func (s *Server) keepsFaults(b *sandbox) func() {
	if !s.options.Remember {
		return nil
	}
	return b.keepFaults
}

func (b *sandbox) keepFaults() {
	b.memory.keep(b.Gate.Latest().Records(), metaFaults, fault.NoState, func() (string, error) {
		text, err := b.faults.State()
		return string(text), err
	})
}

// setAnswers selects the members that the operations return.
func (b *sandbox) setAnswers(a Answers) {
	b.answers.Store(a)
	if b.memory.on {
		b.keepAnswers()
	}
}

func (b *sandbox) keepAnswers() {
	b.memory.keep(b.Gate.Latest().Records(), metaAnswers, string(AnswersAll), func() (string, error) {
		return string(b.answers.Load()), nil
	})
}

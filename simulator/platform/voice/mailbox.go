package voice

import "sync"

// mailbox runs functions of a call one at a time, without a goroutine: the goroutine that
// posts to an idle mailbox runs the function, and all that are posted meanwhile. So an
// idle call costs nothing, and on a virtual clock everything runs in one goroutine.
type mailbox struct {
	mu      sync.Mutex
	waiting []func()
	busy    bool
}

// maxWaiting is the number of waiting functions above which keys and speech are dropped,
// if a line reports faster than its call can follow.
const maxWaiting = 1024

// post runs f, before it returns or after the function that is running now.
func (m *mailbox) post(run func(func()), f func()) {
	m.mu.Lock()
	m.waiting = append(m.waiting, f)
	if m.busy {
		m.mu.Unlock()
		return
	}
	m.busy = true
	for len(m.waiting) > 0 {
		next := m.waiting[0]
		m.waiting[0] = nil
		m.waiting = m.waiting[1:]
		m.mu.Unlock()
		run(next)
		m.mu.Lock()
	}
	m.waiting, m.busy = nil, false
	m.mu.Unlock()
}

// full reports whether so many functions are waiting that events must be dropped.
func (m *mailbox) full() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.waiting) >= maxWaiting
}

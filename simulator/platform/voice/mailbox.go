package voice

import "sync"

// mailbox lets things happen to a call one at a time, without a goroutine of its
// own: whoever posts while nobody is at work does the work, including what is
// posted meanwhile. So a call costs nothing while nothing happens to it, and on a
// virtual clock all of it happens in one goroutine.
type mailbox struct {
	mu      sync.Mutex
	waiting []func()
	busy    bool
}

// maxWaiting is where a line that reports faster than its call can follow loses
// keys and speech.
const maxWaiting = 1024

// post has f run, before it returns or after the f that is running now.
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

// full tells whether so much is waiting that what can be missed should be.
func (m *mailbox) full() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.waiting) >= maxWaiting
}

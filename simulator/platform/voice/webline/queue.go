package webline

import (
	"slices"
	"sync"
)

// What may wait until a browser reads it.
const (
	mostSound = 25 // frames: half a second
	mostTexts = 100
)

// message is one of a WebSocket.
type message struct {
	body []byte
	text bool
}

// queue is what is still to be sent.
type queue struct {
	more chan struct{} // has room for one: something is there to be sent

	mu     sync.Mutex
	list   []message
	sounds int
	texts  int
	closed bool // no more is added
}

func newQueue() *queue { return &queue{more: make(chan struct{}, 1)} }

// addSound adds a frame. The oldest make room for it.
func (q *queue) addSound(frame []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || frame == nil {
		return
	}
	if q.sounds == mostSound {
		oldest := slices.IndexFunc(q.list, func(m message) bool { return !m.text })
		q.list = slices.Delete(q.list, oldest, oldest+1)
		q.sounds--
	}
	q.sounds++
	q.list = append(q.list, message{body: frame})
	q.wake()
}

// addText adds a text. It reports false if too many wait.
func (q *queue) addText(body []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return true
	}
	if q.texts == mostTexts {
		return false
	}
	q.texts++
	q.list = append(q.list, message{body: body, text: true})
	q.wake()
	return true
}

// clear drops the sound that waits.
func (q *queue) clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = slices.DeleteFunc(q.list, func(m message) bool { return !m.text })
	q.sounds = 0
}

// close lets nothing more be added.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.wake()
}

// wake has the sender look; the lock is held.
func (q *queue) wake() {
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// take returns all that waits, and whether nothing more comes.
func (q *queue) take() (list []message, last bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	list, q.list = q.list, nil
	q.sounds, q.texts = 0, 0
	return list, q.closed
}

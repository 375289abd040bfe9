package webline

import (
	"slices"
	"sync"
)

// Limits of the messages that are queued for the browser.
const (
	mostSound = 25 // frames: half a second
	mostTexts = 100
)

// message is a message of the WebSocket.
type message struct {
	body []byte
	text bool
}

// queue contains the messages that have not been sent yet.
type queue struct {
	more chan struct{} // receives a value when there is something to send; its buffer has room for one

	mu     sync.Mutex
	list   []message
	sounds int
	texts  int
	closed bool // nothing more is added
}

func newQueue() *queue { return &queue{more: make(chan struct{}, 1)} }

// addSound adds a frame. If the queue is full, it drops the oldest frame.
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

// addText adds a text. It reports false if the queue is full.
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

// clear drops all frames.
func (q *queue) clear() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = slices.DeleteFunc(q.list, func(m message) bool { return !m.text })
	q.sounds = 0
}

// close ends the queue: later messages are dropped.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.wake()
}

// wake wakes the sender; the lock is held.
func (q *queue) wake() {
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// take removes and returns all messages; last is true if no more will come.
func (q *queue) take() (list []message, last bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	list, q.list = q.list, nil
	q.sounds, q.texts = 0, 0
	return list, q.closed
}

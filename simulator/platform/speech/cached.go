package speech

import (
	"context"
	"errors"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Cached returns a speaker that caches speech by text, voice and rate, up to a size in bytes. A text that is requested
// while it is being synthesised is delivered from its beginning.
func Cached(speaker Speaker, bytes int) Speaker {
	c := &cached{speaker: speaker, room: bytes}
	c.known, _ = simplelru.NewLRU(1<<20, func(_ prompt, r *rendering) { c.used -= r.bytes() })
	return c
}

type cached struct {
	speaker Speaker
	room    int

	mu    sync.Mutex
	known *simplelru.LRU[prompt, *rendering]
	busy  map[prompt]*rendering
	used  int
}

// prompt is a key of the cache.
type prompt struct {
	text, voice string
	rate        int
}

// rendering contains the samples of a text that have been synthesised so far.
type rendering struct {
	mu     sync.Mutex
	pieces [][]int16
	done   bool
	err    error
	more   chan struct{} // closed when pieces, done or err change
}

// Speak implements [Speaker].
func (c *cached) Speak(ctx context.Context, text, voice string, rate int, deliver func([]int16) error) error {
	p := prompt{text, voice, rate}
	c.mu.Lock()
	if r, ok := c.known.Get(p); ok {
		c.mu.Unlock()
		return r.follow(ctx, deliver)
	}
	if r, ok := c.busy[p]; ok {
		c.mu.Unlock()
		return r.follow(ctx, deliver)
	}
	r := &rendering{more: make(chan struct{})}
	if c.busy == nil {
		c.busy = map[prompt]*rendering{}
	}
	c.busy[p] = r
	c.mu.Unlock()
	return c.lead(ctx, p, r, deliver)
}

// lead synthesises and stores a text. It continues to the end even if deliver fails or ctx is done, since the text will
// probably be requested again.
func (c *cached) lead(ctx context.Context, p prompt, r *rendering, deliver func([]int16) error) error {
	var stopped error
	err := errors.New("the speaker has failed")
	defer func() {
		r.add(nil, true, err)
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.busy, p)
		if err == nil {
			c.keep(p, r)
		}
	}()
	err = c.speaker.Speak(context.WithoutCancel(ctx), p.text, p.voice, p.rate, func(pcm []int16) error {
		r.add(pcm, false, nil)
		if stopped == nil {
			stopped = deliver(pcm)
		}
		return nil
	})
	if err == nil {
		return stopped
	}
	return err
}

// keep adds a text to the cache; the lock is held.
func (c *cached) keep(p prompt, r *rendering) {
	size := r.bytes()
	if size > c.room/2 {
		return
	}
	c.known.Add(p, r)
	for c.used += size; c.used > c.room; {
		c.known.RemoveOldest()
	}
}

// follow delivers a rendering from its beginning.
func (r *rendering) follow(ctx context.Context, deliver func([]int16) error) error {
	for i := 0; ; {
		r.mu.Lock()
		pieces, done, err, more := r.pieces[i:], r.done, r.err, r.more
		r.mu.Unlock()
		for _, pcm := range pieces {
			if err := deliver(pcm); err != nil {
				return err
			}
		}
		i += len(pieces)
		if done {
			return err
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// add adds a piece to a rendering, or ends it.
func (r *rendering) add(pcm []int16, done bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(pcm) > 0 {
		r.pieces = append(r.pieces, pcm)
	}
	r.done, r.err = done, err
	close(r.more)
	r.more = make(chan struct{})
}

// bytes returns the size of a rendering in memory.
func (r *rendering) bytes() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	size := 256
	for _, pcm := range r.pieces {
		size += 2*cap(pcm) + 24
	}
	return size
}

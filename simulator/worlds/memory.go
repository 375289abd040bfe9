package worlds

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"time"
)

// usualHeap limits the heap of the process where GOMEMLIMIT does not: if the live objects take
// more, there is no room for another sandbox.
const usualHeap = 1 << 30

// roomAfter is how long a sandbox must be unused before it is ended for a new one, if there are
// as many as there may be.
const roomAfter = 10 * time.Minute

// shrinkAfter is how long a sandbox must be unused before it is ended because memory is short:
// a test may pause that long between two requests.
const shrinkAfter = 2 * time.Minute

// heapIsFull reports whether live objects take more than three quarters of GOMEMLIMIT, or more
// than usualHeap if there is no such limit.
func heapIsFull() bool {
	most := uint64(usualHeap)
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		most = uint64(limit) / 4 * 3
	}
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(heap)
	if heap[0].Value.Uint64() > most && heap[1].Value.Uint64() <= most { // the rest may be garbage
		runtime.GC()
		metrics.Read(heap)
	}
	return heap[1].Value.Uint64() > most
}

// full reports whether memory is too short for another sandbox.
func (s *Worlds) full() bool {
	if s.options.Full != nil {
		return s.options.Full()
	}
	return heapIsFull()
}

func (s *Worlds) most() int { return cmp.Or(s.options.Most, Most) }

// isIdle reports whether a world has no current request, and has been unused for so long.
func (s *Worlds) isIdle(w *World, long time.Duration) bool {
	return w.inside.Load() == 0 && s.isUnused(w, long)
}

// isUnused reports whether a world's latest request began at least so long ago; it may not have ended.
func (s *Worlds) isUnused(w *World, long time.Duration) bool {
	return s.options.Now().Sub(time.UnixMilli(w.asked.Load())) >= long
}

// idle returns the sandboxes that have been unused for so long, longest unused first; mu is held.
func (s *Worlds) idle(long time.Duration) []*World {
	all := slices.DeleteFunc(s.boxes(), func(w *World) bool { return !s.isIdle(w, long) })
	slices.SortStableFunc(all, func(a, b *World) int { return cmp.Compare(a.asked.Load(), b.asked.Load()) })
	return all
}

// HasRoom reports whether another sandbox fits within the limits, without ending any.
func (s *Worlds) HasRoom() bool {
	s.mu.Lock()
	room := len(s.boxes())+len(s.opening) < s.most()
	s.mu.Unlock()
	return room && !s.full()
}

// makeRoom ends sandboxes until there is room for one whose opening is listed, or returns an error.
func (s *Worlds) makeRoom() error {
	if !s.shrink() {
		return refuse(TooMany, "the server is short of memory; end a sandbox, or wait until one has not been asked for in %.0f minutes", shrinkAfter.Minutes())
	}
	s.mu.Lock()
	var ends []*World
	surplus := len(s.boxes())+len(s.opening) > s.most()
	if surplus {
		idle := s.idle(roomAfter)
		ends = s.takeOut(idle[:min(1, len(idle))])
	}
	s.mu.Unlock()
	if surplus && len(ends) == 0 {
		return refuse(TooMany, "there are %d sandboxes already; end one, or wait until one has not been asked for in %.0f minutes", s.most(), roomAfter.Minutes())
	}
	s.endSurplus(ends, "there are as many sandboxes as there may be")
	return nil
}

// shrink ends unused sandboxes while memory is short, longest unused first and a tenth of them
// at a time. It reports whether that was enough.
func (s *Worlds) shrink() (enough bool) {
	for s.full() {
		s.mu.Lock()
		idle := s.idle(shrinkAfter)
		ends := s.takeOut(idle[:(len(idle)+9)/10])
		s.mu.Unlock()
		if len(ends) == 0 {
			return false
		}
		s.endSurplus(ends, "the server is short of memory")
		runtime.GC()
	}
	return true
}

// endSurplus ends sandboxes that were taken out. Those of a [Directory] continue when
// somebody asks for them.
func (s *Worlds) endSurplus(boxes []*World, why string) {
	for _, box := range boxes {
		s.log.Warn("a sandbox was ended, since "+why, "sandbox", box.Name)
		if err := box.giveBack(context.Background()); err != nil {
			s.log.Warn("a sandbox could not be ended whole", "sandbox", box.Name, "error", err)
		}
		s.drop(box.Name)
	}
}

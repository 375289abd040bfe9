package worlds

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// MostBytes limits the approximate memory of all sandboxes together.
const MostBytes = 1 << 30

// roomAfter is how long a sandbox must be unused before it is removed to make room for a
// new one.
const roomAfter = 10 * time.Minute

// shrinkAfter is how long a sandbox must be unused before it is removed because others
// have grown: a test may pause that long between two requests.
const shrinkAfter = 2 * time.Minute

// Approximate memory of a sandbox, as measured: of an empty one, and in addition for each
// car, record of a journey, and other record. Long texts are
// not included.
const (
	bytesASandbox = 256 << 10
	bytesACar     = 600
	bytesAJourney = 700
	bytesARecord  = 200
)

// Weight returns the approximate memory of a world, without the streets of its town,
// which worlds share.
func (w *World) Weight() int64 {
	h := w.Gate.Latest()
	all := ordered(h.Config()) + recordsTake(h.Records().InMemory()) + w.Snapshots.weight()
	if w.Weighs != nil {
		all += w.Weighs()
	}
	return all
}

// recordsTake returns the approximate memory of records.
func recordsTake(m store.InMemory) int64 {
	return int64(m.Journeys)*bytesAJourney + int64(m.Others)*bytesARecord + int64(m.Texts)
}

// ordered returns the approximate memory of a new sandbox.
func ordered(c host.Config) int64 { return bytesASandbox + int64(c.Cars)*bytesACar }

// load is the memory of one sandbox, without the streets of its town.
type load struct {
	box    *World // nil: it is being opened
	config host.Config
	bytes  int64
}

// weigh returns the memory of each sandbox. It waits for journals that are being written,
// so mu must not be held.
func (s *Worlds) weigh() map[*World]int64 {
	weights, now := make(map[*World]int64), s.options.Now().UnixMilli()
	for _, box := range s.All() {
		weights[box] = box.weighed(now)
	}
	return weights
}

// weighing is the memory of a world at a time, in real milliseconds since the Unix epoch.
type weighing struct{ bytes, at int64 }

// weighed is Weight for a world of many: one that was not used is weighed once a minute, since
// a new sandbox would otherwise wait until thousands are weighed.
func (w *World) weighed(now int64) int64 {
	last := w.latest.Load()
	if last == nil || w.inside.Load() > 0 || w.asked.Load() >= last.at || now-last.at >= tidyEvery.Milliseconds() {
		last = &weighing{w.Weight(), now}
		w.latest.Store(last)
	}
	return last.bytes
}

// loads lists the sandboxes, and the orders of those that are being opened, longest
// unused first; mu is held.
func (s *Worlds) loads(weights map[*World]int64) []load {
	var all []load
	for _, box := range s.boxes() {
		c := box.Gate.Latest().Config()
		all = append(all, load{box, c, cmp.Or(weights[box], ordered(c))})
	}
	slices.SortStableFunc(all, func(a, b load) int { return cmp.Compare(a.box.asked.Load(), b.box.asked.Load()) })
	for _, o := range s.opening {
		all = append(all, load{nil, o.config, ordered(o.config)})
	}
	return all
}

// taken returns the memory of all sandboxes.
func (s *Worlds) taken(all []load) (bytes int64) {
	for _, l := range all {
		bytes += l.bytes
	}
	return bytes
}

// surplus returns the sandboxes to remove so that the rest stays within the limit, among
// those that have been unused for idle. fits reports whether that is enough; mu is held.
func (s *Worlds) surplus(all []load, idle time.Duration) (ends []*World, fits bool) {
	all = slices.Clone(all)
	for s.taken(all) > s.mostBytes() || s.options.Directory != nil && len(all) > cmp.Or(s.options.Most, Most) {
		i := slices.IndexFunc(all, func(l load) bool { return l.box != nil && s.isIdle(l.box, idle) })
		if i < 0 {
			return ends, false
		}
		ends, all = append(ends, all[i].box), slices.Delete(all, i, i+1)
	}
	return ends, true
}

// isIdle reports whether a sandbox has no current request, and has been unused for idle.
func (s *Worlds) isIdle(box *World, idle time.Duration) bool {
	return box.inside.Load() == 0 && s.options.Now().Sub(time.UnixMilli(box.asked.Load())) >= idle
}

// HasRoom reports whether another sandbox fits within the limits, without removing any.
func (s *Worlds) HasRoom() bool {
	weights := s.weigh()
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.byName)+len(s.opening) < cmp.Or(s.options.Most, Most) && s.taken(s.loads(weights)) < s.mostBytes()*9/10
}

// makeRoom removes unused sandboxes, longest unused first, until there is room for
// another. If that is not enough, it removes none and returns an error; mu is held.
func (s *Worlds) makeRoom(c host.Config, weights map[*World]int64) ([]*World, error) {
	all := s.loads(weights)
	before := s.taken(all)
	all = append(all, load{nil, c, ordered(c)})
	ends, fits := s.surplus(all, roomAfter)
	if !fits {
		return nil, refuse(TooMany, "the sandboxes take about %d of %d MiB of memory, and this one wants about %d; end one, or wait until one has not been asked for in %.0f minutes",
			before>>20, s.mostBytes()>>20, max(1, (s.taken(all)-before)>>20), roomAfter.Minutes())
	}
	return s.takeOut(ends), nil
}

// makeRoomFor makes room for a world of the directory.
func (s *Worlds) makeRoomFor(c host.Config) error {
	weights := s.weigh()
	s.mu.Lock()
	ends, err := s.makeRoom(c, weights)
	s.mu.Unlock()
	s.endSurplus(ends)
	return err
}

// shrink removes sandboxes that are not in use, longest unused first, while the memory of
// all exceeds the limit. It returns the memory of each, since weighing thousands takes a
// while.
func (s *Worlds) shrink() (weights map[*World]int64) {
	weights = s.weigh()
	s.mu.Lock()
	ends, _ := s.surplus(s.loads(weights), shrinkAfter)
	ends = s.takeOut(ends)
	s.mu.Unlock()
	s.endSurplus(ends)
	return weights
}

// endSurplus ends sandboxes that were taken out. Those of a [Directory] continue when
// somebody asks for them.
func (s *Worlds) endSurplus(boxes []*World) {
	for _, box := range boxes {
		s.log.Warn("a sandbox was ended, since the sandboxes take too much memory", "sandbox", box.Name)
		if err := box.rest(context.Background()); err != nil {
			s.log.Warn("a sandbox could not be ended whole", "sandbox", box.Name, "error", err)
		}
		s.drop(box.Name)
	}
}

func (s *Worlds) mostBytes() int64 { return cmp.Or(s.options.MostBytes, MostBytes) }

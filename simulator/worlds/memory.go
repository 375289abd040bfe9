package worlds

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// MostBytes is what worlds may take, beside the main one, of memory together, about.
const MostBytes = 1 << 30

// roomAfter is how long nobody has asked for a sandbox that makes room for a new one.
const roomAfter = 10 * time.Minute

// shrinkAfter is how long nobody has asked for a sandbox that ends since others have grown: a test
// may take that long between two requests.
const shrinkAfter = 2 * time.Minute

// What a sandbox takes of memory, about, as measured: an empty one, and what comes with each
// car, square kilometre of streets, record of a journey, and other record. Long texts come on top.
const (
	bytesASandbox = 256 << 10
	bytesACar     = 600
	bytesASquare  = 75_000
	bytesAJourney = 700
	bytesARecord  = 200
)

// Weight is the memory that a world takes, about, without the streets of its town, which
// sandboxes share.
func (w *World) Weight() int64 {
	h := w.Gate.Latest()
	all := ordered(h.Config()) + recordsTake(h.Records().InMemory()) + w.Snapshots.weight()
	if w.Weighs != nil {
		all += w.Weighs()
	}
	return all
}

// recordsTake is the memory that records take, about.
func recordsTake(m store.InMemory) int64 {
	return int64(m.Journeys)*bytesAJourney + int64(m.Others)*bytesARecord + int64(m.Texts)
}

// streetsOf is the memory that the streets of a world take, about.
func streetsOf(c host.Config) int64 {
	side, err := strconv.ParseFloat(c.Town, 64)
	if err != nil {
		return 0 // there are none, or those of the main world
	}
	return int64(side / 1000 * side / 1000 * bytesASquare)
}

// ordered is the memory that a sandbox takes, about, before anything happens in it.
func ordered(c host.Config) int64 { return bytesASandbox + int64(c.Cars)*bytesACar }

// load is what one sandbox takes, without the streets of its town.
type load struct {
	box    *World // nil: it is being opened
	config host.Config
	bytes  int64
}

// weigh returns what each sandbox takes. It waits for journals that are written, so mu is not held.
func (s *Worlds) weigh() map[*World]int64 {
	weights := make(map[*World]int64)
	for _, box := range s.All() {
		weights[box] = box.Weight()
	}
	return weights
}

// loads are the sandboxes and the orders of those that are being opened, the one that nobody has
// asked for longest first; mu is held.
func (s *Worlds) loads(weights map[*World]int64) []load {
	var all []load
	for _, box := range s.opened() {
		c := box.Gate.Latest().Config()
		all = append(all, load{box, c, cmp.Or(weights[box], ordered(c))})
	}
	slices.SortStableFunc(all, func(a, b load) int { return cmp.Compare(a.box.asked.Load(), b.box.asked.Load()) })
	for _, c := range s.orders {
		all = append(all, load{nil, c, ordered(c)})
	}
	return all
}

// taken is what sandboxes take beside the main world. The streets of each town are counted once.
func (s *Worlds) taken(all []load) (bytes int64) {
	towns := map[string]bool{s.options.Config.Town: true}
	for _, l := range all {
		if bytes += l.bytes; !towns[l.config.Town] {
			towns[l.config.Town] = true
			bytes += streetsOf(l.config)
		}
	}
	return bytes
}

// surplus are the sandboxes that have to end for the rest to take no more than they may, of those
// that nobody has asked for in a while. fits reports whether that is enough; mu is held.
func (s *Worlds) surplus(all []load, idle time.Duration) (ends []*World, fits bool) {
	all = slices.Clone(all)
	for s.taken(all) > s.mostBytes() {
		i := slices.IndexFunc(all, func(l load) bool { return l.box != nil && s.isIdle(l.box, idle) })
		if i < 0 {
			return ends, false
		}
		ends, all = append(ends, all[i].box), slices.Delete(all, i, i+1)
	}
	return ends, true
}

// isIdle reports whether a sandbox answers nobody, and nobody has asked for it in a while.
func (s *Worlds) isIdle(box *World, idle time.Duration) bool {
	return box.inside.Load() == 0 && s.options.Now().Sub(time.UnixMilli(box.asked.Load())) >= idle
}

// makeRoom takes out sandboxes that nobody has asked for in a while, the longest first, until there
// is room for another. It takes none, and refuses the other, if that does not help; mu is held.
func (s *Worlds) makeRoom(c host.Config, weights map[*World]int64) ([]*World, error) {
	all := s.loads(weights)
	before := s.taken(all)
	all = append(all, load{nil, c, ordered(c)})
	ends, fits := s.surplus(all, roomAfter)
	if !fits {
		return nil, refuse(TooMany, "the sandboxes take about %d of %d MiB of memory, and this one wants about %d; end one, or wait until one has not been asked for in %.0f minutes",
			before>>20, s.mostBytes()>>20, max(1, (s.taken(all)-before)>>20), roomAfter.Minutes())
	}
	s.takeOut(ends)
	return ends, nil
}

// shrink ends sandboxes that nobody has just asked for, the one that nobody has asked for longest
// first, while all of them take more than they may.
func (s *Worlds) shrink() {
	weights := s.weigh()
	s.mu.Lock()
	ends, _ := s.surplus(s.loads(weights), shrinkAfter)
	s.takeOut(ends)
	s.mu.Unlock()
	s.endSurplus(ends)
}

// takeOut takes sandboxes out, so that nobody finds them any more; mu is held.
func (s *Worlds) takeOut(boxes []*World) {
	for _, box := range boxes {
		delete(s.byName, box.Name)
	}
}

// endSurplus ends sandboxes that were taken out.
func (s *Worlds) endSurplus(boxes []*World) {
	for _, box := range boxes {
		s.log.Warn("a sandbox was ended, since the sandboxes take too much memory", "sandbox", box.Name)
		s.end(box)
	}
}

func (s *Worlds) mostBytes() int64 { return cmp.Or(s.options.MostBytes, MostBytes) }

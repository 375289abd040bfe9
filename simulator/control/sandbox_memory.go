package control

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/cabrank/cabrank/simulator/host"
)

// MostSandboxBytes is what sandboxes may take of memory together, about.
const MostSandboxBytes = 1 << 30

// roomAfter is how long nobody has asked for a sandbox that makes room for a new one.
const roomAfter = 10 * time.Minute

// What a sandbox takes of memory, about, as measured: an empty one, and what comes with each
// car, square kilometre of streets, record of a journey, and other record.
const (
	bytesASandbox = 256 << 10
	bytesACar     = 600
	bytesASquare  = 75_000
	bytesAJourney = 700
	bytesARecord  = 200
)

// weight is the memory that a sandbox takes, about, without the streets of its town, which
// sandboxes share.
func (b *sandbox) weight() int64 {
	h := b.gate.latest()
	journeys, others := h.Records().InMemory()
	all := bytesASandbox + int64(h.Config().Cars)*bytesACar + int64(journeys)*bytesAJourney + int64(others)*bytesARecord
	if b.journal != nil {
		all += int64(b.journal.Stats().Bytes)
	}
	return all
}

// streetsOf is the memory that the streets of a world take, about.
func streetsOf(c host.Config) int64 {
	side, err := strconv.ParseFloat(c.Town, 64)
	if err != nil {
		return 0 // there are none, or those of the main world
	}
	return int64(side / 1000 * side / 1000 * bytesASquare)
}

// loads is what sandboxes take of memory together. Each town is counted once.
type loads struct {
	bytes int64
	towns map[string]bool
}

func (l *loads) add(c host.Config, weight int64) {
	if l.bytes += weight; !l.towns[c.Town] {
		l.towns[c.Town] = true
		l.bytes += streetsOf(c)
	}
}

// loadOf is what sandboxes take beside the main world.
func (s *Server) loadOf(boxes []*sandbox) loads {
	all := loads{towns: map[string]bool{s.options.Config.Town: true}}
	for _, box := range boxes {
		all.add(box.gate.latest().Config(), box.weight())
	}
	return all
}

// makeRoom ends sandboxes that nobody has asked for in a while, the longest first, until there is
// room for another, and refuses it if that does not help.
func (s *Server) makeRoom(c host.Config) error {
	for {
		boxes := s.sandboxes()
		all := s.loadOf(boxes)
		taken := all.bytes
		if all.add(c, bytesASandbox+int64(c.Cars)*bytesACar); all.bytes <= s.mostBytes() {
			return nil
		}
		if !s.endIdle(boxes, roomAfter) {
			return refuse(http.StatusConflict, codeTooMany, "the sandboxes take about %d of %d MiB of memory, and this one wants about %d; DELETE one, or wait until one has not been asked for in %.0f minutes",
				taken>>20, s.mostBytes()>>20, max(1, (all.bytes-taken)>>20), roomAfter.Minutes())
		}
	}
}

// shrink ends sandboxes, the one that nobody has asked for longest first, while all of them take
// more than they may. One that answers stays.
func (s *Server) shrink() {
	for {
		boxes := s.sandboxes()
		if s.loadOf(boxes).bytes <= s.mostBytes() || !s.endIdle(boxes, 0) {
			return
		}
	}
}

// endIdle ends the sandbox that nobody has asked for longest, if that is as long ago as given, and
// reports whether there was one.
func (s *Server) endIdle(boxes []*sandbox, idle time.Duration) bool {
	slices.SortStableFunc(boxes, func(a, b *sandbox) int { return cmp.Compare(a.asked.Load(), b.asked.Load()) })
	for _, box := range boxes {
		if !s.takeIdle(box, idle) {
			continue
		}
		s.log.Warn("a sandbox was ended, since the sandboxes take too much memory", "sandbox", box.name)
		s.end(box)
		return true
	}
	return false
}

// takeIdle takes a sandbox out, unless it answers or somebody has asked for it since.
func (s *Server) takeIdle(box *sandbox, idle time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.boxes[box.name] != box || box.inside.Load() > 0 || s.options.Now().Sub(time.UnixMilli(box.asked.Load())) < idle {
		return false
	}
	delete(s.boxes, box.name)
	return true
}

func (s *Server) mostBytes() int64 { return cmp.Or(s.options.SandboxBytes, MostSandboxBytes) }

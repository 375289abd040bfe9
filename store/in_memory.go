package store

import "github.com/cabrank/cabrank/dispatch/taxi"

// InMemory counts the records of a store in memory.
type InMemory struct {
	Journeys, Others int // records
	Texts            int // bytes of texts chosen by clients; 0 with a disk
}

// InMemory counts the records in memory.
func (s *Store) InMemory() InMemory {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.inMemory()
}

// inMemory is InMemory; mu is held.
func (s *Store) inMemory() InMemory {
	return InMemory{
		Journeys: s.journeys.inMemory(), Others: s.users.inMemory() + s.replies.inMemory(),
		Texts: s.journeys.bytes + s.users.bytes + s.replies.bytes,
	}
}

// InMemory counts the records of an image, as if it shared none with the store.
func (i *Image) InMemory() InMemory { return i.counted }

// usualTexts is how many bytes of texts a typical journey has.
const usualTexts = 200

// journeyTexts returns how many bytes of texts a journey has beyond the usual. They are stored a
// second time as JSON.
func journeyTexts(s *Snapshot) int {
	n := addressTexts(s.Pickup)
	for i := range s.Dropoffs {
		n += addressTexts(&s.Dropoffs[i])
	}
	if s.Passenger != nil {
		n += len(s.Passenger.Name)
	}
	return max(0, 2*n-usualTexts) + len(s.PluginData)
}

func addressTexts(a *taxi.Address) int {
	if a == nil {
		return 0
	}
	return len(a.Address)
}

func userTexts(u *User) int {
	n := len(u.Name)
	if u.Data == nil {
		return n
	}
	for _, f := range u.Data.Features {
		n += len(f)
	}
	for _, o := range u.Data.Options {
		n += len(o)
	}
	for name, value := range u.Data.Other {
		n += len(name) + len(value)
	}
	return n
}

func replyTexts(r *Reply) int { return len(r.Key) + len(r.Body) }

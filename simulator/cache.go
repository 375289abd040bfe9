package simulator

// cache has one place for each hash, whose entry the next one replaces. It begins small,
// since most worlds of a server are hardly used, and grows with the entries that it gets.
type cache[E comparable] struct {
	places []E // the zero value is an empty place
	most   int // of places, a power of two
	puts   int // since it has grown
	hash   func(E) uint64
}

// firstPlaces is the size of a new cache.
const firstPlaces = 1 << 8

func newCache[E comparable](most int, hash func(E) uint64) cache[E] {
	return cache[E]{places: make([]E, min(firstPlaces, most)), most: most, hash: hash}
}

// at returns the place for a hash.
func (c *cache[E]) at(hash uint64) *E { return &c.places[hash&uint64(len(c.places)-1)] }

// put stores an entry, and returns its place.
func (c *cache[E]) put(e E) *E {
	if c.puts++; c.puts > len(c.places)/8 && len(c.places) < c.most {
		c.grow()
	}
	place := c.at(c.hash(e))
	*place = e
	return place
}

// grow doubles the places, and keeps the entries.
func (c *cache[E]) grow() {
	var empty E
	old := c.places
	c.places, c.puts = make([]E, 2*len(old)), 0
	for _, e := range old {
		if e != empty {
			*c.at(c.hash(e)) = e
		}
	}
}

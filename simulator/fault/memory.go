package fault

import (
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

// mostRemembered limits how many journeys a rule remembers, and how many requests a set
// does.
const mostRemembered = 4096

// memory remembers a fault's earlier requests by key, such as a journey's id, up to a number
// of keys. It is safe for concurrent use.
type memory struct {
	mu sync.Mutex
	of *lru.Cache[string, *past]
}

// past is what a fault remembers about one key.
type past struct {
	n     int // number of requests
	value any
}

func newMemory() *memory { return &memory{of: newLRU[string, *past]()} }

func newLRU[K comparable, V any]() *lru.Cache[K, V] {
	cache, err := lru.New[K, V](mostRemembered)
	if err != nil {
		panic(err) // only if the size is not positive
	}
	return cache
}

// meet counts a request about key, and calls change with what is remembered about it.
func (m *memory) meet(key string, change func(*past)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.of.Get(key)
	if !ok {
		p = &past{}
		m.of.Add(key, p)
	}
	p.n++
	change(p)
}

// count returns the number of requests about key, including this one.
func (m *memory) count(key string) (n int) {
	m.meet(key, func(p *past) { n = p.n })
	return n
}

// repeats remembers requests, to recognise repeated ones.
type repeats struct {
	seen *lru.Cache[[32]byte, struct{}]
}

func newRepeats() *repeats { return &repeats{newLRU[[32]byte, struct{}]()} }

// again reports whether a request with this checksum came before, and remembers it.
func (r *repeats) again(sum [32]byte) bool {
	known, _ := r.seen.ContainsOrAdd(sum, struct{}{})
	return known
}

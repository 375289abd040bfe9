package host

import (
	"sync"
	"weak"

	"github.com/cabrank/cabrank/simulator/town"
)

// Towns creates each town once for all hosts that use it, and frees it with the last of
// them. The zero value is ready; its methods may be called from any goroutine.
type Towns struct {
	mu  sync.Mutex
	all map[string]*sharedTown
}

type sharedTown struct {
	making sync.Mutex
	made   weak.Pointer[town.Town]
}

// Streets returns the town with a name, see [Streets]. It is for [Deps].
func (t *Towns) Streets(name string) (*town.Town, error) {
	if name == "none" {
		return nil, nil
	}
	shared := t.of(name)
	shared.making.Lock() // other hosts of this town wait for it
	defer shared.making.Unlock()
	if made := shared.made.Value(); made != nil {
		return made, nil
	}
	made, err := Streets(name)
	if err == nil {
		shared.made = weak.Make(made)
	}
	return made, err
}

// mostTowns limits how many names are remembered; a town itself is only in memory while a
// host uses it.
const mostTowns = 1000

func (t *Towns) of(name string) *sharedTown {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all[name] == nil {
		if t.all == nil || len(t.all) >= mostTowns {
			t.all = make(map[string]*sharedTown)
		}
		t.all[name] = &sharedTown{}
	}
	return t.all[name]
}

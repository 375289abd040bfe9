package control

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control/tokens"
	"github.com/cabrank/cabrank/simulator/worlds"
)

const codeQuota taxi.Code = "sandbox-quota" // 409; the token owns as many sandboxes as it may

// making lists the sandboxes that are being created for tokens with a quota.
type making struct {
	mu  sync.Mutex
	all map[*unmade]bool
}

// unmade is a sandbox that is being created.
type unmade struct {
	owner string
	world *worlds.World // nil: not yet
}

// count counts a new sandbox for the quota of a token until done is called; by then the list
// of sandboxes has it. made must be called before that.
func (m *making) count(ctx context.Context, who person, all *worlds.Worlds) (made func(*worlds.World), done func(), err error) {
	if who.may == tokens.MayEverything {
		return func(*worlds.World) {}, func() {}, nil
	}
	_, others, err := all.Everywhere(ctx)
	if err != nil {
		return nil, nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if names := m.owned(ctx, who.name, all, others); len(names) >= who.sandboxes {
		return nil, nil, taxi.NewProblem(http.StatusConflict, codeQuota, "%s has %d of %d sandboxes: %s; end one of them", who.name, len(names), who.sandboxes, strings.Join(names, ", "))
	}
	o := &unmade{owner: who.name}
	m.all[o] = true
	made = func(w *worlds.World) {
		m.mu.Lock()
		defer m.mu.Unlock()
		o.world = w
	}
	return made, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.all, o)
	}, nil
}

// owned returns the names of the sandboxes of an owner, with those that are being made;
// mu is held.
func (m *making) owned(ctx context.Context, owner string, all *worlds.Worlds, others []worlds.Listed) (names []string) {
	open := all.All()
	for _, l := range others {
		opened := slices.ContainsFunc(open, func(w *worlds.World) bool { return w.Name == l.Name }) // since they were listed
		if l.Facts.Owner == owner && !opened {
			names = append(names, l.Name)
		}
	}
	for _, w := range open {
		if _, expired := all.Peek(ctx, w.Name); expired == nil && w.Owner == owner {
			names = append(names, w.Name)
		}
	}
	for o := range m.all {
		if o.owner == owner && !slices.Contains(open, o.world) {
			names = append(names, "one that is being made")
		}
	}
	return names
}

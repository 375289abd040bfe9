package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/store/leases"
)

// FakeDatabase is a shared database in memory: the table of worlds, and their records. It
// obeys the same rules as PostgreSQL, by a clock of its own.
type FakeDatabase struct {
	Now func() time.Time

	mu       sync.Mutex
	epoch    int64
	rows     map[string]*leases.World
	records  map[string]*fakeRecords
	replicas map[string]*fakeReplica
	settings map[string]string
}

type fakeReplica struct {
	leases.Replica
	until time.Time
	term  int64
}

type fakeRecords struct {
	journeys map[taxi.JourneyID]*Snapshot
	users    map[taxi.UserID]*User
	replies  map[string]*Reply
	meta     map[string]string
	serial   uint64
	latest   time.Time
	written  bool
}

// NewFakeDatabase returns an empty database.
func NewFakeDatabase(now func() time.Time) *FakeDatabase {
	return &FakeDatabase{Now: now, rows: map[string]*leases.World{}, records: map[string]*fakeRecords{}, replicas: map[string]*fakeReplica{}, settings: map[string]string{}}
}

// Journeys returns the stored journeys of a world, by serial.
func (d *FakeDatabase) Journeys(world string) []*Journey {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []*Journey
	for _, s := range d.of(world).journeys {
		all = append(all, s.Journey)
	}
	slices.SortFunc(all, func(a, b *Journey) int { return cmp.Compare(a.Serial, b.Serial) })
	return all
}

// Expire has the lease of a world's owner be over.
func (d *FakeDatabase) Expire(world string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.replicas[d.rows[world].Owner].until = d.Now()
}

// of returns the records with a name; mu is held.
func (d *FakeDatabase) of(name string) *fakeRecords {
	if d.records[name] == nil {
		d.records[name] = &fakeRecords{
			journeys: map[taxi.JourneyID]*Snapshot{}, users: map[taxi.UserID]*User{}, replies: map[string]*Reply{}, meta: map[string]string{},
		}
	}
	return d.records[name]
}

// FakeConn is the connection of one process to a [FakeDatabase]. Each statement calls Before,
// which may wait, and fails if it returns an error; then After: if that returns an error, the
// statement was executed, and the process does not know it.
type FakeConn struct {
	Database      *FakeDatabase
	Before, After func(context.Context) error
	Read          func() error // in place of Before and After for reads of records, which may be made under a lock and cannot wait
}

// do executes a statement.
func (c *FakeConn) do(ctx context.Context, statement func(d *FakeDatabase) error) error {
	if err := c.Before(ctx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	c.Database.mu.Lock()
	err := statement(c.Database)
	c.Database.mu.Unlock()
	if err != nil {
		return err
	}
	return c.After(ctx)
}

// next returns an epoch, or a term.
func (d *FakeDatabase) next() int64 {
	d.epoch++
	return d.epoch
}

// left returns how long the lease of a replica lasts; 0: there is none.
func (d *FakeDatabase) left(id string) time.Duration {
	if r := d.replicas[id]; r != nil {
		return max(0, r.until.Sub(d.Now()))
	}
	return 0
}

func (d *FakeDatabase) view(name string) leases.World {
	w := *d.rows[name]
	w.Left = d.left(w.Owner)
	return w
}

// give gives a world to a replica whose lease has the term that it knows.
func (d *FakeDatabase) give(name string, by leases.Holder) (leases.World, error) {
	if r := d.replicas[by.ID]; r == nil || r.term != by.Term {
		return leases.World{}, leases.ErrOver
	}
	row := d.rows[name]
	row.Epoch, row.Owner, row.Address = d.next(), by.ID, by.Address
	return d.view(name), nil
}

func (c *FakeConn) Create(ctx context.Context, name string, facts []byte, by leases.Holder) (w leases.World, err error) {
	err = c.do(ctx, func(d *FakeDatabase) (err error) {
		if d.rows[name] != nil {
			return leases.ErrExists
		}
		d.rows[name] = &leases.World{Name: name, Facts: facts}
		if w, err = d.give(name, by); err != nil {
			delete(d.rows, name)
		}
		return err
	})
	return w, err
}

func (c *FakeConn) Take(ctx context.Context, name string, by leases.Holder) (w leases.World, err error) {
	err = c.do(ctx, func(d *FakeDatabase) (err error) {
		row := d.rows[name]
		switch {
		case row == nil && name != "":
			return leases.ErrNotFound
		case row == nil:
			d.rows[name] = &leases.World{}
		case row.Owner != "" && row.Owner != by.ID:
			if d.left(row.Owner) > 0 {
				return &leases.HeldError{World: d.view(name)}
			}
			if d.replicas[row.Owner] == nil {
				d.replicas[row.Owner] = &fakeReplica{until: d.Now()}
			}
			d.replicas[row.Owner].term = d.next()
		}
		w, err = d.give(name, by)
		return err
	})
	return w, err
}

func (c *FakeConn) Beat(ctx context.Context, by leases.Holder, ttl time.Duration, worlds int) (term int64, err error) {
	err = c.do(ctx, func(d *FakeDatabase) error {
		maps.DeleteFunc(d.replicas, func(_ string, r *fakeReplica) bool { return r.until.Before(d.Now().Add(-time.Minute)) })
		r := d.replicas[by.ID]
		if r == nil {
			r = &fakeReplica{term: d.next()}
			d.replicas[by.ID] = r
		}
		r.Replica, r.until = leases.Replica{ID: by.ID, Address: by.Address, Worlds: worlds}, d.Now().Add(ttl)
		term = r.term
		return nil
	})
	return term, err
}

func (c *FakeConn) Lost(ctx context.Context, by leases.Holder, held []leases.Held) (lost []string, err error) {
	err = c.do(ctx, func(d *FakeDatabase) error {
		for _, h := range held {
			if row := d.rows[h.Name]; row == nil || row.Epoch != h.Epoch || row.Owner != by.ID {
				lost = append(lost, h.Name)
			}
		}
		return nil
	})
	return lost, err
}

func (c *FakeConn) Give(ctx context.Context, by leases.Holder, held leases.Held) error {
	return c.do(ctx, func(d *FakeDatabase) error {
		if row := d.rows[held.Name]; row != nil && row.Epoch == held.Epoch && row.Owner == by.ID {
			row.Owner, row.Address = "", ""
		}
		return nil
	})
}

func (c *FakeConn) Free(ctx context.Context, most int) (names []string, all int, err error) {
	err = c.do(ctx, func(d *FakeDatabase) error {
		for _, name := range slices.Sorted(maps.Keys(d.rows)) {
			if d.left(d.rows[name].Owner) == 0 {
				names = append(names, name)
			}
		}
		all = len(names)
		names = names[:min(all, most)]
		return nil
	})
	return names, all, err
}

func (c *FakeConn) Leave(ctx context.Context, by leases.Holder) error {
	return c.do(ctx, func(d *FakeDatabase) error {
		delete(d.replicas, by.ID)
		return nil
	})
}

// fence refuses a write of another epoch.
func (d *FakeDatabase) fence(name string, epoch int64) error {
	if row := d.rows[name]; row == nil || row.Epoch != epoch {
		return fmt.Errorf("the world %q: %w", name, ErrFenced)
	}
	return nil
}

func (c *FakeConn) Remove(ctx context.Context, name string, epoch int64) error {
	return c.do(ctx, func(d *FakeDatabase) error {
		if err := d.fence(name, epoch); err != nil {
			return err
		}
		delete(d.rows, name)
		maps.DeleteFunc(d.records, func(key string, _ *fakeRecords) bool { return key == name || strings.HasPrefix(key, name+"@") })
		return nil
	})
}

func (c *FakeConn) SetFacts(ctx context.Context, name string, epoch int64, facts []byte) error {
	return c.do(ctx, func(d *FakeDatabase) error {
		if d.fence(name, epoch) != nil {
			return leases.ErrFenced
		}
		d.rows[name].Facts = facts
		return nil
	})
}

func (c *FakeConn) Find(ctx context.Context, name string) (w leases.World, err error) {
	err = c.do(ctx, func(d *FakeDatabase) error {
		if d.rows[name] == nil {
			return leases.ErrNotFound
		}
		w = d.view(name)
		return nil
	})
	return w, err
}

func (c *FakeConn) List(ctx context.Context) (all []leases.World, err error) {
	err = c.do(ctx, func(d *FakeDatabase) error {
		for _, name := range slices.Sorted(maps.Keys(d.rows)) {
			all = append(all, d.view(name))
		}
		return nil
	})
	return all, err
}

func (c *FakeConn) Replicas(ctx context.Context) (all []leases.Replica, err error) {
	err = c.do(ctx, func(d *FakeDatabase) error {
		for _, id := range slices.Sorted(maps.Keys(d.replicas)) {
			if r := d.replicas[id]; r.until.After(d.Now()) {
				all = append(all, r.Replica)
			}
		}
		return nil
	})
	return all, err
}

func (c *FakeConn) Setting(ctx context.Context, key string) (value string, err error) {
	err = c.do(ctx, func(d *FakeDatabase) error {
		value = d.settings[key]
		return nil
	})
	return value, err
}

func (c *FakeConn) ChangeSetting(ctx context.Context, key string, change func(old string) (string, error)) error {
	return c.do(ctx, func(d *FakeDatabase) error {
		value, err := change(d.settings[key])
		if err == nil {
			d.settings[key] = value
		}
		return err
	})
}

// FakePlace is the [Place] of the records with a name in a [FakeDatabase], fenced by the
// epoch of a world.
type FakePlace struct {
	Conn        *FakeConn
	Name, World string
	Epoch       int64
}

var _ Place = (*FakePlace)(nil)

func (p *FakePlace) String() string { return "fake:" + p.Name }

func (p *FakePlace) Open(ctx context.Context, o Options) (*Store, error) {
	return openOn(ctx, &fakeDisk{p}, o)
}

// write executes a fenced statement about the records.
func (p *FakePlace) write(ctx context.Context, statement func(d *FakeDatabase)) error {
	return p.Conn.do(ctx, func(d *FakeDatabase) error {
		if err := d.fence(p.World, p.Epoch); err != nil {
			return err
		}
		statement(d)
		return nil
	})
}

func (p *FakePlace) Remove(ctx context.Context) error {
	return p.write(ctx, func(d *FakeDatabase) { delete(d.records, p.Name) })
}

func (p *FakePlace) Fetch(_ context.Context, from Place) (put func(context.Context) error, err error) {
	return func(ctx context.Context) error {
		return p.write(ctx, func(d *FakeDatabase) { d.records[p.Name] = d.of(from.(*FakePlace).Name).clone() })
	}, nil
}

func (p *FakePlace) Export(context.Context, string) error { return errors.New("not in simulations") }

func (r *fakeRecords) clone() *fakeRecords {
	c := *r
	c.journeys, c.users, c.replies, c.meta = maps.Clone(r.journeys), maps.Clone(r.users), maps.Clone(r.replies), maps.Clone(r.meta)
	return &c
}

// fakeDisk is the disk over a [FakePlace].
type fakeDisk struct{ place *FakePlace }

// read executes a statement that reads the records.
func (f *fakeDisk) read(_ context.Context, statement func(r *fakeRecords) error) error {
	c := f.place.Conn
	if err := c.Read(); err != nil {
		return unavailable(err)
	}
	c.Database.mu.Lock()
	defer c.Database.mu.Unlock()
	err := statement(c.Database.of(f.place.Name))
	if errors.Is(err, ErrNotFound) {
		return err
	}
	return unavailable(err)
}

func (f *fakeDisk) load(ctx context.Context, window time.Duration, _ int) (b *startState, err error) {
	err = f.read(ctx, func(r *fakeRecords) error {
		b = &startState{serial: r.serial, latest: r.latest, empty: !r.written}
		for key, value := range r.meta {
			b.meta = append(b.meta, &metaEntry{key, value})
		}
		var all []*Journey
		for _, s := range r.journeys {
			all = append(all, s.Journey)
		}
		slices.SortFunc(all, func(a, b *Journey) int { return cmp.Compare(a.Serial, b.Serial) })
		for _, j := range all {
			if !j.Status.Terminal() {
				own := *j
				b.live = append(b.live, &Snapshot{Journey: &own})
			}
			if !j.CreatedAt.Before(r.latest.Add(-window)) {
				b.recent = append(b.recent, j)
			}
		}
		return nil
	})
	return b, err
}

// found reads one record; nil is none.
func found[T any](ctx context.Context, f *fakeDisk, find func(r *fakeRecords) *T) (one *T, err error) {
	err = f.read(ctx, func(r *fakeRecords) error {
		if one = find(r); one == nil {
			return ErrNotFound
		}
		return nil
	})
	return one, err
}

func (f *fakeDisk) journey(ctx context.Context, id taxi.JourneyID) (*Snapshot, error) {
	return found(ctx, f, func(r *fakeRecords) *Snapshot {
		if r.journeys[id] == nil {
			return nil
		}
		own := *r.journeys[id].Journey
		return &Snapshot{Journey: &own}
	})
}

func (f *fakeDisk) user(ctx context.Context, id taxi.UserID) (*User, error) {
	return found(ctx, f, func(r *fakeRecords) *User { return r.users[id] })
}

func (f *fakeDisk) userByPhone(ctx context.Context, digits taxi.E164) (*User, error) {
	return found(ctx, f, func(r *fakeRecords) *User {
		for _, one := range r.users {
			if one.PhoneNumber.Digits() == digits {
				return one
			}
		}
		return nil
	})
}

func (f *fakeDisk) reply(ctx context.Context, key string) (*Reply, error) {
	return found(ctx, f, func(r *fakeRecords) *Reply { return r.replies[key] })
}

func (f *fakeDisk) journeysBelow(context.Context, uint64, int) (p page[Snapshot], err error) {
	return p, errors.New("not in simulations")
}

func (f *fakeDisk) usersAfter(context.Context, taxi.UserID, int) (p page[User], err error) {
	return p, errors.New("not in simulations")
}

func (f *fakeDisk) entries(context.Context, int) (p page[Entry], err error) {
	return p, errors.New("not in simulations")
}

func (f *fakeDisk) flush(ctx context.Context, b *batch) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return f.place.write(ctx, func(d *FakeDatabase) {
		r := d.of(f.place.Name)
		for _, s := range b.journeys {
			own := *s.Journey
			r.journeys[s.JourneyID] = &Snapshot{Journey: &own}
		}
		for _, u := range b.users {
			own := *u
			r.users[u.UserID] = &own
		}
		for _, reply := range b.replies {
			r.replies[reply.Key] = reply
		}
		for _, m := range b.meta {
			r.meta[m.key] = m.value
		}
		r.serial, r.latest, r.written = b.serial, b.latest, true
	})
}

func (f *fakeDisk) prune(context.Context, Before, int) (pruned, error) { return pruned{}, nil }

func (f *fakeDisk) copyTo(ctx context.Context, to Place) error {
	return f.place.write(ctx, func(d *FakeDatabase) { d.records[to.(*FakePlace).Name] = d.of(f.place.Name).clone() })
}

func (f *fakeDisk) close() error { return nil }

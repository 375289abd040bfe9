package store

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/store/sqlitedb"
)

// moodyDisk is a database whose commits can be counted, held up and made to fail.
type moodyDisk struct {
	disk

	mu      sync.Mutex
	broken  error // what commits end with
	commits int   // good ones
	tries   int
	hold    chan struct{} // commits wait until it is closed; nil: they do not
}

func (d *moodyDisk) flush(ctx context.Context, b *batch) error {
	d.mu.Lock()
	hold := d.hold
	d.mu.Unlock()
	if hold != nil {
		<-hold
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tries++
	if d.broken != nil {
		return d.broken
	}
	d.commits++
	return d.disk.flush(ctx, b)
}

func (d *moodyDisk) set(broken error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.broken = broken
}

func (d *moodyDisk) counts() (commits, tries int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.commits, d.tries
}

// stop holds commits up until the function it returns is called.
func (d *moodyDisk) stop() (resume func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	hold := make(chan struct{})
	d.hold = hold
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.hold = nil
		close(hold)
	}
}

// inBubble runs a test in a synctest bubble with each kind of database.
func inBubble(t *testing.T, test func(t *testing.T, k Kind)) {
	OnEachKind(t, func(t *testing.T, k Kind) {
		synctest.Test(t, func(t *testing.T) { test(t, k) })
	})
}

func openDisk(t *testing.T, p Place) disk {
	t.Helper()
	if shared, ok := p.(sharedPlace); ok {
		return newSharedDisk(shared)
	}
	d, err := openSQLite(t.Context(), p.String(), sqlitedb.Normal)
	require.NoError(t, err)
	return d
}

// openMoody opens a store on a moody disk. In a synctest bubble it must be closed
// by the test.
func openMoody(t *testing.T, p Place, o Options) (*Store, *moodyDisk) {
	t.Helper()
	d := &moodyDisk{disk: openDisk(t, p)}
	s, err := openOn(t.Context(), d, o)
	require.NoError(t, err)
	return s, d
}

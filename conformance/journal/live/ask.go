package live

import (
	"slices"
	"sort"

	"github.com/cabrank/cabrank/conformance"
)

// What a question may ask of a journal, from any goroutine.

// after returns the calls with later ids than one; mu is held.
func (l *Journal) after(id int) []*Call {
	return l.kept[sort.Search(len(l.kept), func(i int) bool { return l.kept[i].X.ID > id }):]
}

// After returns the calls with later ids than one, and up to which id they are judged. Take a [Journal.Copy]
// of one before you read its findings, verdicts or ids.
func (l *Journal) After(id int) (later []*Call, judged int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.after(id)), l.judged
}

// Copy returns a call as it is known now; more may be found of it later.
func (l *Journal) Copy(k *Call) *Call {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := *k
	return &own
}

// Range says which calls there have been.
type Range struct {
	Kept, Gone  int // calls that are kept, and that made room for others since it was cleared
	First, Last int // the ids of the oldest that is kept, 0: none is, and of the newest that there was
	Cleared     int // the last id that was taken away on request
}

// Range returns which calls there have been.
func (l *Journal) Range() Range {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := Range{Kept: len(l.kept), Gone: l.gone, Last: l.last, Cleared: l.cleared}
	if r.Kept > 0 {
		r.First = l.kept[0].X.ID
	}
	return r
}

// News returns what is closed when the next call is kept.
func (l *Journal) News() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.heard()
}

// heard returns what is closed when the next call is kept; mu is held.
func (l *Journal) heard() <-chan struct{} {
	if l.news == nil {
		l.news = make(chan struct{})
	}
	return l.news
}

// Released returns what is closed when nobody may wait or listen any more.
func (l *Journal) Released() <-chan struct{} { return l.released }

// Checks are those that findings on what was sent and on what was answered may be filed under, by
// their id.
func (l *Journal) Checks() (sent, answered map[string]*conformance.Check) {
	return l.requests.checks, l.answers.checks
}

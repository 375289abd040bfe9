package live

import (
	"slices"
	"sort"

	"github.com/cabrank/cabrank/conformance"
)

// The methods for queries, callable from any goroutine.

// after returns the calls with ids greater than id; mu is held.
func (l *Journal) after(id int) []*Call {
	return l.kept[sort.Search(len(l.kept), func(i int) bool { return l.kept[i].X.ID > id }):]
}

// After returns the calls with ids greater than id, and the id up to which they are judged. Make a
// [Journal.Copy] of a call before you read its findings, verdicts or ids.
func (l *Journal) After(id int) (later []*Call, judged int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.after(id)), l.judged
}

// Copy returns a copy of a call in its present state; findings may be added to it later.
func (l *Journal) Copy(k *Call) *Call {
	l.mu.Lock()
	defer l.mu.Unlock()
	own := *k
	return &own
}

// Range describes which calls are stored.
type Range struct {
	Kept, Gone  int // stored calls, and calls dropped for newer ones since the last clear
	First, Last int // ids of the oldest stored call (0: none) and of the newest call ever
	Cleared     int // the last id when the journal was cleared
}

// Range returns which calls are stored.
func (l *Journal) Range() Range {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := Range{Kept: len(l.kept), Gone: l.gone, Last: l.last, Cleared: l.cleared}
	if r.Kept > 0 {
		r.First = l.kept[0].X.ID
	}
	return r
}

// News returns a channel that is closed when the next call is stored.
func (l *Journal) News() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.heard()
}

// heard is [Journal.News]; mu is held.
func (l *Journal) heard() <-chan struct{} {
	if l.news == nil {
		l.news = make(chan struct{})
	}
	return l.news
}

// Released returns a channel that is closed by [Journal.Release], on shutdown. Requests that wait for calls or stream them must
// then return.
func (l *Journal) Released() <-chan struct{} { return l.released }

// Checks returns the checks for findings on requests and on answers, by
// id.
func (l *Journal) Checks() (sent, answered map[string]*conformance.Check) {
	return l.requests.checks, l.answers.checks
}

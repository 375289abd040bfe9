package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/redact"
)

// Entry is a call as it is stored outside the journal, see [Saver].
type Entry struct {
	ID   int // of the call
	Body []byte
}

// savedCall is the JSON form of an entry: a call as it was sent, without credentials. Its
// findings are not part of it, since the same rules find them again.
type savedCall struct {
	Call     *conformance.Exchange `json:"call,omitempty"` // nil: the journal was cleared
	Walled   time.Time             `json:"walled,omitzero"`
	Token    string                `json:"token,omitempty"`
	Fault    string                `json:"fault,omitempty"`
	Kind     string                `json:"kind,omitempty"`
	Partly   bool                  `json:"partly,omitempty"`
	MadeName string                `json:"madeName,omitempty"`
	MadeID   string                `json:"madeId,omitempty"`
	Cleared  int                   `json:"cleared,omitempty"` // the last id when the journal was cleared
}

// entry encodes a call that has ended.
func (k *Call) entry(cleared int) Entry {
	x := k.X
	x.Request.URL = printableURL(redact.Address(x.Request.URL))
	x.Request.Header = WithoutSecrets(x.Request.Header)
	if x.Response != nil {
		own := *x.Response
		own.Header = WithoutSecrets(own.Header)
		x.Response = &own
	}
	return encoded(x.ID, savedCall{&x, x.Walled, k.Token, k.Fault, k.Kind, k.Partly, k.madeName, k.madeID, cleared})
}

// encoded encodes an entry. A call that JSON cannot hold is left out, so that its id is not
// used again.
func encoded(id int, s savedCall) Entry {
	text, err := json.Marshal(s)
	if err != nil {
		text, _ = json.Marshal(savedCall{Cleared: s.Cleared}) // a number
	}
	return Entry{id, text}
}

// decode reads an entry; k is nil if it has no call.
func (l *Journal) decode(e Entry) (k *Call, cleared int, err error) {
	var s savedCall
	if err := json.Unmarshal(e.Body, &s); err != nil {
		return nil, 0, err
	}
	switch {
	case s.Cleared < 0 || s.Cleared > e.ID:
		return nil, 0, fmt.Errorf("the journal was cleared at call %d", s.Cleared)
	case s.Call == nil:
		return nil, s.Cleared, nil
	case s.Call.Operation != "" && !slices.Contains(l.opts.Request.Operations, s.Call.Operation):
		return nil, 0, fmt.Errorf("there is no operation %q", s.Call.Operation)
	}
	k = &Call{X: *s.Call, Token: s.Token, Fault: s.Fault, Kind: s.Kind, Partly: s.Partly, madeName: s.MadeName, madeID: s.MadeID}
	k.X.ID, k.X.Walled = e.ID, s.Walled
	k.X.Request.Header = conformance.BoundHeader(k.X.Request.Header)
	k.X.Request.Body = l.alike.of(k.X.Request.Body)
	if r := k.X.Response; r != nil {
		k.answer, k.X.Response = *r, &k.answer
		k.answer.Header, k.answer.Body = conformance.BoundHeader(r.Header), l.alike.of(r.Body)
	}
	k.weigh()
	return k, s.Cleared, nil
}

// Restore adds the entries of an earlier journal, in the order of their ids, to a journal
// that is new. Ids continue after them. It returns an error about entries that cannot be
// read, which are left out.
func (l *Journal) Restore(entries []Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var unread []error
	for _, e := range entries {
		if e.ID <= l.last {
			continue
		}
		k, cleared, err := l.decode(e)
		l.last = e.ID
		switch {
		case err != nil:
			unread = append(unread, fmt.Errorf("call %d: %w", e.ID, err))
			continue
		case cleared > l.cleared:
			l.cleared, l.kept, l.bytes = cleared, nil, 0
		}
		if k != nil {
			l.restore(k)
		}
	}
	l.judged = l.last
	if len(l.kept) > 0 {
		l.judged = l.kept[0].X.ID - 1
	}
	l.gone, l.unjudged = max(0, l.judged-l.cleared), 0
	return errors.Join(unread...)
}

// restore adds a call; mu is held.
func (l *Journal) restore(k *Call) {
	l.kept = append(l.kept, k)
	l.bytes += k.Weight
	for l.full() {
		l.dropOldest()
	}
}

// Saver returns the calls of a journal that are not stored elsewhere yet. One goroutine at a
// time uses it.
type Saver struct {
	journal   *Journal
	has, next savings
}

// savings describe what is stored.
type savings struct {
	last    int // the id of the last entry
	from    int // entries with lower ids are deleted
	cleared int // the last id when the journal was cleared
}

// Saver returns what stores the calls. With restored, those of [Journal.Restore] are stored
// already.
func (l *Journal) Saver(restored bool) *Saver {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := &Saver{journal: l}
	if restored {
		s.has.last, s.has.cleared = l.last, l.cleared
	}
	return s
}

// Limits of the entries that are stored at once, and of calls that the journal has dropped and
// that are not yet deleted.
const (
	mostSaved      = 256
	mostSavedBytes = 1 << 20
	mostStale      = 64
)

// Next returns the next calls to store, in the order of their ids; none if all are stored.
// Stored ones with ids below from are to be deleted, if it is not 0. A call that the journal
// has dropped meanwhile is left out.
func (s *Saver) Next() (entries []Entry, from int) {
	calls, first, cleared := s.journal.unsaved(s.has.last)
	s.next = s.has
	skipped := len(calls) > 0 && calls[0].X.ID > s.has.last+1
	for size := 0; len(calls) > 0 && size < mostSavedBytes; calls = calls[1:] {
		e := calls[0].entry(cleared)
		entries, size = append(entries, e), size+len(e.Body)
		s.next.last = e.ID
	}
	if len(entries) == 0 && cleared > s.has.cleared {
		entries, first, s.next.last = []Entry{encoded(cleared, savedCall{Cleared: cleared})}, cleared, cleared
	}
	if len(entries) == 0 {
		return nil, 0
	}
	if skipped || cleared > s.has.cleared || first-s.has.from >= mostStale {
		s.next.from, from = first, first
	}
	s.next.cleared = cleared
	return entries, from
}

// Stored reports that the entries of the latest Next are stored, and that those below its from
// are deleted.
func (s *Saver) Stored() { s.has = s.next }

// unsaved returns the first calls with ids greater than id, the id of the oldest stored call,
// and the last id when the journal was cleared.
func (l *Journal) unsaved(id int) (calls []*Call, first, cleared int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first = l.last + 1
	if len(l.kept) > 0 {
		first = l.kept[0].X.ID
	}
	later := l.after(id)
	return slices.Clone(later[:min(len(later), mostSaved)]), first, l.cleared
}

package conformance

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// What is kept of one call. Who judges keeps thousands of calls of somebody who may mean
// harm, so that each is bounded, and all of them together are.
const (
	MostRead    = 256 << 10 // bytes of a body that is read as JSON; of longer ones only the ids are
	MostNodes   = 20_000    // values in a body that is read
	MostHeaders = 16 << 10  // bytes of headers, of each half of a call

	// MostHeaderBytes is how many bytes of headers are taken of a server: one that sends more
	// gives no answer.
	MostHeaderBytes = 128 << 10

	// MostKept is how many bytes of memory a run may take for its calls: when they are
	// used up, no more is kept of a body than its first [Excerpt] bytes and its hash.
	MostKept = 40 << 20
	Excerpt  = 4 << 10

	// MostCalls is how many calls a history may have.
	MostCalls = 20_000
)

const (
	nodeBytes  = 64  // of memory that a value takes once it is read
	pairBytes  = 64  // that a header field takes, beside its text
	callBytes  = 768 // that a call takes, beside its texts
	fewNodes   = 500 // values in a body that is kept when the memory is used up
	headerText = 2 << 10
)

// Weight says about how many bytes of memory a call takes: its texts, its headers, and
// what is read of its bodies.
func (x *Exchange) Weight() int {
	weight := callBytes + len(x.Request.URL) + headerWeight(x.Request.Header) + bodyWeight(x.Request.Body, x.Request.Cut)
	if x.Response != nil {
		weight += headerWeight(x.Response.Header) + bodyWeight(x.Response.Body, x.Response.Cut)
	}
	return weight
}

func headerWeight(h http.Header) int {
	weight := 0
	for name, values := range h {
		for _, v := range values {
			weight += len(name) + len(v) + pairBytes
		}
	}
	return weight
}

func bodyWeight(b Body, cut int) int {
	if cut > 0 || tooLong(b) {
		return len(b)
	}
	return len(b) + nodeBytes*jsonvalue.Nodes(b)
}

// tooLong reports a body that is not read as JSON.
func tooLong(b Body) bool {
	return len(b) > MostRead || len(b) > MostNodes && jsonvalue.Nodes(b) > MostNodes
}

// Unread reports a call of which a body was too long to be read: rules leave it alone.
// What a run sends itself is as long as it means it to be.
func (x *Exchange) Unread() bool {
	return x.answerUnread() || x.foreignRequest() && (x.Request.Cut > 0 || tooLong(x.Request.Body))
}

func (x *Exchange) answerUnread() bool {
	return x.foreignAnswer() && (x.Response.Cut > 0 || tooLong(x.Response.Body))
}

// foreignAnswer reports an answer that the judge did not write itself.
func (x *Exchange) foreignAnswer() bool { return x.Response != nil && x.Direction == Made }

// foreignRequest reports a request that the judge did not write itself.
func (x *Exchange) foreignRequest() bool { return x.Probe == "" || x.Direction == Received }

// Endless reports an answer that was not read to its end, as it is longer than any should
// be.
func (x *Exchange) Endless() bool {
	return x.Response != nil && len(x.Response.Body)+x.Response.Cut > MaxBody
}

// Trim lets go of the bodies of a call, but for their beginning, a hash, and the ids in
// them. Those that are short stay.
func (x *Exchange) Trim() {
	x.Read()
	if r := x.Response; x.foreignAnswer() && trims(r.Body) {
		x.reply = jsonvalue.Outline(r.Body)
		own := *r
		own.Body, own.Cut, own.SHA256 = trimmed(r.Body, r.Cut)
		x.Response = &own
	}
	if r := &x.Request; x.foreignRequest() && trims(r.Body) {
		x.sent = jsonvalue.Outline(r.Body)
		r.Body, r.Cut, r.SHA256 = trimmed(r.Body, r.Cut)
	}
}

func trims(b Body) bool {
	return len(b) > Excerpt || len(b) > fewNodes && jsonvalue.Nodes(b) > fewNodes
}

// trimmed returns the beginning of a body, how many bytes of it are missing then, and
// the hash of what was there.
func trimmed(b Body, cut int) (beginning Body, missing int, hash string) {
	sum := sha256.Sum256(b)
	most := min(len(b)-1, Excerpt) // one is missing, so that nobody takes it for the whole
	return slices.Clone(b[:most]), cut + len(b) - most, hex.EncodeToString(sum[:])
}

// lookedAt are the headers that are kept before all others.
var lookedAt = map[string]int{
	"Content-Type": -2, "Retry-After": -2, "Allow": -2, "Location": -2, "Content-Encoding": -2, "Cache-Control": -2,
	"Www-Authenticate": -1, "Date": -1, "Server": -1, "Idempotency-Key": -1, "Strict-Transport-Security": -1,
	"Authorization": -1, "Content-Length": -1, "Vary": -1,
}

// BoundHeader returns a header that takes no more than [MostHeaders] bytes of memory: one
// that is larger loses the fields that nobody looks at, and of a long value the end.
func BoundHeader(h http.Header) http.Header {
	if headerWeight(h) <= MostHeaders {
		return h
	}
	names := slices.SortedFunc(maps.Keys(h), func(a, b string) int {
		return cmp.Or(lookedAt[a]-lookedAt[b], cmp.Compare(a, b))
	})
	own, room := http.Header{}, MostHeaders
	for _, name := range names {
		for _, v := range h[name] {
			v = jsonvalue.Clip(v, headerText)
			if room -= len(name) + len(v) + pairBytes; room < 0 {
				return own
			}
			own[name] = append(own[name], v)
		}
	}
	return own
}

// Store keeps account of what the calls of a run take, and trims those that come when the
// memory for them is used up. It is not safe for concurrent use.
type Store struct {
	Most  int // bytes; 0: [MostKept]
	taken int
}

// Take bounds a call that is about to be kept, and returns what all take now.
func (s *Store) Take(x *Exchange) int {
	x.Request.Header = BoundHeader(x.Request.Header)
	if x.Response != nil {
		x.Response.Header = BoundHeader(x.Response.Header)
	}
	weight := x.Weight()
	if s.taken+weight > cmp.Or(s.Most, MostKept) {
		x.Trim()
		weight = x.Weight()
	}
	s.taken += weight
	return s.taken
}

// JudgeUnread says of every check of an operation that a call of it could not be read. A
// check that other calls have shown keeps its verdict.
func (s *Findings) JudgeUnread(checks []Check, history []*Exchange) {
	first := map[Operation]*Exchange{}
	for _, x := range history {
		if x.Unread() && first[x.Operation] == nil {
			first[x.Operation] = x
		}
	}
	for _, c := range checks {
		for _, op := range c.Operations {
			if x := first[op]; x != nil {
				s.Unverified(c.ID, TooLong, x.whyUnread(), x)
			}
		}
	}
}

// whyUnread says in words what was too long.
func (x *Exchange) whyUnread() string {
	what, size, nodes := "the answer", 0, 0
	if x.Response != nil {
		size, nodes = len(x.Response.Body)+x.Response.Cut, jsonvalue.Nodes(x.Response.Body)
	}
	if !x.answerUnread() {
		what, size, nodes = "the request", len(x.Request.Body)+x.Request.Cut, jsonvalue.Nodes(x.Request.Body)
	}
	if size <= MostRead && nodes > MostNodes {
		return what + " of a call holds more values than are read, and was not judged"
	}
	return what + " of a call is longer than is read or kept, and was not judged"
}

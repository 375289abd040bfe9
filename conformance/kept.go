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

// Limits on what is stored of one call. A judge stores thousands of calls, and the other
// side may be hostile: each call is bounded, and so is their total.
const (
	mostRead    = 256 << 10 // bytes of a body that is parsed as JSON; of longer bodies only the ids are read
	mostNodes   = 20_000    // values in a body that is parsed
	MostHeaders = 16 << 10  // bytes of headers, of each half of a call

	// MostHeaderBytes is how many bytes of headers are read from a server. If it sends more,
	// the call counts as unanswered.
	MostHeaderBytes = 128 << 10

	// MostKept is how many bytes of memory the calls of a run may use. When they are used up,
	// only the first [Excerpt] bytes of a body and its hash are stored.
	MostKept = 40 << 20
	Excerpt  = 4 << 10

	// MostCalls is how many calls a history may hold.
	MostCalls = 20_000
)

const (
	nodeBytes  = 64  // of memory for a parsed value
	pairBytes  = 64  // of memory for a header field, in addition to its text
	callBytes  = 768 // of memory for a call, in addition to its texts
	fewNodes   = 500 // values in a body that is stored when the memory is used up
	headerText = 2 << 10
)

// Weight estimates how many bytes of memory a call uses: its texts, its headers and its
// parsed bodies.
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

// tooLong reports whether a body is too long to be parsed as JSON.
func tooLong(b Body) bool {
	return len(b) > mostRead || len(b) > mostNodes && jsonvalue.Nodes(b) > mostNodes
}

// Unread reports whether a body of a call is too long to be parsed, or incomplete, so that rules skip the
// call. Requests of probes do not count, since they are long on purpose.
func (x *Exchange) Unread() bool {
	return x.answerUnread() || x.foreignRequest() && (x.Request.Cut > 0 || tooLong(x.Request.Body))
}

func (x *Exchange) answerUnread() bool {
	return x.foreignAnswer() && (x.Response.Cut > 0 || tooLong(x.Response.Body))
}

// foreignAnswer reports whether a call has an answer that the judge did not write itself.
func (x *Exchange) foreignAnswer() bool { return x.Response != nil && x.Direction == Made }

// foreignRequest reports whether the judge did not write the request itself.
func (x *Exchange) foreignRequest() bool { return x.Probe == "" || x.Direction == Received }

// Endless reports whether an answer was not read to its end because it is longer than [MaxBody].
func (x *Exchange) Endless() bool {
	return x.Response != nil && len(x.Response.Body)+x.Response.Cut > MaxBody
}

// trim shortens the bodies of a call to their beginning, a hash and the ids in them. Short
// bodies are not changed.
func (x *Exchange) trim() {
	x.Read()
	if r := x.Response; x.foreignAnswer() && needsTrimming(r.Body) {
		x.reply = jsonvalue.Outline(r.Body)
		own := *r
		own.Body, own.Cut, own.SHA256 = trimmed(r.Body, r.Cut)
		x.Response = &own
	}
	if r := &x.Request; x.foreignRequest() && needsTrimming(r.Body) {
		x.sent = jsonvalue.Outline(r.Body)
		r.Body, r.Cut, r.SHA256 = trimmed(r.Body, r.Cut)
	}
}

func needsTrimming(b Body) bool {
	return len(b) > Excerpt || len(b) > fewNodes && jsonvalue.Nodes(b) > fewNodes
}

// trimmed returns the beginning of a body, the number of bytes removed, and the hash of
// the body before.
func trimmed(b Body, cut int) (beginning Body, missing int, hash string) {
	sum := sha256.Sum256(b)
	most := min(len(b)-1, Excerpt) // at least one byte less, so that nobody takes it for the whole
	return slices.Clone(b[:most]), cut + len(b) - most, hex.EncodeToString(sum[:])
}

// lookedAt ranks the headers that rules read: those with the lowest numbers are stored first, and all
// others after them.
var lookedAt = map[string]int{
	"Content-Type": -2, "Retry-After": -2, "Allow": -2, "Location": -2, "Content-Encoding": -2, "Cache-Control": -2,
	"Www-Authenticate": -1, "Date": -1, "Server": -1, "Idempotency-Key": -1, "Strict-Transport-Security": -1,
	"Authorization": -1, "Content-Length": -1, "Vary": -1,
}

// BoundHeader returns a header that uses at most [MostHeaders] bytes of memory: a larger
// one loses the fields that no rule reads, and the end of long values.
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

// Store counts the memory that the calls of a run use, and trims calls once it is used up.
// It is not safe for concurrent use.
type Store struct {
	Most  int // bytes; 0: [MostKept]
	taken int
}

// Take shortens a call's headers, and its bodies if the memory is used up, before the call is stored. It
// returns how many bytes of memory all calls use.
func (s *Store) Take(x *Exchange) int {
	x.Request.Header = BoundHeader(x.Request.Header)
	if x.Response != nil {
		x.Response.Header = BoundHeader(x.Response.Header)
	}
	weight := x.Weight()
	if s.taken+weight > cmp.Or(s.Most, MostKept) {
		x.trim()
		weight = x.Weight()
	}
	s.taken += weight
	return s.taken
}

// JudgeUnread files a finding for every check of an operation that has a call which could not be read. The
// finding says that there is no verdict, and does not affect a check that has evidence from other calls.
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

// whyUnread says which body was too long.
func (x *Exchange) whyUnread() string {
	what, size, nodes := "the answer", 0, 0
	if x.Response != nil {
		size, nodes = len(x.Response.Body)+x.Response.Cut, jsonvalue.Nodes(x.Response.Body)
	}
	if !x.answerUnread() {
		what, size, nodes = "the request", len(x.Request.Body)+x.Request.Cut, jsonvalue.Nodes(x.Request.Body)
	}
	if size <= mostRead && nodes > mostNodes {
		return what + " of a call holds more values than the limit and was not judged"
	}
	return what + " of a call is longer than the limit and was not judged"
}

package live

import (
	"hash/maphash"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/cabrank/cabrank/conformance"
)

// earlyVerdicts judges requests before they are answered. Callers often repeat the same
// request, so the findings on a body are cached.
type earlyVerdicts struct {
	by   judge
	seed maphash.Seed
	said *lru.Cache[uint64, *early]
}

// early is the verdict on a request before its answer.
type early struct {
	findings []conformance.CallFinding
	header   []string
}

// Limits for the cache and for early judging.
const (
	mostSaid    = 2048
	longestSaid = 2 << 10 // bytes of a body

	longestEarly = 16 << 10 // bytes of a body that is judged before the answer
)

func newEarlyVerdicts(by judge) *earlyVerdicts {
	said, err := lru.New[uint64, *early](mostSaid)
	if err != nil {
		panic(err) // the size is a constant
	}
	return &earlyVerdicts{by: by, seed: maphash.MakeSeed(), said: said}
}

// headers are the header values of verdicts, made once.
var headers = map[Verdict][]string{OK: {string(OK)}, Warn: {string(Warn)}, Fail: {string(Fail)}}

// of judges a request.
func (e *earlyVerdicts) of(x *conformance.Exchange) *early {
	if x.Operation == "" || len(x.Request.Body) > longestSaid || slices.Contains(e.by.suite.Traffic.Timed, x.Operation) {
		return e.fresh(x)
	}
	key := e.key(x)
	if said, ok := e.said.Get(key); ok {
		return said
	}
	v := e.fresh(x)
	e.said.Add(key, v)
	return v
}

// key hashes every part of a request that rules read.
func (e *earlyVerdicts) key(x *conformance.Exchange) uint64 {
	var h maphash.Hash
	h.SetSeed(e.seed)
	for _, text := range []string{string(x.Operation), x.Request.Method, x.Request.Header.Get("Content-Type"), x.Request.Header.Get("Content-Encoding")} {
		_, _ = h.WriteString(text) // never fails
		_ = h.WriteByte(0)
	}
	_, _ = h.Write(x.Request.Body)
	return h.Sum64()
}

func (e *earlyVerdicts) fresh(x *conformance.Exchange) *early {
	own := Call{X: *x}
	plain := own.shownToRules()
	v := &early{findings: e.by.ofCall(&plain)}
	v.header = headers[verdictOn(v.findings, conformance.AboutRequest)]
	return v
}

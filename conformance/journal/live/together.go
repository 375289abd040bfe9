package live

import (
	"bytes"
	"slices"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/redact"
)

// Limits for the newest calls that are judged together for a query, in calls and in bytes of
// memory.
const (
	mostTogether      = 500
	mostTogetherBytes = 2 << 20
)

// Settle judges every ended call singly and, if together is true, together with the calls before
// it. Earlier findings are never removed.
func (l *Journal) Settle(together bool) {
	l.settle()
	if !together {
		return
	}
	l.judging.Lock()
	defer l.judging.Unlock()
	l.mu.Lock()
	if l.together >= l.judged {
		l.mu.Unlock()
		return
	}
	from := len(l.kept)
	for room := mostTogetherBytes; from > 0 && len(l.kept)-from < mostTogether && room > 0; from-- {
		room -= l.kept[from-1].Weight
	}
	window := slices.Clone(l.kept[from:])
	extent := l.extent()
	if from > 0 {
		extent = conformance.Part
	}
	newest := l.judged
	l.mu.Unlock()
	for len(window) > 0 && window[len(window)-1].X.ID > newest {
		window = window[:len(window)-1] // ended after the start
	}
	found := l.judgeTogether(window, extent)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.together = newest
	for _, k := range window {
		l.addFindings(k, found[k.X.ID])
	}
}

// extent returns which part of the traffic is stored; mu is held.
func (l *Journal) extent() conformance.Extent {
	if l.gone > 0 {
		return conformance.Part
	}
	return conformance.Beginning
}

// judgeTogether applies the rules about several calls to both halves of the calls.
func (l *Journal) judgeTogether(window []*Call, extent conformance.Extent) map[int][]conformance.CallFinding {
	var sent, answered []*conformance.Exchange
	for _, k := range window {
		asCaller, asServer := k.seen(l)
		if k.X.Operation != "" {
			answered = append(answered, asServer)
		}
		asCaller.Request.URL = redact.Address(asCaller.Request.URL) // since findings quote it
		asServer.Request.URL = asCaller.Request.URL
		sent = append(sent, asCaller)
	}
	found := map[int][]conformance.CallFinding{}
	for _, of := range []map[int][]conformance.CallFinding{l.requests.together(sent, extent), l.answers.together(answered, extent)} {
		for id, findings := range of {
			found[id] = append(found[id], findings...)
		}
	}
	return found
}

// seen returns a call as the caller and as the server saw it. A caller who hung up saw no
// answer.
func (k *Call) seen(l *Journal) (asCaller, asServer *conformance.Exchange) {
	caller, server := k.Plain(), k.Plain()
	if caller.ErrKind == conformance.ErrHungUp {
		caller.Response = nil
		server.RecordedPartly()
	}
	if k.Partly {
		own := caller
		if own.Read(); !l.enough(&own) {
			caller.RecordedPartly()
			server.RecordedPartly()
		}
	}
	return &caller, &server
}

// addFindings adds new findings to a judged call; mu is held.
func (l *Journal) addFindings(k *Call, findings []conformance.CallFinding) {
	for _, f := range findings {
		if slices.ContainsFunc(k.Findings, func(g conformance.CallFinding) bool { return same(f, g) }) {
			continue
		}
		counted := k.X.ID > l.cleared
		if counted {
			l.counts.sub(k)
		}
		k.Findings = append(slices.Clip(k.Findings), f)
		k.Sent, k.Answered = verdictOn(k.Findings, conformance.AboutRequest), verdictOn(k.Findings, conformance.AboutAnswer)
		if counted {
			l.counts.add(k)
		}
	}
}

// alike shares memory between equal bodies: repeated requests send the same bytes and mostly get the
// same answer. It is safe for concurrent use.
type alike struct {
	bodies [mostAlike]atomic.Pointer[conformance.Body] // by the last bits of their hash
}

// Limits for shared bodies.
const (
	mostAlike    = 256
	longestAlike = 2 << 10 // bytes of a body
)

// of returns an immutable body with these bytes.
func (a *alike) of(body []byte) conformance.Body {
	if len(body) > longestAlike || len(body) == 0 {
		return bytes.Clone(body)
	}
	at := &a.bodies[xxhash.Sum64(body)%mostAlike]
	if known := at.Load(); known != nil && bytes.Equal(*known, body) {
		return *known
	}
	own := conformance.Body(slices.Clip(bytes.Clone(body)))
	at.Store(&own)
	return own
}

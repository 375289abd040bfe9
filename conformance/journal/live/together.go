package live

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/redact"
)

// What is judged together when somebody asks: the newest calls, by their number and by
// the bytes of memory that they take.
const (
	mostTogether      = 500
	mostTogetherBytes = 2 << 20
)

// settleAll judges every call that has ended, by itself and together with those before
// it. What was once found stays found.
func (l *Journal) settleAll() {
	l.settle()
	l.judging.Lock()
	defer l.judging.Unlock()
	l.mu.Lock()
	if l.together >= l.judged {
		l.mu.Unlock()
		return
	}
	from := len(l.kept)
	for room := mostTogetherBytes; from > 0 && len(l.kept)-from < mostTogether && room > 0; from-- {
		room -= l.kept[from-1].weight
	}
	window := slices.Clone(l.kept[from:])
	whole := l.gone == 0 && from == 0
	newest := l.judged
	l.mu.Unlock()
	for len(window) > 0 && window[len(window)-1].x.ID > newest {
		window = window[:len(window)-1] // it ended meanwhile
	}
	found := l.judgeTogether(window, whole)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.together = newest
	for _, k := range window {
		l.addFindings(k, found[k.x.ID])
	}
}

// judgeTogether applies the rules about several calls to both halves of them.
func (l *Journal) judgeTogether(window []*kept, whole bool) map[int][]conformance.CallFinding {
	var sent, answered []*conformance.Exchange
	for _, k := range window {
		asCaller, asServer := k.seen(l)
		if k.x.Operation != "" {
			answered = append(answered, asServer)
		}
		asCaller.Request.URL = redact.Address(asCaller.Request.URL) // findings quote it
		asServer.Request.URL = asCaller.Request.URL
		sent = append(sent, asCaller)
	}
	found := map[int][]conformance.CallFinding{}
	for _, of := range []map[int][]conformance.CallFinding{l.requests.together(sent, whole), l.answers.together(answered, whole)} {
		for id, findings := range of {
			found[id] = append(found[id], findings...)
		}
	}
	return found
}

// seen returns a call as its caller saw it, and as whoever answered it. A caller who has
// hung up saw no answer.
func (k *kept) seen(l *Journal) (asCaller, asServer *conformance.Exchange) {
	caller, server := k.plain(), k.plain()
	if caller.ErrKind == conformance.ErrHungUp {
		caller.Response = nil
		server.RecordedPartly()
	}
	if k.partly {
		own := caller
		if own.Read(); !l.enough(&own) {
			caller.RecordedPartly()
			server.RecordedPartly()
		}
	}
	return &caller, &server
}

// addFindings adds what is new to a call that is judged; mu is held.
func (l *Journal) addFindings(k *kept, findings []conformance.CallFinding) {
	for _, f := range findings {
		if slices.ContainsFunc(k.findings, func(g conformance.CallFinding) bool { return same(f, g) }) {
			continue
		}
		counted := k.x.ID > l.cleared
		if counted {
			l.counts.sub(k)
		}
		k.findings = append(slices.Clip(k.findings), f)
		k.sent, k.answered = verdictOn(k.findings, aboutRequest), verdictOn(k.findings, aboutAnswer)
		if counted {
			l.counts.add(k)
		}
	}
}

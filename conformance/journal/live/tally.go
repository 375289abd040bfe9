package live

// tally counts calls and findings.
type tally struct {
	judged   int
	sent     map[Verdict]int
	answered map[Verdict]int
	rules    map[ruleKey]int // calls by finding
}

// ruleKey identifies findings of one kind.
type ruleKey struct{ About, Rule, Level string }

func newTally() tally {
	return tally{sent: map[Verdict]int{}, answered: map[Verdict]int{}, rules: map[ruleKey]int{}}
}

func (t *tally) add(k *Call) { t.count(k, 1) }
func (t *tally) sub(k *Call) { t.count(k, -1) }

func (t *tally) count(k *Call, by int) {
	t.judged += by
	t.sent[k.Sent] += by
	t.answered[k.Answered] += by
	seen := map[ruleKey]bool{}
	for _, f := range k.Findings {
		key := ruleKey{f.About, f.Rule, f.Level}
		if !seen[key] {
			seen[key] = true
			t.rules[key] += by
		}
	}
}

// Stats describes the contents of a [Journal], and the verdicts so far.
type Stats struct {
	Kept, Bytes    int             // stored calls, and their memory
	Gone           int             // calls dropped since it was cleared
	Sent, Answered map[Verdict]int // calls judged since it was cleared, by the verdicts on request and answer
}

// Stats returns the statistics of the journal. It does not judge calls, so some may not be
// judged yet.
func (l *Journal) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Stats{len(l.kept), l.bytes, l.gone, verdictCounts(l.counts.sent), verdictCounts(l.counts.answered)}
}

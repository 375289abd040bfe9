package live

// tally counts calls and what was found of them.
type tally struct {
	judged   int
	sent     map[Verdict]int
	answered map[Verdict]int
	rules    map[ruleKey]int // calls, by what was found of them
}

// ruleKey is what findings are counted by.
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

// Stats is what a [Journal] holds, and what it has made of it so far.
type Stats struct {
	Kept, Bytes    int             // calls, and the memory that they take
	Gone           int             // calls that made room for others since it was cleared
	Unwritten      int             // calls that the file did not take since the start
	Sent, Answered map[Verdict]int // calls judged since then, by the verdict on what was sent and on what was answered
}

// Stats returns what the journal holds. Calls that nobody has asked about may not be judged
// yet, and are not for this.
func (l *Journal) Stats() Stats {
	unwritten := l.inFile.unwritten()
	l.mu.Lock()
	defer l.mu.Unlock()
	return Stats{len(l.kept), l.bytes, l.gone, unwritten, verdictCounts(l.counts.sent), verdictCounts(l.counts.answered)}
}

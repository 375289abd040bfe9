package journal

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

func (t *tally) add(k *kept) { t.count(k, 1) }
func (t *tally) sub(k *kept) { t.count(k, -1) }

func (t *tally) count(k *kept, by int) {
	t.judged += by
	t.sent[k.sent] += by
	t.answered[k.answered] += by
	seen := map[ruleKey]bool{}
	for _, f := range k.findings {
		key := ruleKey{f.About, f.Rule, f.Level}
		if !seen[key] {
			seen[key] = true
			t.rules[key] += by
		}
	}
}

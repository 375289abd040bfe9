package live

import (
	"cmp"
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// Summary counts the findings since the journal was last cleared.
type Summary struct {
	Calls    int             `json:"calls"`    // judged
	Kept     int             `json:"kept"`     // stored calls among them
	Unjudged int             `json:"unjudged"` // calls dropped before they were judged
	Verdicts map[Verdict]int `json:"verdicts"` // on requests
	Answers  map[Verdict]int `json:"answerVerdicts"`
	Rules    []RuleCount     `json:"rules"` // the most severe first
}

// RuleCount is the number of calls with findings of a rule.
type RuleCount struct {
	Rule        string `json:"rule"`
	Level       string `json:"level"`
	About       string `json:"about"`
	Calls       int    `json:"calls"`
	Requirement string `json:"requirement"`
	Clause      string `json:"clause"`
	Hint        string `json:"hint"`
	Examples    []int  `json:"examples"` // ids of stored calls, the newest last
}

// Summary counts the findings since the journal was last cleared.
func (l *Journal) Summary() Summary {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := Summary{
		Calls: l.counts.judged, Kept: len(l.kept), Unjudged: l.unjudged, Rules: []RuleCount{},
		Verdicts: verdictCounts(l.counts.sent), Answers: verdictCounts(l.counts.answered),
	}
	for key, n := range l.counts.rules {
		if n == 0 {
			continue
		}
		c := l.requests.checks[key.Rule]
		if key.About == conformance.AboutAnswer {
			c = l.answers.checks[key.Rule]
		}
		s.Rules = append(s.Rules, RuleCount{
			Rule: key.Rule, Level: key.Level, About: key.About, Calls: n,
			Requirement: c.Requirement, Clause: c.Clause, Hint: c.Hint, Examples: l.examples(key),
		})
	}
	slices.SortFunc(s.Rules, func(a, b RuleCount) int {
		return cmp.Or(weightOf(a.Level)-weightOf(b.Level), cmp.Compare(b.About, a.About), cmp.Compare(a.Rule, b.Rule))
	})
	return s
}

func verdictCounts(by map[Verdict]int) map[Verdict]int {
	return map[Verdict]int{OK: by[OK], Warn: by[Warn], Fail: by[Fail]}
}

func weightOf(level string) int {
	return slices.Index([]string{conformance.CallMust, conformance.CallShould, conformance.CallNote}, level)
}

// examples returns the newest stored calls with a finding of a rule; mu is held.
func (l *Journal) examples(key ruleKey) []int {
	const most = 5
	ids := []int{}
	for _, k := range slices.Backward(l.kept) {
		if len(ids) == most {
			break
		}
		if slices.ContainsFunc(k.Findings, func(f conformance.CallFinding) bool {
			return f.Rule == key.Rule && f.About == key.About && f.Level == key.Level
		}) {
			ids = append(ids, k.X.ID)
		}
	}
	slices.Reverse(ids)
	return ids
}

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

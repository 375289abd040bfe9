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

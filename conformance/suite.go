package conformance

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// Suite is all that sets one set of checks apart from another: whom it judges,
// by which operations, checks and rules. The engine, the formats of reports, the
// client, the journal and the matrix work for any. Everything but Name, Operations,
// Checks and Judge may be left out.
type Suite struct {
	Name  string // in run files, such as "third-party"; it keeps its meaning
	Label string // what is judged, in a word or two, such as "telephone exchange"
	User  string // whom it serves in the end, in a word, such as "subscriber"; "": "user"
	Thing string // what a run makes there and takes away again, in a word, such as "call"; "": "thing"

	Operations []Operation // that calls are made of, in the order in which a call meets them
	Spanning   []Operation // what a verdict may be about beside them: several of them, such as "session"

	Checks       []Check          // in the order of a report
	Clauses      []Clause         // of the interface, in its order
	Ambiguities  []Ambiguity      // that it leaves
	Requirements []RequirementSet // the frozen ones, the oldest first
	Tiers        []TierInfo       // in the order of a report
	Aids         []AidInfo        // what may be lent to a run
	MayOmit      map[string]bool  // ids of MUSTs of the core about what a right subject need not show
	Later        []string         // ids of checks of what happens on certain days: that one was not tried is said in every report
	Bodiless     []Operation      // whose right answer does not depend on the body sent
	Least        int              // verdicts that are green for every right subject, at least

	Faults []Fault // kinds of fault that show in more than one check; the first that fits is meant

	Shown   []ProbeName // probes worth looking at first, in this order
	IDs     []string    // members of a body by which a subject names what it has made
	Numbers []string    // members of a body that may hold a telephone number, beside phone and phoneNumber: it is hidden
	Words   []string    // of the interface beside those of Clauses and Checks: no credential is looked for that is one

	// Judge applies the rules to a history, and to what was perceived beside it. It is
	// pure, and changes no call.
	Judge func(history []*Exchange, observations []Observation) []FiledFinding

	Traffic Traffic // how calls of others are judged while they are made

	// States are those in which a thing may be, in the order in which it meets them. A
	// drawing has colours for the first eight.
	States []string

	// Describe says for drawings what a call was about; nil: nothing is drawn.
	Describe func(*Exchange) Description

	// Transcript puts the calls of a probe into words; nil: nothing does.
	Transcript *Transcript
}

// Transcript is how the calls of a probe are shown as a conversation.
type Transcript struct {
	Title string // of the part of a report, such as "What the subscriber hears"
	Note  string // what a reader should know of it
	Lines func(calls []*Exchange) []Line
}

// Description is what a drawing shows of a call.
type Description struct {
	Thing string // the id of what it was about, "": of nothing in particular
	Verb  string // what was asked, in a word
	State string // what the answer shows of it, one of [Suite.States] or not; "": nothing
	Made  string // the id of another thing that the answer names in its place; "": none
}

// TierInfo is a tier and its short name.
type TierInfo struct {
	Name   string // such as "core"
	Tier   Tier
	Cannot string // what nobody can do without it, in words that follow "cannot"
	Core   bool   // offered only by a subject that nothing of its own kept from being shown whole
}

// AidInfo is an aid and what it is good for.
type AidInfo struct {
	Aid    Aid
	Checks []string // ids of those that are not verified without it, or on less evidence
}

// RequirementSet is a frozen set of requirements. It is never changed once a release
// has shipped it: a subject that met it goes on meeting it.
type RequirementSet struct {
	Name string
	IDs  []string
}

// RequirementsLatest names the set of everything that a suite has, frozen or not.
const RequirementsLatest = "latest"

// With returns the suite with checks of a firm's own, which are then in each set of requirements.
func (s *Suite) With(own ...Check) *Suite {
	w := *s
	w.Checks, w.Requirements = slices.Concat(s.Checks, own), slices.Clone(s.Requirements)
	for i := range w.Requirements {
		w.Requirements[i].IDs = slices.Clone(w.Requirements[i].IDs)
		for _, c := range own {
			w.Requirements[i].IDs = append(w.Requirements[i].IDs, c.ID)
		}
	}
	return &w
}

// Lookup returns the check with an id, in any case.
func (s *Suite) Lookup(id string) (Check, bool) {
	at := slices.IndexFunc(s.Checks, func(c Check) bool { return strings.EqualFold(c.ID, id) })
	if at < 0 {
		return Check{}, false
	}
	return s.Checks[at], true
}

// Subjects lists what a verdict may be about.
func (s *Suite) Subjects() []Operation { return slices.Concat(s.Operations, s.Spanning) }

// subject returns what a verdict may be about by its name, in any case, and the
// name itself when there is nothing of that name.
func (s *Suite) subject(name string) Operation {
	for _, op := range s.Subjects() {
		if strings.EqualFold(string(op), name) {
			return op
		}
	}
	return Operation(name)
}

// Match finds out which operation a request is of, and the base address that its
// path is below. An operation that is written as a method and a path takes only
// that method; one that is a word takes any, as to answer the others is a part
// of it.
func (s *Suite) Match(method string, u *url.URL) (op Operation, base string, ok bool) {
	for _, op := range s.Operations {
		if before, is := op.matches(method, u.Path); is {
			bare := url.URL{Scheme: u.Scheme, Host: u.Host, Path: before}
			return op, bare.String(), true
		}
	}
	return "", "", false
}

// Paths lists the paths of the operations: "/hello, /send or /bye".
func (s *Suite) Paths() string {
	var all []string
	for _, op := range s.Operations {
		all = append(all, op.Path())
	}
	last := max(0, len(all)-1)
	return strings.Join(append([]string{strings.Join(all[:last], ", ")}, all[last:]...), " or ")
}

// UserName is [Suite.User], or what stands for it.
func (s *Suite) UserName() string { return cmp.Or(s.User, "user") }

// ThingName is [Suite.Thing], or what stands for it.
func (s *Suite) ThingName() string { return cmp.Or(s.Thing, "thing") }

// newest names the frozen set that runs are scored by unless told otherwise.
func (s *Suite) newest() string {
	if len(s.Requirements) == 0 {
		return RequirementsLatest
	}
	return s.Requirements[len(s.Requirements)-1].Name
}

// Required returns the ids of a set of requirements: a frozen one by its name,
// [RequirementsLatest], or "" for the newest frozen one. Checks that are not in
// the set of a run are executed and reported, unscored.
func (s *Suite) Required(set string) ([]string, error) {
	if set == "" {
		set = s.newest()
	}
	var names []string
	for _, frozen := range s.Requirements {
		if frozen.Name == set {
			return slices.Clone(frozen.IDs), nil
		}
		names = append(names, frozen.Name)
	}
	if set != RequirementsLatest {
		return nil, fmt.Errorf("requirements %q: want %s", set, strings.Join(append(names, RequirementsLatest), " or "))
	}
	var ids []string
	for _, c := range s.Checks {
		ids = append(ids, c.ID)
	}
	return ids, nil
}

// TierNamed returns the tier with a short name.
func (s *Suite) TierNamed(name string) (Tier, error) {
	var names []string
	for _, t := range s.Tiers {
		if t.Name == name {
			return t.Tier, nil
		}
		names = append(names, t.Name)
	}
	return "", fmt.Errorf("tier %q: there are %s", name, WordList(names))
}

// Cannot says what no user can do without a tier.
func (s *Suite) Cannot(tier Tier) string {
	for _, t := range s.Tiers {
		if t.Tier == tier && t.Cannot != "" {
			return t.Cannot
		}
	}
	return string(tier)
}

// Core reports a MUST of the core.
func (s *Suite) Core(c Check) bool {
	return c.Level == Must && slices.ContainsFunc(s.Tiers, func(t TierInfo) bool { return t.Core && t.Tier == c.Tier })
}

// needsAid reports a check that is not verified without an aid, or on less
// evidence.
func (s *Suite) needsAid(id string) bool {
	return slices.ContainsFunc(s.Aids, func(a AidInfo) bool { return slices.Contains(a.Checks, id) })
}

// Vocabulary are the words that the suite's calls and reports are full of, in small
// letters: a credential that is one of them cannot be told from the word.
func (s *Suite) Vocabulary() map[string]bool {
	words := map[string]bool{"true": true, "false": true, "null": true}
	learn := func(texts ...string) {
		for _, text := range texts {
			for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '_' }) {
				words[strings.ToLower(w)] = true
			}
		}
	}
	for _, c := range s.Clauses {
		learn(c.Text)
	}
	for _, c := range s.Checks {
		learn(c.Requirement, c.Needs, c.Why, c.Hint)
	}
	learn(s.Words...)
	return words
}

package conformance

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// Suite is everything specific to one set of checks: what is judged, and the
// operations, checks and rules. The engine, the report formats, the client, the
// journal and the matrix work for any suite. Only Name, Operations, Checks and Judge
// are required.
type Suite struct {
	Name  string // as in run files, such as "third-party"; its meaning never changes
	Label string // what is judged, in a word or two, such as "telephone exchange"
	User  string // a word for its end users, such as "subscriber"; "": "user"
	Thing string // a word for what a run makes and cancels, such as "call"; "": "thing"

	Operations []Operation // the operations that can be called, in the usual order of use
	Spanning   []Operation // spans of several operations that a verdict may be about, such as "session"

	Checks       []Check          // in the order of a report
	Clauses      []Clause         // of the interface, in its order
	Ambiguities  []Ambiguity      // of the interface
	Requirements []RequirementSet // the frozen ones, the oldest first
	Tiers        []TierInfo       // in the order of a report
	Harms        []HarmInfo       // whom failures hurt, the gravest first
	Aids         []AidInfo        // that may be given to a run
	MayOmit      map[string]bool  // ids of MUSTs of the core about optional members
	Later        []string         // ids of checks that only certain days can show: every report lists those not tested
	Bodiless     []Operation      // operations whose correct answer does not depend on the request body
	Least        int              // minimum number of green verdicts for every correct server

	Faults []Fault // kinds of fault that show in more than one check; the first match is used

	Shown   []ProbeName // probes to show first, in this order
	IDs     []string    // members of a body that hold ids given by the server
	Numbers []string    // members of a body, besides phone and phoneNumber, that may hold a telephone number to hide
	Words   []string    // words of the interface, besides those in Clauses and Checks, that are never hidden as credentials

	// Judge applies the rules to a history and its observations. It is pure and changes
	// no call.
	Judge func(history []*Exchange, observations []Observation) []FiledFinding

	Traffic Traffic // how calls of other clients are judged while they are made

	// States are the states of a thing, in their usual order. Drawings have colours for the
	// first eight.
	States []string

	// Describe describes a call for drawings; nil: nothing is drawn.
	Describe func(*Exchange) Description

	// Transcript shows the calls of a probe as a conversation; nil: there is none.
	Transcript *Transcript
}

// Line is one line of a [Transcript].
type Line struct {
	Who  string // the speaker, in a word; "": an event, not speech
	User bool   // the speaker is the user of the judged system
	Text string
	Call int    // the call that caused it; 0: none
	Note string // what a more complete reply would have added
}

// Transcript is how the calls of a probe are shown as a conversation.
type Transcript struct {
	Title string // heading in a report, such as "What the subscriber hears"
	Note  string // an explanation for the reader
	Lines func(calls []*Exchange) []Line
}

// Description is the text of a call in a drawing.
type Description struct {
	Thing string // the id of the thing it was about; "": none
	Verb  string // what was requested, in a word
	State string // the thing's state in the answer, usually one of [Suite.States]; "": none
	Made  string // the id of the thing that replaces it, if the answer names one; "": none
}

// TierInfo is a tier and its short name.
type TierInfo struct {
	Name   string // such as "core"
	Tier   Tier
	Cannot string // what users cannot do without it, to follow "cannot"
	Core   bool   // offered only if none of its MUSTs was left unshown because of the server
}

// AidInfo is an aid and the checks that it serves.
type AidInfo struct {
	Aid    Aid
	Checks []string // ids of checks that without it are not verified, or have less evidence
}

// RequirementSet is a frozen set of requirements. It never changes after a release, so
// that a server that met it still meets it.
type RequirementSet struct {
	Name string
	IDs  []string
}

// RequirementsLatest names the set of all requirements of a suite, frozen or not.
const RequirementsLatest = "latest"

// With returns the suite with a vendor's own checks added, also to each set of requirements.
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

// Lookup returns the check with an id, ignoring case.
func (s *Suite) Lookup(id string) (Check, bool) {
	at := slices.IndexFunc(s.Checks, func(c Check) bool { return strings.EqualFold(c.ID, id) })
	if at < 0 {
		return Check{}, false
	}
	return s.Checks[at], true
}

// Subjects lists what a verdict may be about: an operation, or a span of several.
func (s *Suite) Subjects() []Operation { return slices.Concat(s.Operations, s.Spanning) }

// subject returns the subject of a verdict with a name, ignoring case, or the name itself
// if there is none.
func (s *Suite) subject(name string) Operation {
	for _, op := range s.Subjects() {
		if strings.EqualFold(string(op), name) {
			return op
		}
	}
	return Operation(name)
}

// Match finds the operation that a request calls, and the base address before its path.
// An operation written as a method and a path matches only that method; one that is a
// word matches any, since answering other methods is part of the operation.
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

// UserName returns [Suite.User], or its default.
func (s *Suite) UserName() string { return cmp.Or(s.User, "user") }

// ThingName returns [Suite.Thing], or its default.
func (s *Suite) ThingName() string { return cmp.Or(s.Thing, "thing") }

// newest names the frozen set that scores runs by default.
func (s *Suite) newest() string {
	if len(s.Requirements) == 0 {
		return RequirementsLatest
	}
	return s.Requirements[len(s.Requirements)-1].Name
}

// Required returns the ids of a set of requirements: a frozen set by name,
// [RequirementsLatest], or "" for the newest frozen set. Checks outside of the set are
// executed and reported as unscored.
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

// TierNamed returns the tier with a short name, or an error if the suite has none.
func (s *Suite) TierNamed(name string) (Tier, error) {
	var names []string
	for _, t := range s.Tiers {
		if t.Name == name {
			return t.Tier, nil
		}
		names = append(names, t.Name)
	}
	return "", fmt.Errorf("unknown tier %q: want %s", name, WordList(names))
}

// Cannot returns what users cannot do without a tier, or the name of the tier if the suite does not say.
func (s *Suite) Cannot(tier Tier) string {
	for _, t := range s.Tiers {
		if t.Tier == tier && t.Cannot != "" {
			return t.Cannot
		}
	}
	return string(tier)
}

// Core reports whether a check is a MUST of the core.
func (s *Suite) Core(c Check) bool {
	return c.Level == Must && slices.ContainsFunc(s.Tiers, func(t TierInfo) bool { return t.Core && t.Tier == c.Tier })
}

// needsAid reports whether a check is not verified, or has less evidence, without an aid.
func (s *Suite) needsAid(id string) bool {
	return slices.ContainsFunc(s.Aids, func(a AidInfo) bool { return slices.Contains(a.Checks, id) })
}

// Vocabulary returns the common words of the suite's calls and reports, in lower case. A
// credential equal to one of them cannot be distinguished from the word.
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

package callingside

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/conformance/redact"
)

// report judges the run and returns the report of it.
func (r *run) report(ctx context.Context) *conformance.Report {
	history := r.stage.recorded()
	found := slices.DeleteFunc(Suite.Judge(history, r.observations), func(f conformance.FiledFinding) bool { return !r.asked(f.Check) })
	results := Suite.Conclude(found, r.absent)
	hidden := r.redactor(history)
	rep := &conformance.Report{
		Suite: &Suite, Checks: hidden.Results(results), Target: hidden.URL(r.subject()), Traffic: r.opts.Actor == nil, Started: r.started,
		Duration: r.opts.Now().Sub(r.started), Seed: conformance.Seed(r.opts.Nonce), Only: r.opts.Only, Leftovers: []conformance.Leftover{},
		Preflight: r.steps, Exchanges: history, Hide: hidden.Exchange, Unshown: r.unshown(results),
		Observations: hidden.Observations(unspelt(history, r.observations)),
	}
	if r.blocked != nil && r.blocked.Kind != conformance.OutOfTime {
		rep.Causes = []conformance.Cause{{Message: hidden.Text(r.blocked.Text), Cure: "check the drive address: it must answer each request with 200 or 501", Ends: true}}
	}
	rep.Explain(rep.Causes...)
	rep.Score(conformance.Scoring{}, r.started)
	if ctx.Err() != nil {
		rep.Interrupt()
	}
	return rep
}

// subject returns the name of the judged platform for reports.
func (r *run) subject() string {
	if _, person := r.opts.Actor.(*Person); person || r.opts.Actor == nil {
		return "whoever calls " + r.stage.address()
	}
	return r.opts.Actor.Name()
}

// redactor returns the redactor that hides the numbers and credentials of the run.
func (r *run) redactor(history []*conformance.Exchange) *redact.Redactor {
	names := redact.NewPseudonyms(&Suite, nil)
	if r.opts.Auth != nil {
		blank, err := http.NewRequestWithContext(context.Background(), http.MethodPost, "http://localhost/", http.NoBody)
		if err == nil {
			r.opts.Auth(blank)
			for name := range blank.Header {
				names.AddSecrets(redact.Proof{Name: name, Key: blank.Header.Get(name)}.Secrets()...)
			}
			for _, values := range blank.URL.Query() {
				names.AddSecrets(values...)
			}
		}
	}
	return names.Redactor(append(slices.Clone(history), r.callers()))
}

// callers returns an artificial call that gives the redactor the numbers of all scenes,
// also of those without calls.
func (r *run) callers() *conformance.Exchange {
	all := []object{}
	for _, p := range r.stage.plays {
		all = append(all, object{"phoneNumber": p.caller})
	}
	body, err := json.Marshal(all)
	if err != nil {
		panic(err) // strings can be encoded
	}
	return &conformance.Exchange{Request: conformance.Request{Body: body}}
}

// unspelt returns the observations with spoken numbers replaced by digits, so that the redactor
// finds them. Of the platform's own numbers, which are in no call, it keeps only the end.
func unspelt(history []*conformance.Exchange, all []conformance.Observation) []conformance.Observation {
	numbers := redact.MembersOf(&Suite).Numbers(history)
	own := slices.Clone(all)
	for i := range own {
		a := rules.DecodeObservation(own[i]).Answer
		if a == nil {
			continue
		}
		for k := range a.Legs {
			a.Legs[k].CallerID = maskUnknown(a.Legs[k].CallerID, numbers)
		}
		own[i].Kind, own[i].Text = rules.KindAnswer, rules.InFigures(encoded(a), numbers)
	}
	return own
}

// maskUnknown returns a number unchanged if it has at most three digits or matches one of the known numbers in the last nine
// digits. Otherwise it returns "***" and the last three digits.
func maskUnknown(number string, known []string) string {
	const tail = 3
	digits := jsonvalue.Digits(number)
	if len(digits) <= tail || slices.ContainsFunc(known, func(n string) bool { return alike(jsonvalue.Digits(n), digits) }) {
		return number
	}
	return "***" + digits[len(digits)-tail:]
}

// absent returns the reason why no rule judged a check.
func (r *run) absent(c conformance.Check, op conformance.Operation) *conformance.Reason {
	switch {
	case !r.asked(c.ID):
		return new(conformance.Because(conformance.NotAsked, "the run was limited to %s", strings.Join(r.opts.Only, ", ")))
	case c.Needs != "":
		return conformance.Unseen(c, op)
	case r.blocked != nil:
		return r.blocked
	}
	return new(conformance.Because(conformance.NotSeen, "the calls that it is about: the platform did not make them"))
}

func (r *run) asked(id string) bool {
	return len(r.opts.Only) == 0 || slices.Contains(r.opts.Only, id)
}

// unshown returns the MUSTs that every platform shows by its calls, but that could not be verified on this one.
func (r *run) unshown(results []conformance.Result) []conformance.Gap {
	var gaps []conformance.Gap
	if r.opts.Actor == nil {
		return nil // calls were only recorded
	}
	for _, res := range results {
		c, _ := Suite.Lookup(res.ID)
		if res.Outcome == conformance.NotVerified && c.Level == conformance.Must && c.Needs == "" && r.asked(c.ID) && !Suite.MayOmit[c.ID] {
			gap := conformance.Gap{ID: res.ID, Operation: res.Operation, Why: conformance.HeadlineOf(res)}
			if r.blocked != nil && r.blocked.Kind == conformance.OutOfTime {
				gap.Reason = conformance.OutOfTime
			}
			gaps = append(gaps, gap)
		}
	}
	return gaps
}

package platformapi

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// run is one execution of the suite.
type run struct {
	*client.Client
	target   Target
	account  string                        // the account of the run's objects
	sessions map[string]session            // by user name
	life     time.Duration                 // life of access tokens, read as seconds; 0: not known
	vain     bool                          // renewing a token that was refused did not help
	names    map[string]string             // ids of created or found objects, by kind
	without  map[string]conformance.Reason // why a kind has less evidence than possible
	blocked  *conformance.Reason
}

// Run tests a platform and returns the verdicts. The error is [*conformance.Unreachable] if
// the platform cannot be tested, [ErrHost] if the target is not allowed, and otherwise says
// what is wrong with the target.
func Run(ctx context.Context, target Target) (*conformance.Report, error) {
	target, err := target.withDefaults()
	if err != nil {
		return nil, err
	}
	r := &run{target: target, account: target.Credentials.Accounts[0].ID, sessions: map[string]session{}, names: map[string]string{}, without: map[string]conformance.Reason{}}
	first := target.Credentials.Users[0]
	r.Client = client.NewClient(client.Config{
		Suite: &Suite, URL: target.URL, Now: target.Now, TLS: target.TLS, Transport: target.Transport, Timeout: target.Timeout,
		Secrets: target.Credentials.secrets(),
		Width:   1, Heard: target.Preflight, Hello: form(url.Values{"username": {first.Username}, "password": {first.Password}}),
	})
	r.hide()
	started := target.Now()
	if err := r.preflight(ctx); err != nil {
		return nil, err
	}
	wanted := slices.DeleteFunc(slices.Clone(stages), func(s stage) bool { return !s.wanted(target.Only) })
	for i, s := range wanted {
		if ctx.Err() == nil && !r.isBlocked() {
			s.make(r, ctx)
		}
		if target.Progress != nil {
			target.Progress(conformance.Progress{Stage: conformance.StageProbes, Done: i + 1, All: len(wanted)})
		}
	}
	return r.report(ctx, started), nil
}

// hide hides all credentials in the output of the run.
func (r *run) hide() {
	for _, u := range r.target.Credentials.Users {
		r.Hide(u.Password, url.QueryEscape(u.Password))
	}
	for _, a := range r.target.Credentials.Accounts {
		r.Hide(a.ClientID)
	}
}

// block ends the run early, since the rest depends on a refused call.
func (r *run) block(why string) {
	if r.blocked == nil {
		reason := conformance.Because(conformance.NotServed, "%s", why)
		r.blocked = &reason
	}
}

func (r *run) isBlocked() bool {
	return r.sessions[r.target.Credentials.Users[0].Username].access == "" && r.blocked != nil
}

// report makes the report of the run.
func (r *run) report(ctx context.Context, started time.Time) *conformance.Report {
	history := r.BeforeSilence(r.History)
	found := slices.DeleteFunc(Suite.Judge(history, nil), func(f conformance.FiledFinding) bool { return !r.asked(f.Check) })
	results := Suite.Conclude(found, r.absent)
	hidden := r.Redactor()
	rep := &conformance.Report{
		Suite: &Suite, Checks: hidden.Results(results), Target: hidden.URL(r.target.URL), Started: started,
		Duration: r.target.Now().Sub(started), Seed: conformance.Seed(r.target.Nonce), Only: r.target.Only, Leftovers: []conformance.Leftover{}, Preflight: r.Steps,
		Exchanges: r.History, Hide: hidden.Exchange, Unshown: r.unshown(results),
	}
	var known []conformance.Cause
	if c := r.Silent.Cause(); c != nil {
		known = hidden.Causes([]conformance.Cause{*c})
	}
	rep.Explain(known...)
	rep.Score(conformance.Scoring{}, started)
	if ctx.Err() != nil {
		rep.Interrupt()
	}
	return rep
}

// refreshed are the checks that need a refresh token.
var refreshed = strings.Fields("TOK-08 TOK-09 TOK-14 TOK-17")

// absent returns why no rule judged a check, or nil if nothing explains it.
func (r *run) absent(c conformance.Check, op conformance.Operation) *conformance.Reason {
	switch {
	case !r.asked(c.ID):
		return new(conformance.Because(conformance.NotAsked, "the run was limited to %s", strings.Join(r.target.Only, ", ")))
	case r.Silent.Overrun(op):
		return new(conformance.Because(conformance.RateLimited, "%s was answered 429 repeatedly, so no more calls are made", op.Path()))
	case r.Silent.FirstUnanswered(op) != nil:
		return new(conformance.Because(conformance.Unanswered, "%s", client.UnansweredText(r.Silent.FirstUnanswered(op))))
	case r.withoutKind(op) != nil:
		return r.withoutKind(op)
	case c.Needs != "":
		return new(conformance.Because(conformance.NotSeen, "%s", c.Needs))
	case r.blocked != nil:
		return r.blocked
	case r.Silent.Cause() != nil:
		return new(conformance.Because(conformance.ServerGone, "%s", r.Silent.Cause().Message))
	case slices.Contains(refreshed, c.ID) && r.sessions[r.target.Credentials.Users[0].Username].refresh == "":
		return new(conformance.Because(conformance.NotServed, "the first user of the credentials file got no refresh token"))
	case r.refused() != "":
		return new(conformance.Because(conformance.NotServed, "too few calls were answered: %s was not served", r.refused()))
	}
	return nil
}

func (r *run) asked(id string) bool {
	return len(r.target.Only) == 0 || slices.Contains(r.target.Only, id)
}

// withoutKind returns why the kind of an operation has less evidence than possible; nil:
// not known.
func (r *run) withoutKind(op conformance.Operation) *conformance.Reason {
	for _, k := range rules.Kinds() {
		if why, known := r.without[k.Name]; known && k.Has(op) {
			return &why
		}
	}
	return nil
}

// refused names an operation of which a valid call was not served.
func (r *run) refused() string {
	for _, x := range r.History {
		if x.Sound && !x.Succeeded() && x.Code() != 429 {
			return string(x.Operation)
		}
	}
	return ""
}

// unshown lists the MUSTs that were not shown, and that no earlier run has shown.
func (r *run) unshown(results []conformance.Result) []conformance.Gap {
	var gaps []conformance.Gap
	for _, res := range results {
		c, _ := Suite.Lookup(res.ID)
		if res.Outcome == conformance.NotVerified && c.Level == conformance.Must && c.Needs == "" && r.asked(c.ID) && kindOf(res) != conformance.NotApplicable {
			gaps = append(gaps, conformance.Gap{ID: res.ID, Operation: res.Operation, Why: conformance.HeadlineOf(res), Reason: kindOf(res)})
		}
	}
	return gaps
}

// kindOf returns the kind of the reason why a check has no verdict; "": none.
func kindOf(res conformance.Result) conformance.ReasonKind {
	if why := res.Findings[0].Reason; why != nil {
		return why.Kind
	}
	return ""
}

// path replaces the names in braces in an operation's path.
func (r *run) path(op conformance.Operation, account, id string) string {
	path := strings.Replace(op.Path(), "{account}", url.PathEscape(account), 1)
	for _, k := range rules.Kinds() {
		path = strings.Replace(path, "{"+k.Name+"}", url.PathEscape(id), 1)
	}
	return path
}

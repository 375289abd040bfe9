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
	life     time.Duration                 // how long access tokens are valid, if expires_in is in seconds; 0: not known
	vain     bool                          // a call was refused again after its token had been renewed
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

// hide adds all credentials to the secrets that the run hides.
func (r *run) hide() {
	for _, u := range r.target.Credentials.Users {
		r.Hide(u.Password, url.QueryEscape(u.Password))
	}
	for _, a := range r.target.Credentials.Accounts {
		r.Hide(a.ClientID)
	}
}

// block records why the run cannot continue: a call on which the rest depends was refused.
func (r *run) block(why string) {
	if r.blocked == nil {
		reason := conformance.Because(conformance.NotServed, "%s", why)
		r.blocked = &reason
	}
}

func (r *run) isBlocked() bool {
	return r.sessions[r.target.Credentials.Users[0].Username].access == "" && r.blocked != nil
}

// report judges the calls and returns the report of the run.
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

// absent returns the reason why a check has no finding; nil: there is no explanation.
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

// withoutKind returns why there is less evidence than possible for the kind of object that an operation is
// about; nil: there is no such reason.
func (r *run) withoutKind(op conformance.Operation) *conformance.Reason {
	for _, k := range rules.Kinds() {
		if why, known := r.without[k.Name]; known && k.Has(op) {
			return &why
		}
	}
	return nil
}

// refused returns an operation of which a correct call failed; "": there is none.
func (r *run) refused() string {
	for _, x := range r.History {
		if x.Sound && !x.Succeeded() && x.Code() != 429 {
			return string(x.Operation)
		}
	}
	return ""
}

// unshown lists the MUSTs that were not verified, except for a reason that says they do not apply to this
// run.
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

// kindOf returns the kind of the reason why a check has no verdict; "": no reason is given.
func kindOf(res conformance.Result) conformance.ReasonKind {
	if why := res.Findings[0].Reason; why != nil {
		return why.Kind
	}
	return ""
}

// path returns an operation's path with the account and the id put in place of the names in braces.
func (r *run) path(op conformance.Operation, account, id string) string {
	path := strings.Replace(op.Path(), "{account}", url.PathEscape(account), 1)
	for _, k := range rules.Kinds() {
		path = strings.Replace(path, "{"+k.Name+"}", url.PathEscape(id), 1)
	}
	return path
}

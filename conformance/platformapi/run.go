package platformapi

import (
	"context"
	"fmt"
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
	target  Target
	account string            // of which things are made
	tokens  map[string]string // access tokens by user name
	refresh string            // of the first user
	life    time.Duration     // of access tokens, read as seconds; 0: not known
	names   map[string]string // ids of what was made or found, by kind
	blocked *conformance.Reason
}

// Run tests a platform and returns the verdicts. The error is
// [*conformance.Unreachable] when there was nothing to test, [ErrHost] when the target
// must not be tested, and says what is missing when it is not usable.
func Run(ctx context.Context, target Target) (*conformance.Report, error) {
	target, err := target.withDefaults()
	if err != nil {
		return nil, err
	}
	r := &run{target: target, account: target.Credentials.Accounts[0].ID, tokens: map[string]string{}, names: map[string]string{}}
	first := target.Credentials.Users[0]
	r.Client = client.NewClient(client.Config{
		Suite: &Suite, URL: target.URL, Now: target.Now, TLS: target.TLS, Transport: target.Transport, Timeout: target.Timeout,
		Width: 1, Heard: target.Preflight, Hello: form(url.Values{"username": {first.Username}, "password": {first.Password}}),
	})
	r.hide()
	started := target.Now()
	if !r.Connect(ctx) || !r.Step(ctx, r.HTTPStep(r.Once(ctx, conformance.ProbePreflight, r.Config.Hello))) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &conformance.Unreachable{URL: target.URL, Steps: r.Steps}
	}
	probes := []func(context.Context){
		r.logIn, r.readAccounts, r.changeAddress, r.tryTrunk, r.tryHook, r.tryDevice, r.tryStart, r.tryRoles, r.tryDoors, r.tryCalls, r.tryBadCalls, r.outlive,
	}
	for i, probe := range probes {
		if ctx.Err() == nil && !r.isBlocked() {
			probe(ctx)
		}
		if target.Progress != nil {
			target.Progress(conformance.Progress{Stage: conformance.StageProbes, Done: i + 1, All: len(probes)})
		}
	}
	return r.report(ctx, started), nil
}

// hide has all credentials hidden in what is shown of the run.
func (r *run) hide() {
	for _, u := range r.target.Credentials.Users {
		r.Hide(u.Password, url.QueryEscape(u.Password))
	}
	for _, a := range r.target.Credentials.Accounts {
		r.Hide(a.ClientID)
	}
}

// block ends the run before its end, as what is left depends on what was refused.
func (r *run) block(why string) {
	if r.blocked == nil {
		reason := conformance.Because(conformance.NotServed, "%s", why)
		r.blocked = &reason
	}
}

func (r *run) isBlocked() bool {
	return r.tokens[r.target.Credentials.Users[0].Username] == "" && r.blocked != nil
}

// report makes the report of what was seen.
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
	rep.Score(conformance.Scoring{}, started)
	if ctx.Err() != nil {
		rep.Interrupt()
	}
	return rep
}

// absent says why no rule judged a check. If nothing explains it, the suite is wrong.
func (r *run) absent(c conformance.Check, op conformance.Operation) conformance.Finding {
	var why conformance.Reason
	switch {
	case !r.asked(c.ID):
		why = conformance.Because(conformance.NotAsked, "only %s was asked for", strings.Join(r.target.Only, ", "))
	case c.Needs != "":
		why = conformance.Because(conformance.NotSeen, "%s", c.Needs)
	case r.blocked != nil:
		why = *r.blocked
	case r.Silent.Cause() != nil:
		why = conformance.Because(conformance.ServerGone, "%s", r.Silent.Cause().Message)
	case r.refused() != "":
		why = conformance.Because(conformance.NotServed, "too little was answered: %s was not served", r.refused())
	default:
		return conformance.Finding{Outcome: conformance.Broken, Clause: c.Clause, Message: conformance.Worded(fmt.Sprintf("the suite came to no verdict on %s for %s", c.ID, op))}
	}
	return conformance.Finding{Outcome: conformance.NotVerified, Clause: c.Clause, Message: why.String(), Reason: &why}
}

func (r *run) asked(id string) bool {
	return len(r.target.Only) == 0 || slices.Contains(r.target.Only, id)
}

// refused names an operation of which a right call was not served.
func (r *run) refused() string {
	for _, x := range r.History {
		if x.Sound && !x.Succeeded() && x.Code() != 429 {
			return string(x.Operation)
		}
	}
	return ""
}

// unshown lists the MUSTs that the platform's own behaviour kept from being shown.
func (r *run) unshown(results []conformance.Result) []conformance.Gap {
	var gaps []conformance.Gap
	for _, res := range results {
		c, _ := Suite.Lookup(res.ID)
		if res.Outcome == conformance.NotVerified && c.Level == conformance.Must && c.Needs == "" && r.asked(c.ID) {
			gaps = append(gaps, conformance.Gap{ID: res.ID, Operation: res.Operation, Why: conformance.HeadlineOf(res)})
		}
	}
	return gaps
}

// path fills in what stands in braces in an operation's path.
func (r *run) path(op conformance.Operation, account, id string) string {
	path := strings.Replace(op.Path(), "{account}", url.PathEscape(account), 1)
	for _, k := range rules.Kinds() {
		path = strings.Replace(path, "{"+k.Name+"}", url.PathEscape(id), 1)
	}
	return path
}

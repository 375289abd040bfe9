package dispatchside

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
)

// causes returns what made many checks fail: operations that were always refused, and a server or
// an operation that stopped answering.
func (r *run) causes(history []*conformance.Exchange, results []conformance.Result) []conformance.Cause {
	var all []conformance.Cause
	if c := r.Silent.Cause(); c != nil {
		all = append(all, *c)
	}
	byID := map[int]*conformance.Exchange{}
	for _, x := range history {
		byID[x.ID] = x
	}
	for _, op := range r.suite.Operations {
		if x := r.Silent.FirstUnanswered(op); x != nil {
			all = append(all, conformance.Cause{
				Message: client.UnansweredText(x), Operation: op, Call: x.ID, Failed: restingOn(results, byID, op, 0),
				Cure: "see in the server's log what that call waits for",
			})
			continue
		}
		first, code := alwaysRefused(history, op)
		if first == nil {
			continue
		}
		c := conformance.Cause{
			Message: conformance.Worded(op.Path() + " was answered " + statusText(code) + " every time"), Operation: op, Call: first.ID,
		}
		c.Cure, c.Aid = r.cureFor(op, code)
		c.Failed = restingOn(results, byID, op, code)
		all = append(all, c)
	}
	return all
}

// statusText returns a status code with its name, if it has one.
func statusText(code int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", code, http.StatusText(code)))
}

// restingOn returns the names of the failures whose only evidence is one status code of an operation.
func restingOn(results []conformance.Result, calls map[int]*conformance.Exchange, op conformance.Operation, code int) []string {
	var names []string
	for _, res := range results {
		if restsOn(res, calls, op, code) {
			names = append(names, res.ID+"@"+string(res.Operation))
		}
	}
	return names
}

// alwaysRefused returns the first valid call of op and its status if all of them got the same
// status outside 2xx; otherwise nil and 0.
func alwaysRefused(history []*conformance.Exchange, op conformance.Operation) (first *conformance.Exchange, code int) {
	for _, x := range history {
		switch {
		case x.Operation != op || x.Request.Method != http.MethodPost:
		case x.Succeeded():
			return nil, 0
		case !x.Sound || x.Response == nil:
		case first == nil:
			first, code = x, x.Code()
		case x.Code() != code:
			return nil, 0
		}
	}
	return first, code
}

// neverServed returns an operation that was always refused, or "" if there is
// none.
func (r *run) neverServed() conformance.Operation {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	for _, op := range r.suite.Operations {
		if x, _ := alwaysRefused(r.History, op); x != nil {
			return op
		}
	}
	return ""
}

// cureFor returns advice for an operation that is always refused with a code, and the aid that may
// help; "" for no aid.
func (r *run) cureFor(op conformance.Operation, code int) (cure string, aid conformance.Aid) {
	given := r.target.Auth != nil
	switch {
	case (code == http.StatusUnauthorized || code == http.StatusForbidden) && given:
		return "make " + op.Path() + " accept the given credentials, as other operations do", ""
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return "give credentials: " + op.Path() + " requires them", conformance.AidAuth
	case code == http.StatusNotFound && (op == rules.OpBook || op == rules.OpUser) && len(r.target.Phones) == 0:
		return "name two numbers that it knows, if it serves only its customers; otherwise check that " + op.Path() + " exists below the given address", conformance.AidNumbers
	case code == http.StatusNotFound && (op == rules.OpStatus || op == rules.OpCancel):
		return "check that " + op.Path() + " exists below the given address and finds a journey by the journeyId of the /book reply", ""
	case code == http.StatusNotFound:
		return "check that " + op.Path() + " exists below the given address", ""
	case code == http.StatusTooManyRequests:
		return "allow the run more calls", ""
	case op == rules.OpBook && code < http.StatusInternalServerError && r.target.Centre == leeds && len(r.target.Places) == 0:
		return "name the centre of the area that it serves, or places (--centre, --places): the addresses of this run are in Leeds. Otherwise see the call in the server's log", ""
	}
	return "see the call in the server's log", ""
}

// restsOn reports whether all evidence of a failure is calls of one operation with one status code.
func restsOn(res conformance.Result, calls map[int]*conformance.Exchange, op conformance.Operation, code int) bool {
	if res.Outcome != conformance.Fail {
		return false
	}
	return !slices.ContainsFunc(res.Findings, func(f conformance.Finding) bool {
		if f.Outcome != conformance.Fail || len(f.Exchanges) == 0 {
			return false
		}
		x := calls[f.Exchanges[len(f.Exchanges)-1]]
		return x == nil || x.Operation != op || x.Code() != code
	})
}

// unshown returns the core MUSTs that the server's behaviour kept from being verified. A missing
// aid, or an optional member that the server omits, does not count.
func (r *run) unshown(results []conformance.Result) []conformance.Gap {
	var gaps []conformance.Gap
	mask := r.Redactor()
	for _, res := range results {
		c, _ := r.suite.Lookup(res.ID)
		if res.Outcome != conformance.NotVerified || !r.suite.Core(c) {
			continue
		}
		if len(r.target.Only) > 0 && !slices.Contains(r.target.Only, res.ID) {
			continue
		}
		gap := conformance.Gap{ID: res.ID, Operation: res.Operation, Why: res.Findings[0].Message}
		if why := res.Findings[0].Reason; why != nil {
			gap.Reason = why.Kind
		}
		why := r.blockedBy(res.ID)
		if why != nil && (!why.ServerOwn() || why.Kind == conformance.Limited) || why == nil && r.suite.MayOmit[res.ID] {
			continue
		}
		if why != nil {
			gap.Why, gap.Reason = mask.Text(why.Brief()), why.Kind
		}
		gaps = append(gaps, gap)
	}
	return gaps
}

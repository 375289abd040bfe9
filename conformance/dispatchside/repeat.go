package dispatchside

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/conformance/redact"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Repeat repeats the calls of an earlier run: those of the probe that shows a verdict
// ("BOK-16", "W-07@user"), or those of a probe up to a call ("12"). journeyIds and
// userIds are replaced by those that the server returns now, telephone numbers by the
// target's, and dates are moved by the days that have passed, by the Date of the server if
// that is later: its clock may have been moved. The report holds only
// checks that these calls can show. All journeys made are cancelled: if an aid fails,
// Repeat returns both the error and a report with the journeys that are left.
func Repeat(ctx context.Context, target Target, earlier *conformance.RunFile, what string) (*conformance.Report, error) {
	target, err := target.withDefaults()
	if err != nil {
		return nil, err
	}
	calls, err := earlier.CallsToRepeat(what)
	if err != nil {
		return nil, err
	}
	if err := uncut(calls); err != nil {
		return nil, err
	}
	if aid := target.missingFor(calls); aid != "" {
		return nil, &MissingAidError{What: what, Aid: aid}
	}
	r := newRun(target)
	started := target.Now()
	if err := r.preflight(ctx); err != nil {
		return nil, err
	}
	before := len(r.History)
	now := started
	for _, x := range r.History {
		if x.Response == nil {
			continue
		}
		if at, err := http.ParseTime(x.Response.Header.Get("Date")); err == nil && at.After(now) {
			now = at
		}
	}
	days := int(now.Sub(earlier.Started).Hours() / 24)
	b := &binder{run: r, words: map[string]string{}, callers: map[string]*testUser{}, days: days, probe: &probeRun{probe: probe{name: calls[0].Probe}}}
	b.bindNumbers(ctx, calls)
	err = b.repeatAll(ctx, earlier.Target, calls)
	story := r.History[before:len(r.History):len(r.History)]
	left := r.cleanUp(ctx)
	rep := r.report(r.maskedResults(story, earlier), left, started)
	if ctx.Err() != nil {
		rep.Interrupt()
	}
	return rep, err
}

// RepeatOrder sorts the names of verdicts for repetition on one server. Those whose calls move
// its clock are last: it stays ahead, so the pickups of others would be in its past.
func RepeatOrder(earlier *conformance.RunFile, names []string) []string {
	return slices.SortedStableFunc(slices.Values(names), func(a, b string) int {
		return cmp.Compare(clockRank(earlier, a), clockRank(earlier, b))
	})
}

// clockRank ranks how far the calls of a verdict move the server's clock: not at all, by the
// length of a journey, or to another day.
func clockRank(earlier *conformance.RunFile, what string) (rank int) {
	calls, err := earlier.CallsToRepeat(what)
	if err != nil {
		return 0 // no calls
	}
	for _, x := range calls {
		switch x.Intent {
		case rules.IntentMoved:
			rank = max(rank, 1)
		case rules.IntentNextDay:
			rank = max(rank, 2)
		}
	}
	return rank
}

// uncut returns an error if the run file lacks a part of the body of any call.
func uncut(calls []*conformance.Exchange) error {
	for _, x := range calls {
		if x.Request.Cut > 0 {
			return fmt.Errorf("call %d cannot be repeated: the run file lacks %d bytes of its body", x.ID, x.Request.Cut)
		}
	}
	return nil
}

// MissingAidError says that calls cannot be repeated without an aid that the earlier run had.
type MissingAidError struct {
	What string // what was to be repeated
	Aid  conformance.Aid
}

// Error implements [error].
func (e *MissingAidError) Error() string {
	return fmt.Sprintf("%s was shown with the aid %q, and its calls show nothing without it", e.What, e.Aid)
}

// missingFor returns the aid that calls of an earlier run needed and this run lacks; "":
// none.
func (t *Target) missingFor(calls []*conformance.Exchange) conformance.Aid {
	has := func(i conformance.Intent) bool {
		return slices.ContainsFunc(calls, func(x *conformance.Exchange) bool { return x.Intent == i })
	}
	switch {
	case has(rules.IntentMoved) && t.Advance == nil:
		return conformance.AidAdvance
	case has(rules.IntentNextDay) && t.SetClock == nil || has(rules.IntentLater) && t.MoveClock == nil:
		return conformance.AidClock
	case has(rules.IntentRestarted) && t.Restart == nil:
		return conformance.AidRestart
	case has(rules.IntentDisabled) && t.Disabled == "" || has(rules.IntentBlacklisted) && t.Blacklisted == "":
		return conformance.AidFixtures
	}
	return ""
}

// maskedResults judges the repeated calls, omits the checks for which they are too little evidence,
// and masks secrets in the results.
func (r *run) maskedResults(story []*conformance.Exchange, earlier *conformance.RunFile) []conformance.Result {
	results := r.suite.Conclude(r.suite.Judge(story, nil), conformance.Unseen)
	results = slices.DeleteFunc(results, func(res conformance.Result) bool {
		return res.Outcome == conformance.NotVerified && res.Evidence == 0 || neededMore(res, story, earlier)
	})
	return r.Redactor().Results(results)
}

// neededMore reports whether an operation, cleanly refused in these few calls, was served
// in other calls of the earlier run.
func neededMore(res conformance.Result, story []*conformance.Exchange, earlier *conformance.RunFile) bool {
	if res.ID != "W-01" || conformance.WorstOf(earlier.Checks, res.ID, res.Operation).Outcome != conformance.Pass {
		return false
	}
	return !slices.ContainsFunc(story, func(x *conformance.Exchange) bool {
		return x.Operation == res.Operation && (!x.RefusedCleanly() || !x.Reply().IsObject())
	})
}

// binder replaces ids and numbers of the earlier run with those of this one.
type binder struct {
	run     *run
	probe   *probeRun
	words   map[string]string    // earlier → new: numbers, and ids as a body has them, with their member
	callers map[string]*testUser // by new phone number and new userId
	days    int
	helped  bool // the clock was moved, or the server restarted
}

// bindNumbers maps each number in the earlier calls to one of the target's. If the target
// has fewer, some are used more than once.
func (b *binder) bindNumbers(ctx context.Context, calls []*conformance.Exchange) {
	written := redact.MembersOf(&Suite).Numbers(calls)
	b.probe.phones = b.run.phones.take(len(written) + 1)
	live := map[string]string{} // by the last nine digits
	b.bindBarred(calls)
	for _, n := range written {
		d := jsonvalue.Digits(n)
		if b.words[n] != "" {
			continue
		}
		core := strings.TrimLeft(d, "0")
		if len(core) < 9 {
			continue // numbers of unusual length are test input
		}
		core = core[len(core)-9:]
		if live[core] == "" {
			c := b.run.userOf(ctx, b.probe, len(live)%len(b.probe.phones))
			live[core] = c.phone
			b.callers[c.phone] = c
		}
		b.words[n], b.words[d] = likewise(n, live[core]), likewise(d, live[core])
	}
}

// bindBarred maps the numbers of barred users to those of the target.
func (b *binder) bindBarred(calls []*conformance.Exchange) {
	now := map[conformance.Intent]taxi.E164{rules.IntentDisabled: b.run.target.Disabled, rules.IntentBlacklisted: b.run.target.Blacklisted}
	for _, x := range calls {
		if phone := now[x.Intent]; phone != "" {
			b.words[x.Sent().At("phoneNumber").Text()] = string(phone)
		}
	}
}

// likewise returns number in the form of written: with as many digits, as many leading zeros, and
// the same separators.
func likewise(written, number string) string {
	was := jsonvalue.Digits(written)
	zeros := len(was) - len(strings.TrimLeft(was, "0"))
	tail := number[max(0, len(number)-(len(was)-zeros)):]
	now := was[:zeros] + tail
	if len(now) != len(was) {
		return now
	}
	i := -1
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return r
		}
		i++
		return rune(now[i])
	}, written)
}

// repeatAll repeats calls until an aid fails or the run is stopped.
func (b *binder) repeatAll(ctx context.Context, base string, calls []*conformance.Exchange) error {
	for _, x := range calls {
		if ctx.Err() != nil {
			return nil // the report says that it was stopped
		}
		if err := b.repeat(ctx, base, x); err != nil {
			return err
		}
	}
	return nil
}

// repeat repeats one call and records the new ids in the reply.
func (b *binder) repeat(ctx context.Context, base string, x *conformance.Exchange) error {
	if err := b.help(ctx, x); err != nil {
		return err
	}
	body := b.rewrite(string(x.Request.Body))
	path := strings.TrimPrefix(x.Request.URL, strings.TrimRight(base, "/"))
	if path == x.Request.URL {
		path = x.Operation.Path()
	}
	path, _, _ = strings.Cut(path, "?") // the query holds a credential
	l := client.Call{
		Op: x.Operation, Path: path, Method: x.Request.Method, Header: withoutSecrets(x.Request.Header), Body: []byte(body),
		Intent: x.Intent, Sound: x.Sound, Creds: x.Shown, MayHang: rules.IsBad(x.Intent),
	}
	fresh := b.callerFor(ctx, jsonvalue.Parse(l.Body)).send(l)
	b.learn(x, fresh)
	return nil
}

// help uses the aid that the earlier run used before the call x, and returns an error if the aid fails.
func (b *binder) help(ctx context.Context, x *conformance.Exchange) error {
	target := &b.run.target
	b.run.Epoch.Store(int32(x.Epoch)) //nolint:gosec // a run has few
	switch {
	case x.Intent == rules.IntentMoved:
		b.advance(ctx, x)
	case x.Intent == rules.IntentNextDay && !b.helped:
		b.helped = true
		return clockAid(target.SetClock(ctx, target.dayAfter()))
	case x.Intent == rules.IntentLater:
		return clockAid(target.MoveClock(ctx, time.Minute))
	case x.Intent == rules.IntentRestarted && !b.helped:
		b.helped = true
		if err := target.Restart(ctx); err != nil {
			return fmt.Errorf("the restart aid failed: %w", err)
		}
		b.run.awaits(ctx)
	}
	return nil
}

func clockAid(err error) error {
	if err != nil {
		return fmt.Errorf("the clock aid failed: %w", err)
	}
	return nil
}

// advance advances a journey to the status in which the earlier run read it.
func (b *binder) advance(ctx context.Context, x *conformance.Exchange) {
	id, to := b.words[named("journeyId", x.Sent().At("journeyId").Scalar())], taxi.Status(x.Reply().At("status").Text())
	if b.run.target.Advance != nil && id != "" && to.Known() {
		_ = b.run.target.Advance(ctx, taxi.JourneyID(id), to) // the next call shows whether it worked
	}
}

func withoutSecrets(h http.Header) http.Header {
	own := http.Header{}
	for name, values := range h {
		if !redact.HoldsSecret(name) {
			own[name] = values
		}
	}
	return own
}

// callerFor returns the end user whom a body names, or else one with the first number of the probe.
func (b *binder) callerFor(ctx context.Context, body jsonvalue.Value) *testUser {
	for _, key := range []string{"userId", "phoneNumber"} {
		if c := b.callers[body.At(key).Scalar()]; c != nil {
			c.ctx = ctx
			return c
		}
	}
	return b.run.userOf(ctx, b.probe, 0)
}

// moment matches the date of a date-time in a JSON body.
var moment = regexp.MustCompile(`"(\d{4}-\d\d-\d\d)T`)

// rewrite replaces earlier ids, numbers and dates in a body.
func (b *binder) rewrite(body string) string {
	words := slices.Sorted(maps.Keys(b.words))
	slices.SortStableFunc(words, func(x, y string) int { return len(y) - len(x) })
	var pairs []string
	for _, w := range words {
		member, was, isID := strings.Cut(w, ":")
		if !isID {
			pairs = append(pairs, `"`+w+`"`, `"`+b.words[w]+`"`)
			continue
		}
		for _, form := range []string{`"%s":"%s"`, `"%s":["%s"]`} {
			pairs = append(pairs, fmt.Sprintf(form, member, was), fmt.Sprintf(form, member, b.words[w]))
		}
	}
	body = strings.NewReplacer(pairs...).Replace(body)
	return moment.ReplaceAllStringFunc(body, func(found string) string {
		day, err := time.Parse(`"`+time.DateOnly+"T", found)
		if err != nil {
			return found
		}
		return day.AddDate(0, 0, b.days).Format(`"` + time.DateOnly + "T")
	})
}

// named returns the key of an id in binder.words. It has the member, since a userId and a journeyId may be the same text.
func named(member, id string) string { return member + ":" + id }

// learn maps the ids of the earlier reply to those of the new one.
func (b *binder) learn(then, now *conformance.Exchange) {
	for _, key := range b.run.suite.IDs {
		was, is := then.Reply().At(key).Scalar(), now.Reply().At(key).Scalar()
		if was != "" && is != "" {
			b.words[named(key, was)] = is
		}
	}
	if id := now.Reply().At("userId").Scalar(); id != "" && now.Operation == rules.OpUser {
		if c := b.callers[now.Sent().At("phoneNumber").Text()]; c != nil {
			b.callers[id] = c
		}
	}
}

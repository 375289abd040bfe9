package platformapi

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// nobody is a telephone number reserved for fiction, which nobody answers.
const nobody = "+447700900123"

func phone() object { return object{"phoneNumber": object{"number": nobody}} }

func sayName() object { return object{"say": object{"text": []any{Name}}} }

// minimal returns a call request with only the members that the interface requires.
func minimal() object { return object{"target": phone(), "verbs": []any{sayName()}} }

// place sends a call request to both endpoints that accept one.
func (r *run) place(ctx context.Context, intent conformance.Intent, sound bool, body []byte) {
	l := client.Call{Op: rules.OpAccountCall, Path: r.path(rules.OpAccountCall, r.account, ""), Body: body, Intent: intent, Sound: sound}
	r.as(ctx, rules.ProbeCalls, l)
	r.placeBasic(ctx, intent, sound, body, nil, r.target.Credentials.Accounts[0].ID, r.target.Credentials.Accounts[0].ClientID)
}

// placeBasic sends a call request to the Voice API, with basic authentication; if id is "", without
// credentials.
func (r *run) placeBasic(ctx context.Context, intent conformance.Intent, sound bool, body []byte, header http.Header, id, clientID string) {
	l := client.Call{Op: rules.OpVoiceCall, Base: r.target.VoiceURL, Body: body, Intent: intent, Sound: sound, Header: header}
	authorization := ""
	if id != "" {
		authorization = basic(id, clientID)
		r.Hide(authorization[len("Basic "):])
	}
	r.Send(ctx, rules.ProbeCalls, with(authorization, l))
}

// tryCalls sends the call requests that a correct platform accepts.
func (r *run) tryCalls(ctx context.Context) {
	r.place(ctx, conformance.IntentPlain, true, encode(minimal()))
	target := phone()
	target["timeout"] = 15
	r.place(ctx, rules.IntentFull, true, encode(object{
		"callerId": r.callerID(), "tag": object{"data": object{"run": r.mark()}}, "target": target,
		"verbs": []any{object{"say": object{"text": []any{Name, "Goodbye."}, "voice": "en-GB-Standard-B", "loop": "1"}}},
	}))
	blank := minimal()
	blank["callerId"] = ""
	r.place(ctx, rules.IntentBlank, true, encode(blank))
	r.place(ctx, rules.IntentDial, true, encode(object{"target": phone(), "verbs": []any{
		object{"dial": object{"callerId": r.callerID(), "timeLimit": 60, "timeout": 10, "targets": []any{phone()}}}, object{"hangup": object{"reason": Name}},
	}}))
	if r.names[rules.Device.Name] != "" {
		inside := minimal()
		inside["target"] = object{"extension": object{"extension": r.deviceExtension(ctx)}}
		r.place(ctx, rules.IntentExtension, true, encode(inside))
		inside["target"] = object{"extension": object{"extension": r.deviceExtension(ctx), "overrideTo": nobody}}
		r.place(ctx, rules.IntentOverride, true, encode(inside))
	}
	key := http.Header{"Idempotency-Key": {fmt.Sprintf("conformance-%x", r.target.Nonce)}}
	for range 2 {
		r.placeBasic(ctx, rules.IntentKeyed, false, encode(minimal()), key, r.target.Credentials.Accounts[0].ID, r.target.Credentials.Accounts[0].ClientID)
	}
}

// tryOpenForms sends call requests with targets and verbs whose fields the interface does not show, in the
// form that most platforms accept. The answers are recorded and never fail a check.
func (r *run) tryOpenForms(ctx context.Context) {
	const tone, next = "https://conformance-test.invalid/tone.wav", "https://conformance-test.invalid/next"
	targets := map[conformance.Intent]object{rules.IntentToSIP: {"sipUri": object{"uri": "sip:conformance@conformance-test.invalid"}}}
	if id := r.names[rules.Device.Name]; id != "" {
		targets[rules.IntentToDevice] = object{"device": object{"id": id}}
	}
	bodies := map[conformance.Intent]object{}
	for intent, target := range targets {
		bodies[intent] = object{"target": target, "verbs": []any{sayName()}}
	}
	for intent, verb := range map[conformance.Intent]object{
		rules.IntentPlay:     {"play": object{"url": tone}},
		rules.IntentGather:   {"gather": object{"input": []any{"digits"}, "numDigits": 1, "timeout": 5}},
		rules.IntentReject:   {"reject": object{"reason": "busy"}},
		rules.IntentRedirect: {"redirect": object{"url": next}},
	} {
		bodies[intent] = object{"target": phone(), "verbs": []any{verb}}
	}
	account := r.target.Credentials.Accounts[0]
	for _, intent := range slices.Sorted(maps.Keys(bodies)) {
		r.placeBasic(ctx, intent, false, encode(bodies[intent]), nil, account.ID, account.ClientID)
	}
}

// deviceExtension returns the extension of the run's device.
func (r *run) deviceExtension(ctx context.Context) string {
	x := r.ask(ctx, rules.ProbeCalls, rules.Device.Read, r.account, r.names[rules.Device.Name], nil)
	return x.Reply().At("extension").Text()
}

// callerID returns the account's main billing number, as read earlier in the run; "": it was not read.
func (r *run) callerID() string {
	for _, x := range r.History {
		if x.Operation == rules.OpAccount && x.Succeeded() && x.Request.URL == r.target.URL+r.path(rules.OpAccount, r.account, "") {
			return "+" + strings.TrimPrefix(x.Reply().At("mbn").Text(), "+")
		}
	}
	return ""
}

// tryBadCalls sends call requests that must be refused.
func (r *run) tryBadCalls(ctx context.Context) {
	accounts := r.target.Credentials.Accounts
	body := encode(minimal())
	r.placeBasic(ctx, rules.IntentNoBasic, false, body, nil, "", "")
	r.placeBasic(ctx, rules.IntentWrongBasic, false, body, nil, accounts[0].ID, "not-the-client-id")
	if len(accounts) > 1 {
		r.placeBasic(ctx, rules.IntentMixedBasic, false, body, nil, accounts[0].ID, accounts[1].ClientID)
	}
	both := sayName()
	both["hangup"] = object{}
	for _, try := range []struct {
		intent conformance.Intent
		body   []byte
	}{
		{rules.IntentNoTarget, encode(object{"verbs": []any{sayName()}})},
		{rules.IntentNoVerbs, encode(object{"target": phone()})},
		{rules.IntentTwoKeys, encode(object{"target": phone(), "verbs": []any{both}})},
		{rules.IntentStrangeVerb, encode(object{"target": phone(), "verbs": []any{object{"yodel": object{}}}})},
		{rules.IntentBadCall, []byte(`{"target":`)},
	} {
		r.place(ctx, try.intent, false, try.body)
	}
}

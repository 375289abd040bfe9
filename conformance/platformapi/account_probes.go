package platformapi

import (
	"context"
	"encoding/base64"
	"net/url"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// noSuchID is an id that no object has.
const noSuchID = "00000000-0000-4000-8000-00c0fa6c0000"

// logIn logs in every user, refreshes their tokens, and makes logins that must fail.
func (r *run) logIn(ctx context.Context) {
	users := r.target.Credentials.Users
	for i, u := range users {
		l := form(url.Values{"username": {u.Username}, "password": {u.Password}})
		l.Sound = true
		x := r.Send(ctx, rules.ProbeLogin, l)
		r.recordTokens(u, x)
		if i == 0 {
			r.life = lifeOf(x)
		}
	}
	first := r.sessions[users[0].Username]
	if first.access == "" {
		r.block("the first user of the credentials file got no access token")
		return
	}
	for i, u := range users {
		s := r.sessions[u.Username]
		if s.refresh == "" {
			continue
		}
		renew := form(url.Values{"token": {s.refresh}})
		renew.Sound, renew.Intent = true, rules.IntentRefresh
		x := r.Send(ctx, rules.ProbeLogin, renew)
		r.learn(x)
		if i == 0 {
			r.me(ctx, rules.IntentRenewed, x.Reply().At("access_token").Text())
		}
		if x.Succeeded() && x.Reply().At("refresh_token").HasText() {
			s.refresh = x.Reply().At("refresh_token").Text() // the first token may be usable only once
			r.sessions[u.Username] = s
		}
	}
	wrong := form(url.Values{"username": {users[0].Username}, "password": {"not the password"}})
	wrong.Intent = rules.IntentWrongPassword
	r.learn(r.Send(ctx, rules.ProbeLogin, wrong))
	wrong = form(url.Values{"token": {"not-a-refresh-token"}})
	wrong.Intent = rules.IntentWrongRefresh
	r.learn(r.Send(ctx, rules.ProbeLogin, wrong))
	wrong = form(url.Values{"token": {first.access}})
	wrong.Intent = rules.IntentAccessRefresh
	r.learn(r.Send(ctx, rules.ProbeLogin, wrong))
}

// learn adds the tokens in a reply to the secrets that the run hides.
func (r *run) learn(x *conformance.Exchange) {
	for _, name := range []string{"access_token", "refresh_token"} {
		if token := x.Reply().At(name).Text(); token != "" {
			r.Hide(token, url.QueryEscape(token))
		}
	}
}

// me makes the call that reads the organisation, with a given token.
func (r *run) me(ctx context.Context, intent conformance.Intent, token string) {
	l := client.Call{Op: rules.OpMe, Intent: intent, Sound: intent == rules.IntentRenewed}
	r.Send(ctx, rules.ProbeLogin, with(bearer(token), l))
}

// readAccounts reads the organisation, the accounts and their numbers.
func (r *run) readAccounts(ctx context.Context) {
	r.ask(ctx, rules.ProbeAccount, rules.OpMe, "", "", nil)
	r.ask(ctx, rules.ProbeAccount, rules.OpAccounts, "", "", nil)
	for _, a := range r.target.Credentials.Accounts {
		for _, op := range []conformance.Operation{rules.OpAccount, rules.OpDDIs} {
			r.ask(ctx, rules.ProbeAccount, op, a.ID, "", nil)
		}
	}
	r.as(ctx, rules.ProbeAccount, client.Call{Op: rules.OpAccount, Path: r.path(rules.OpAccount, noSuchID, ""), Intent: rules.IntentUnknown})
}

// tryTokens makes calls with tokens that the platform must refuse: forged ones, unsigned ones and refresh
// tokens.
func (r *run) tryTokens(ctx context.Context) {
	first := r.target.Credentials.Users[0]
	token := r.token(ctx, first)
	if parts := strings.Split(token, "."); len(parts) == 3 {
		for _, f := range forgeries {
			if other := f.change(parts[1]); other != "" {
				r.me(ctx, f.intent, parts[0]+"."+other+"."+parts[2])
			}
		}
		r.me(ctx, rules.IntentForgedKey, withAnotherKey(parts))
		unsigned := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`))
		r.me(ctx, rules.IntentNoAlgorithm, unsigned+"."+parts[1]+".")
	}
	if refresh := r.sessions[first.Username].refresh; refresh != "" {
		r.me(ctx, rules.IntentRefreshBearer, refresh)
	}
}

// readOthers reads everything that belongs to the second account, before the run changes the first.
func (r *run) readOthers(ctx context.Context) {
	r.readOther(ctx, rules.OpAddress, rules.OpDDIs, rules.Trunk.List, rules.Hook.List, rules.Device.List)
}

// readOther makes calls that read what belongs to the second account, to show that changes in the first
// account do not change it.
func (r *run) readOther(ctx context.Context, ops ...conformance.Operation) {
	if len(r.target.Credentials.Accounts) < 2 {
		return
	}
	for _, op := range ops {
		r.as(ctx, rules.ProbeAccount, client.Call{Op: op, Path: r.path(op, r.target.Credentials.Accounts[1].ID, ""), Intent: rules.IntentOther})
	}
}

// changeAddress changes the account's address, reads it, and restores the address from before.
func (r *run) changeAddress(ctx context.Context) {
	before := r.ask(ctx, rules.ProbeAccount, rules.OpAddress, r.account, "", nil)
	if !before.Succeeded() {
		return
	}
	r.ask(ctx, rules.ProbeAccount, rules.OpPutAddress, r.account, "", object{
		"line1": r.mark(), "line2": "Flat 2", "level1": "Testford", "level2": "Testshire", "postalCode": "ZT1 2AB", "country": "GB",
	})
	r.ask(ctx, rules.ProbeAccount, rules.OpAddress, r.account, "", nil)
	r.readOther(ctx, rules.OpAddress)
	r.as(ctx, rules.ProbeAccount, client.Call{
		Op: rules.OpPutAddress, Path: r.path(rules.OpPutAddress, r.account, ""), Body: []byte(`{"line1":`), Intent: rules.IntentBad,
	})
	whole := object{}
	for _, name := range []string{"line1", "line2", "level1", "level2", "postalCode", "country"} {
		whole[name] = before.Reply().At(name).Text()
	}
	again := context.WithoutCancel(ctx) // restore the address even if the run is stopped
	r.as(again, rules.ProbeAccount, client.Call{
		Op: rules.OpPutAddress, Path: r.path(rules.OpPutAddress, r.account, ""), Body: encode(whole), Intent: rules.IntentRestore,
	})
	r.readOther(ctx, rules.OpAddress)
}

// tryDoors makes each call that needs a token without one and with a made-up one.
func (r *run) tryDoors(ctx context.Context) {
	for _, op := range rules.Guarded() {
		id := noSuchID
		for _, k := range rules.Kinds() {
			if (op == k.Read || op == k.Update) && r.names[k.Name] != "" {
				id = r.names[k.Name]
			}
		}
		l := client.Call{Op: op, Path: r.path(op, r.account, id)}
		if method, _ := op.Route(); method != "GET" {
			l.Body = []byte("{}") // harmless even if it is served
			if op == rules.OpAccountCall {
				l.Body = encode(minimal())
			}
		}
		l.Intent = rules.IntentNoToken
		r.Send(ctx, rules.ProbeDoors, l)
		l.Intent = rules.IntentGarbage
		r.Send(ctx, rules.ProbeDoors, with(bearer("e30.e30.bm90LWEtdG9rZW4"), l))
	}
}

// tryRoles reads everything as each user, to record what each role may read.
func (r *run) tryRoles(ctx context.Context) {
	for _, u := range r.target.Credentials.Users {
		for _, op := range rules.Guarded() {
			if method, _ := op.Route(); method != "GET" || r.token(ctx, u) == "" {
				continue
			}
			id := noSuchID
			for _, k := range rules.Kinds() {
				if op == k.Read && r.names[k.Name] != "" {
					id = r.names[k.Name]
				}
			}
			l := client.Call{Op: op, Path: r.path(op, r.account, id), Intent: rules.IntentRole}
			r.Send(ctx, rules.ProbeRoles.With(role(u)), with(bearer(r.token(ctx, u)), l))
		}
	}
}

// tryExpiredToken makes a call with an access token that has expired. If the token is valid for too long to wait,
// it does nothing.
func (r *run) tryExpiredToken(ctx context.Context) {
	if r.target.Wait == nil || r.life <= 0 || r.life > MostWait {
		return
	}
	token := r.sessions[r.target.Credentials.Users[0].Username]
	if left := token.stale.Add(r.life/2 + time.Second).Sub(r.target.Now()); left > 0 {
		r.target.Wait(ctx, left)
	}
	if ctx.Err() == nil {
		r.me(ctx, rules.IntentExpired, token.access)
	}
}

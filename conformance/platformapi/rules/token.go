package rules

import (
	"encoding/base64"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

const (
	tokenClause = "Endpoints, token object"
	authClause  = "Authentication, REST API"
	lifeClause  = "States and transitions, token lifecycle"
)

var (
	authorizeOnly = []conformance.Operation{OpAuthorize}
	meOnly        = []conformance.Operation{OpMe}
)

// must is a check that the interface states.
func must(id, clause string, ops []conformance.Operation, requirement, why, hint string) conformance.Check {
	return conformance.Check{ID: id, Level: conformance.Must, Operations: ops, Clause: clause, Requirement: requirement, Why: why, Hint: hint}
}

// at returns a check with another level.
func at(level conformance.Level, c conformance.Check) conformance.Check {
	c.Level = level
	return c
}

var tokenRows = []row{
	{must("TOK-01", tokenClause, authorizeOnly, "A login by username and password is answered with access_token, a string.", "Nobody could call anything.", "Answer with access_token."), tokenField("access_token", something)},
	{must("TOK-02", tokenClause, authorizeOnly, "The token object has refresh_token, a string.", "Every renewal would need the password.", "Answer with refresh_token."), tokenField("refresh_token", something)},
	{must("TOK-03", tokenClause, authorizeOnly, "expires_in is an integer.", "A client cannot tell when to renew.", "Send a whole number, without quotation marks."), tokenField("expires_in", lasting)},
	{must("TOK-04", tokenClause, authorizeOnly, "refresh_expires_in is an integer.", "A client cannot tell when to log in again.", "Send a whole number, without quotation marks."), tokenField("refresh_expires_in", lasting)},
	{must("TOK-05", tokenClause, authorizeOnly, "refresh_expires_in is larger than expires_in.", "The refresh token would be of no use.", "Let the refresh token outlive the access token."), judgeOutlives},
	{must("TOK-06", tokenClause, authorizeOnly, "access_token is a JWT.", "Gateways that parse it would refuse it.", "Issue a signed JWT: three parts in base64url."), judgeJWT},
	{must("TOK-07", authClause, authorizeOnly, "The JWT carries the user's allowed roles under realm_access.roles.", "Clients use it to show what each user may do.", "Put an array of names under realm_access.roles."), judgeRoles},
	{must("TOK-08", tokenClause, authorizeOnly, "A refresh request, form field token, is answered with a new token object of the same shape.", "Sessions would end with the first access token.", "Answer a refresh like a login."), judgeRefresh},
	{must("TOK-09", lifeClause, meOnly, "The access token from a refresh is accepted.", "Sessions would end with the first access token.", "Sign refreshed tokens like others."), judgeRenewed},
	{must("TOK-10", authClause, authorizeOnly, "Tokens are obtained with username and password: a wrong password gets none.", "Anybody could log in.", "Compare the password, and answer 401."), refusal(IntentWrongPassword)},
	{must("TOK-11", authClause, authorizeOnly, "The field token holds the refresh token: other values get no tokens.", "Anybody could log in.", "Check the refresh token, and answer 401."), refusal(IntentWrongRefresh, IntentAccessRefresh)},
	{at(conformance.Should, must("TOK-12", authClause, meOnly, "A token whose claims were changed after it was signed is refused.", "A user could give themselves any role.", "Check the signature before reading the claims.")), judgeForged(IntentForged, IntentForgedSubject, IntentForgedExpiry, IntentForgedKey)},
	{at(conformance.Should, must("TOK-13", authClause, meOnly, "An unsigned token (alg none) is refused.", "Anybody could make tokens.", "Accept only the algorithm that you sign with.")), judgeForged(IntentNoAlgorithm)},
	{at(conformance.Should, must("TOK-14", authClause, meOnly, "The refresh token is not accepted as an access token.", "It lives longer, which would defeat the short life of access tokens.", "Distinguish the two kinds, for instance by a claim.")), refusal(IntentRefreshBearer)},
	{needing("an access token that expires during the run: set its life to a second or two (cabrank platform --token-life 2s)",
		must("TOK-15", lifeClause, meOnly, "When expires_in has elapsed, requests with the access token are no longer accepted.", "A stolen token would be valid for ever.", "Compare exp with the clock on every call.")), judgeExpired},
	{must("TOK-17", authClause, authorizeOnly, "A refresh gives a token of the user whose refresh token it is, with the same roles.", "Any user becomes administrator, or nobody after five minutes.", "Store the user with the refresh token, and read the roles anew."), judgeSameUser},
	{at(conformance.Observed, must("TOK-16", tokenClause, authorizeOnly, "The unit of the two expiry fields is not shown.", "Clients have to know when to renew.", "Nothing to change.")), observeUnit},
}

// needing sets what must be seen before there can be a verdict.
func needing(needs string, c conformance.Check) conformance.Check {
	c.Needs = needs
	return c
}

// idle returns a check that a server which does nothing may meet.
func idle(c conformance.Check) conformance.Check {
	c.Idle = true
	return c
}

func tokenField(name string, kind valueType) func(*sheet, conformance.Check) {
	return member(OpAuthorize, name, kind)
}

func judgeOutlives(s *sheet, c conformance.Check) {
	eachServed(authorizeOnly, func(s *sheet, id string, x *conformance.Exchange) {
		access, refresh := x.Reply().At("expires_in"), x.Reply().At("refresh_expires_in")
		s.Want(id, refresh.IsNumber() && refresh.Number() > access.Number(), refresh, "number larger than expires_in", x)
	})(s, c)
}

// claims parses the second part of a JWT; the value is absent for other texts.
func claims(token string) jsonvalue.Value {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || parts[2] == "" || !part(parts[0]).At("alg").HasText() {
		return jsonvalue.Value{}
	}
	return part(parts[1])
}

// part reads one part of a JWT.
func part(encoded string) jsonvalue.Value {
	plain, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		return jsonvalue.Value{}
	}
	return jsonvalue.Parse(plain)
}

func judgeJWT(s *sheet, c conformance.Check) {
	eachServed(authorizeOnly, func(s *sheet, id string, x *conformance.Exchange) {
		if claims(x.Reply().At("access_token").Text()).IsObject() {
			s.Pass(id, x)
			return
		}
		s.Fail(id, "access_token is not a JWT", "three parts in base64url, the first two JSON objects", jsonvalue.Verbatim("a string of another form"), x)
	})(s, c)
}

func judgeRoles(s *sheet, c conformance.Check) {
	eachServed(authorizeOnly, func(s *sheet, id string, x *conformance.Exchange) {
		roles := claims(x.Reply().At("access_token").Text()).At("realm_access").At("roles")
		ok := roles.IsArray()
		for _, r := range roles.Items() {
			ok = ok && r.HasText()
		}
		s.Want(id, ok, roles, "array of strings", x)
	})(s, c)
}

func judgeRefresh(s *sheet, c conformance.Check) {
	for _, x := range s.of(OpAuthorize, IntentRefresh) {
		switch {
		case !x.Succeeded():
			s.Fail(c.ID, fmt.Sprintf("the refresh was answered %d", x.Code()), "HTTP 200 and a token object", conformance.Answer(x), x)
		default:
			for _, name := range []string{"access_token", "refresh_token"} {
				s.wantType(c.ID, x.Reply().At(name), something, x)
			}
			for _, name := range []string{"expires_in", "refresh_expires_in"} {
				s.wantType(c.ID, x.Reply().At(name), integer, x)
			}
		}
	}
}

// judgeSameUser compares the claims of a refreshed token with those of the login that gave the refresh token.
func judgeSameUser(s *sheet, c conformance.Check) {
	for _, x := range s.of(OpAuthorize, IntentRefresh) {
		form, err := url.ParseQuery(string(x.Request.Body))
		if err != nil || !x.Succeeded() {
			continue // TOK-08 judges it
		}
		for _, login := range s.served(OpAuthorize) {
			if login.Reply().At("refresh_token").Text() != form.Get("token") {
				continue
			}
			was, now := claims(login.Reply().At("access_token").Text()), claims(x.Reply().At("access_token").Text())
			if !was.IsObject() || !now.IsObject() {
				s.Unverified(c.ID, conformance.FailedBefore, "access_token is not a JWT, so its user is not known", login, x)
				break
			}
			if s.Want(c.ID, was.At("sub").Scalar() == now.At("sub").Scalar(), jsonvalue.Verbatim("another sub"), "the sub of the user's login", login, x) {
				s.Want(c.ID, rolesOf(was) == rolesOf(now), jsonvalue.Verbatim(rolesOf(now)), "the roles of the user's login: "+rolesOf(was), login, x)
			}
			break
		}
	}
}

// rolesOf lists the roles in claims.
func rolesOf(claims jsonvalue.Value) string {
	var all []string
	for _, role := range claims.At("realm_access").At("roles").Items() {
		all = append(all, role.Text())
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func judgeRenewed(s *sheet, c conformance.Check) {
	for _, x := range s.of(OpMe, IntentRenewed) {
		s.Want(c.ID, x.Succeeded(), conformance.Answer(x), "an answer of the 2xx kind", x)
	}
}

// judgeForged requires changed tokens to be refused. It needs a JWT to change.
func judgeForged(intents ...conformance.Intent) func(*sheet, conformance.Check) {
	return func(s *sheet, c conformance.Check) {
		refusal(intents...)(s, c)
		for _, x := range s.served(OpAuthorize) {
			if len(s.of(OpMe, intents[0])) == 0 && !claims(x.Reply().At("access_token").Text()).IsObject() {
				s.Unverified(c.ID, conformance.FailedBefore, "access_token is not a JWT, so no changed one can be made", x)
			}
		}
	}
}

// judgeExpired requires a token to be refused after expires_in seconds. The unit is this
// suite's assumption, unless the token's own claims confirm it.
func judgeExpired(s *sheet, c conformance.Check) {
	for _, x := range s.of(OpMe, IntentExpired) {
		if x.Succeeded() && !s.saysSeconds() {
			s.Unverified(c.ID, conformance.NotSeen, "the token was accepted after expires_in seconds, and its claims do not confirm the unit", x)
			continue
		}
		s.wantRefused(c.ID, x)
	}
}

// saysSeconds reports whether the exp of a token is expires_in seconds after its iat.
func (s *sheet) saysSeconds() bool {
	for _, x := range s.served(OpAuthorize) {
		said := claims(x.Reply().At("access_token").Text())
		if exp, iat := said.At("exp"), said.At("iat"); exp.IsNumber() && iat.IsNumber() {
			return math.Abs(exp.Number()-iat.Number()-x.Reply().At("expires_in").Number()) <= 1
		}
	}
	return false
}

// observeUnit compares expires_in with the claims.
func observeUnit(s *sheet, c conformance.Check) {
	for _, x := range s.served(OpAuthorize)[:min(1, len(s.served(OpAuthorize)))] {
		said := claims(x.Reply().At("access_token").Text())
		word := "the token has no claims exp and iat to compare it with"
		if said.At("exp").IsNumber() && said.At("iat").IsNumber() {
			word = fmt.Sprintf("the token's exp is %.0f seconds after its iat", said.At("exp").Number()-said.At("iat").Number())
		}
		s.Observe(c.ID, fmt.Sprintf("expires_in is %s, and %s", x.Reply().At("expires_in").Scalar(), word), x)
	}
}

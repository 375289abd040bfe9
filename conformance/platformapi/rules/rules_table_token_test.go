package rules_test

import "github.com/cabrank/cabrank/conformance/platformapi/rules"

const (
	claimed = `{"iat":1795500000,"exp":1795500300,"realm_access":{"roles":["VoiceChannel"]}}`
	aName   = `username=ann&password=secret`
	aToken  = `token=long`
)

var (
	tokens   = `{"access_token":"` + jwt(claimed) + `","refresh_token":"long","expires_in":300,"refresh_expires_in":3600}`
	login    = asked(rules.OpAuthorize, aName, 200, tokens)
	refresh  = asked(rules.OpAuthorize, aToken, 200, tokens).intends(rules.IntentRefresh)
	badLogin = asked(rules.OpAuthorize, aName, 401, `{}`).tries(rules.IntentWrongPassword)
	badToken = asked(rules.OpAuthorize, aToken, 401, `{}`).tries(rules.IntentWrongRefresh)
	me       = asked(rules.OpMe, "", 200, `{"id":"o1","name":"Firm"}`)
	renewed  = me.intends(rules.IntentRenewed)
	forged   = me.tries(rules.IntentForged)
	unsigned = me.tries(rules.IntentNoAlgorithm)
	mixed    = me.tries(rules.IntentRefreshBearer)
	late     = me.tries(rules.IntentExpired)
	opaque   = login.but(jwt(claimed), "0123456789abcdef")
)

// claiming returns a login whose access token has other claims.
func claiming(claims string) step { return login.but(jwt(claimed), jwt(claims)) }

var tokenRows = []row{
	{"TOK-01", "a token", passes, []step{login}, ""},
	{"TOK-01", "none", fails, []step{login.gets(200, `{}`)}, "/access_token"},
	{"TOK-01", "refused", unverified, []step{login.refused(503)}, ""},

	{"TOK-02", "a refresh token", passes, []step{login}, ""},
	{"TOK-02", "a number", fails, []step{login.but(`"long"`, `7`)}, "/refresh_token"},
	{"TOK-02", "refused", unverified, []step{login.refused(401)}, ""},

	{"TOK-03", "an integer", passes, []step{login}, ""},
	{"TOK-03", "a string", fails, []step{login.but(`300,`, `"300",`)}, "/expires_in"},
	{"TOK-03", "nothing left", fails, []step{login.but(`300,`, `0,`)}, "/expires_in"},
	{"TOK-03", "refused", unverified, []step{login.refused(401)}, ""},

	{"TOK-04", "an integer", passes, []step{login}, ""},
	{"TOK-04", "a string", fails, []step{login.but(`3600`, `"3600"`)}, "/refresh_expires_in"},
	{"TOK-04", "refused", unverified, []step{login.refused(401)}, ""},

	{"TOK-17", "the same user and roles", passes, []step{login, refresh}, ""},
	{"TOK-17", "another user", fails, []step{claiming(`{"sub":"ann","realm_access":{"roles":["VoiceChannel"]}}`), refresh.but(jwt(claimed), jwt(`{"sub":"admin","realm_access":{"roles":["VoiceChannel"]}}`))}, ""},
	{"TOK-17", "more roles", fails, []step{login, refresh.but(jwt(claimed), jwt(`{"realm_access":{"roles":["VoiceChannel","OrganisationAdmin"]}}`))}, ""},
	{"TOK-17", "opaque tokens", unverified, []step{opaque, refresh}, ""},
	{"TOK-17", "no refresh", unverified, []step{login}, ""},

	{"TOK-05", "larger", passes, []step{login}, ""},
	{"TOK-05", "equal", fails, []step{login.but(`3600`, `300`)}, "/refresh_expires_in"},
	{"TOK-05", "refused", unverified, []step{login.refused(401)}, ""},

	{"TOK-06", "a JWT", passes, []step{login}, ""},
	{"TOK-06", "an opaque token", fails, []step{opaque}, "base64url"},
	{"TOK-06", "two parts", fails, []step{login.but(jwt(claimed), "e30.e30")}, "base64url"},
	{"TOK-06", "not signed", fails, []step{login.but(jwt(claimed), "eyJhbGciOiJub25lIn0.e30.")}, "base64url"},
	{"TOK-06", "refused", unverified, []step{login.refused(401)}, ""},

	{"TOK-07", "roles", passes, []step{login}, ""},
	{"TOK-07", "no role at all", passes, []step{claiming(`{"realm_access":{"roles":[]}}`)}, ""},
	{"TOK-07", "elsewhere", fails, []step{claiming(`{"roles":["VoiceChannel"]}`)}, "array of strings"},
	{"TOK-07", "numbers", fails, []step{claiming(`{"realm_access":{"roles":[1]}}`)}, "array of strings"},
	{"TOK-07", "refused", unverified, []step{login.refused(401)}, ""},

	{"TOK-08", "new tokens", passes, []step{login, refresh}, ""},
	{"TOK-08", "no new refresh token", fails, []step{login, refresh.but(`"refresh_token":"long",`, ``)}, "/refresh_token"},
	{"TOK-08", "refused", fails, []step{login, refresh.refused(400)}, "a token object"},
	{"TOK-08", "not tried", unverified, []step{login}, ""},

	{"TOK-09", "served", passes, []step{renewed}, ""},
	{"TOK-09", "refused", fails, []step{renewed.refused(401)}, ""},
	{"TOK-09", "not tried", unverified, []step{me}, ""},

	{"TOK-10", "refused", passes, []step{login, badLogin}, ""},
	{"TOK-10", "let in", fails, []step{login, badLogin.gets(200, tokens)}, "4xx"},
	{"TOK-10", "a crash", fails, []step{login, badLogin.gets(500, `{}`)}, "4xx"},
	{"TOK-10", "nobody is let in", unverified, []step{login.refused(401), badLogin}, ""},

	{"TOK-11", "refused", passes, []step{login, badToken}, ""},
	{"TOK-11", "let in", fails, []step{login, badToken.gets(200, tokens)}, "4xx"},
	{"TOK-11", "nobody is let in", unverified, []step{login.refused(401), badToken}, ""},

	{"TOK-12", "refused", passes, []step{login, me, forged.refused(401)}, ""},
	{"TOK-12", "taken", fails, []step{login, me, forged}, "4xx"},
	{"TOK-12", "an opaque token cannot be changed", unverified, []step{opaque, me}, "not a JWT"},
	{"TOK-12", "none is taken", unverified, []step{login, me.refused(401), forged.refused(401)}, ""},

	{"TOK-13", "refused", passes, []step{login, me, unsigned.refused(401)}, ""},
	{"TOK-13", "taken", fails, []step{login, me, unsigned}, "4xx"},
	{"TOK-13", "an opaque token cannot be changed", unverified, []step{opaque, me}, "not a JWT"},

	{"TOK-14", "refused", passes, []step{me, mixed.refused(403)}, ""},
	{"TOK-14", "taken", fails, []step{me, mixed}, "4xx"},
	{"TOK-14", "none is taken", unverified, []step{me.refused(401), mixed.refused(401)}, ""},

	{"TOK-15", "refused", passes, []step{login, me, late.refused(401)}, ""},
	{"TOK-15", "taken, and the claims say seconds", fails, []step{login, me, late}, "4xx"},
	{"TOK-15", "taken, and the claims say minutes", unverified, []step{claiming(`{"iat":1795500000,"exp":1795518000}`), me, late}, ""},
	{"TOK-15", "taken, and nothing says what unit", unverified, []step{claiming(`{"sub":"u"}`), me, late}, ""},
	{"TOK-15", "taken, and opaque", unverified, []step{opaque, me, late}, ""},
	{"TOK-15", "not waited for", unverified, []step{login, me}, ""},

	{"TOK-16", "seconds", observed, []step{login}, "300 seconds after its iat"},
	{"TOK-16", "no claims", observed, []step{opaque}, "no claims"},
}

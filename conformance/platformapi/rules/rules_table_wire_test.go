package rules_test

import "github.com/cabrank/cabrank/conformance/platformapi/rules"

const (
	theDDIs = `[{"id":"d1","name":"441632960101"},{"id":"d2","name":"441632960102"}]`
	onDDIs  = "@GET /api/v1/account/{account}/ddi"
	onLogin = "@POST /api/v1/oauth/authorize"
	onTrunk = "@POST /api/v1/account/{account}/trunk"
	onVoice = "@POST /channels/voice"
)

var (
	ddis     = asked(rules.OpDDIs, "", 200, theDDIs)
	noToken  = ddis.tries(rules.IntentNoToken)
	garbage  = ddis.tries(rules.IntentGarbage)
	newTrunk = asked(rules.Trunk.Create, kindOf(rules.Trunk).body, 201, `{"id":"`+theID+`"}`)
	broken   = asked(rules.Trunk.Create, `{"`, 400, `{}`).tries(rules.IntentBad)
)

var wireRows = []row{
	{"API-01" + onDDIs, "200", passes, []step{ddis}, ""},
	{"API-01" + onDDIs, "another 2xx", fails, []step{ddis.gets(202, theDDIs)}, "HTTP 200"},
	{"API-01" + onDDIs, "refused", fails, []step{ddis.refused(404)}, "HTTP 200"},
	{"API-01" + onDDIs, "a page", fails, []step{ddis.gets(200, `<html>`)}, "and JSON"},
	{"API-01" + onDDIs, "only asked as another role", unverified, []step{ddis.tries(rules.IntentRole)}, ""},
	{"API-01" + onLogin, "tokens", passes, []step{login}, ""},
	{"API-01" + onLogin, "{}", fails, []step{login.gets(200, `{}`)}, "token object"},
	{"API-01" + onLogin, "[]", fails, []step{login.gets(200, `[]`)}, "token object"},
	{"API-01" + onLogin, "a page", fails, []step{login.gets(200, `<html>`).saying("text/html")}, "token object"},
	{"API-01" + onTrunk, "201", passes, []step{newTrunk}, ""},
	{"API-01" + onTrunk, "201 with nothing", passes, []step{newTrunk.gets(201, ``)}, ""},
	{"API-06", "nothing told", passes, []step{ddis}, ""},
	{"API-06", "a Client ID", fails, []step{ddis.telling()}, ""},
	{"API-06", "nothing asked", unverified, nil, ""},
	{"API-01" + onTrunk, "200", fails, []step{newTrunk.gets(200, `{}`)}, "HTTP 201"},
	{"API-01" + onTrunk, "no room", unverified, []step{newTrunk.tries(rules.IntentNoRoom).refused(409)}, ""},
	{"API-01" + onVoice, "any 2xx will do", passes, []step{call(rules.OpVoiceCall).gets(202, ``)}, ""},
	{"API-01" + onVoice, "a crash", fails, []step{call(rules.OpVoiceCall).refused(500)}, "2xx"},

	{"API-02" + onDDIs, "JSON", passes, []step{ddis}, ""},
	{"API-02" + onDDIs, "a charset", passes, []step{ddis.saying("application/json; charset=utf-8")}, ""},
	{"API-02" + onDDIs, "another type", fails, []step{ddis.saying("text/html")}, "application/json"},
	{"API-02" + onDDIs, "no JSON", fails, []step{ddis.gets(200, `ok`)}, "application/json"},
	{"API-02" + onDDIs, "refused", unverified, []step{ddis.refused(403)}, ""},

	{"API-03" + onDDIs, "refused", passes, []step{ddis, noToken.refused(401)}, ""},
	{"API-03" + onDDIs, "served", fails, []step{ddis, noToken}, "4xx"},
	{"API-03" + onDDIs, "nobody is served", unverified, []step{ddis.refused(403), noToken.refused(401)}, ""},
	{"API-03" + onTrunk, "an update stands for a create", passes, []step{
		kindOf(rules.Trunk).update(), newTrunk.tries(rules.IntentNoToken).refused(401),
	}, ""},

	{"API-04" + onDDIs, "refused", passes, []step{ddis, garbage.refused(401)}, ""},
	{"API-04" + onDDIs, "served", fails, []step{ddis, garbage}, "4xx"},
	{"API-04" + onDDIs, "a crash", fails, []step{ddis, garbage.refused(500)}, "4xx"},
	{"API-04" + onDDIs, "nobody is served", unverified, []step{ddis.refused(403), garbage.refused(401)}, ""},

	{"API-05" + onTrunk, "refused", passes, []step{newTrunk, broken}, ""},
	{"API-05" + onTrunk, "a crash", fails, []step{newTrunk, broken.refused(500)}, "4xx"},
	{"API-05" + onTrunk, "taken", fails, []step{newTrunk, broken.gets(201, ``)}, "4xx"},
	{"API-05" + onTrunk, "only JSON was tried", unverified, []step{newTrunk, broken.sending(`{"`, `[]`)}, ""},

	{"ERR-01", "a refusal", observed, []step{ddis.refused(403)}, "403 application/json"},
	{"ROL-01", "a user of another role", observed, []step{ddis.tries(rules.IntentRole).in(rules.ProbeRoles.With("VoiceChannel"))}, "VoiceChannel: "},
}

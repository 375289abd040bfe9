package rules_test

import "github.com/cabrank/cabrank/conformance/platformapi/rules"

// theID is of what is made, otherID of something else.
const (
	theID   = "22222222-2222-4222-8222-222222222222"
	otherID = "33333333-3333-4333-8333-333333333333"
)

// sample is a kind with a body of it.
type sample struct {
	rules.Kind
	body                string
	typed, wrong, where string // a part of the body, the same with another type, and its pointer
	kept, lost          string // a part of the body, and the same with another value
}

var samples = []sample{
	{
		rules.Trunk, `{"ip":"203.0.113.10","port":5060,"vendor":"generic","callerFormat":"e164p","calledFormat":"e164p","description":"mark","zone":"west","countryCode":"gb"}`,
		`5060`, `"5060"`, "/port", `west`, `east`,
	},
	{
		rules.Hook, `{"app":"flow.generic","url":"mark","authType":"DISABLED","method":"POST","priority":900}`,
		`900`, `"900"`, "/priority", `DISABLED`, `KEY`,
	},
	{
		rules.Device, `{"type":"SIP_GATEWAY","name":"mark","extension":"700","sipGateway":` + gateway + `}`,
		`"700"`, `700`, "/extension", `"ringTime":20`, `"ringTime":30`,
	},
}

const gateway = `{"ringTime":20,"maxCallTime":3600,"record":false,"trunks":["t1"],"present":"pass-through","countryCode":"gb","onComplete":"HANGUP","onFail":"HANGUP","onNoAnswer":"HANGUP","onBusy":"HANGUP"}`

func kindOf(k rules.Kind) sample {
	for _, s := range samples {
		if s.Name == k.Name {
			return s
		}
	}
	panic(k.Name)
}

// item returns the body as it is read.
func (s sample) item() string { return `{"id":"` + theID + `",` + s.body[1:] }

func (s sample) create() step {
	return asked(s.Create, s.body, 201, `{"id":"`+theID+`"}`).in(rules.ProbeOf(s.Kind))
}

func (s sample) list() step {
	return asked(s.List, "", 200, "["+s.item()+"]").in(rules.ProbeOf(s.Kind))
}

func (s sample) read() step {
	return asked(s.Read, "", 200, s.item()).of(theID).in(rules.ProbeOf(s.Kind))
}

func (s sample) update() step {
	return asked(s.Update, s.item(), 204, "").of(theID).in(rules.ProbeOf(s.Kind))
}

// rows returns the rows of the checks that every kind has.
func (s sample) rows() []row {
	create, list, read, update := s.create(), s.list(), s.read(), s.update()
	unknown, foreign := read.of(otherID).tries(rules.IntentUnknown), read.tries(rules.IntentForeign)
	bad, after := create.sending(s.typed, s.wrong).tries(rules.IntentBad).refused(400), read.intends(rules.IntentAfterBad)
	badUpdate := update.tries(rules.IntentBad).refused(400)
	onCreate, onUpdate := "@"+string(s.Create), "@"+string(s.Update)
	rows := []row{
		{"01", "a list", passes, []step{list}, ""},
		{"01", "an empty list", passes, []step{list.gets(200, `[]`)}, ""},
		{"01", "a list in an object", fails, []step{list.gets(200, `{"items":[]}`)}, "array"},
		{"01", "an id that is a number", fails, []step{list.but(`"`+theID+`"`, `1`)}, "/0/id"},
		{"01", "refused", unverified, []step{list.refused(403)}, ""},

		{"02", "a UUID", passes, []step{list}, ""},
		{"02", "capitals", passes, []step{list.but(theID, "ABCDEF00-2222-4222-8222-222222222222")}, ""},
		{"02", "a count", fails, []step{list.but(theID, "1")}, "/0/id"},
		{"02", "none is there", unverified, []step{list.gets(200, `[]`)}, ""},

		{"03", "the types of the interface", passes, []step{read}, ""},
		{"03", "another type", fails, []step{read.but(s.typed, s.wrong)}, s.where},
		{"03", "refused", unverified, []step{read.refused(404)}, ""},

		{"04", "listed", passes, []step{create, list}, ""},
		{"04", "not listed", fails, []step{create, list.gets(200, `[]`)}, "mark"},
		{"04", "listed under another mark", fails, []step{create, list.but("mark", "another")}, "mark"},
		{"04", "not created", unverified, []step{create.refused(409), list}, ""},

		{"05", "as it was sent", passes, []step{create, list, read}, ""},
		{"05", "with more", passes, []step{create, list, read.but(`{`, `{"more":1,`)}, ""},
		{"05", "another type, which is the matter of another check", passes, []step{create, list, read.but(s.typed, s.wrong)}, ""},
		{"05", "another value", fails, []step{create, list, read.but(s.kept, s.lost)}, "what was sent"},
		{"05", "not created", unverified, []step{create.refused(409), read}, ""},

		{"06", "as it was put", passes, []step{update, read}, ""},
		{"06", "another value", fails, []step{update, read.but(s.kept, s.lost)}, "what was sent"},
		{"06", "not put", unverified, []step{update.refused(400), read}, ""},

		{"07", "as it was put", passes, []step{update, list}, ""},
		{"07", "as it was before", fails, []step{update, list.but("mark", "before")}, "what was put"},
		{"07", "not in the list", unverified, []step{update, list.gets(200, `[]`)}, ""},

		{"08", "the id", passes, []step{read}, ""},
		{"08", "another", fails, []step{read.but(theID, otherID)}, "/id"},
		{"08", "none", fails, []step{read.but(`"id":"`+theID+`",`, ``)}, "/id"},
		{"08", "refused", unverified, []step{read.refused(404)}, ""},

		{"09", "refused", passes, []step{read, unknown.refused(404)}, ""},
		{"09", "served", fails, []step{read, unknown}, "4xx"},
		{"09", "a crash", fails, []step{read, unknown.refused(500)}, "4xx"},
		{"09", "none is served", unverified, []step{read.refused(404), unknown.refused(404)}, ""},

		{"10", "refused", passes, []step{read, foreign.refused(404)}, ""},
		{"10", "served", fails, []step{read, foreign}, "4xx"},
		{"10", "one account", unverified, []step{read}, ""},

		{"11", "refused", observed, []step{update.tries(rules.IntentMismatch).refused(400)}, "400"},
		{"11", "not looked at", observed, []step{update.tries(rules.IntentMismatch), read.tries(rules.IntentAfterMismatch)}, "204, and it keeps the id"},
		{"11", "taken", observed, []step{update.tries(rules.IntentMismatch), read.tries(rules.IntentAfterMismatch).refused(404)}, "404 from then on"},

		{"12" + onCreate, "refused", passes, []step{create, bad}, ""},
		{"12" + onCreate, "taken", fails, []step{create, bad.gets(201, ``)}, "4xx"},
		{"12" + onCreate, "a crash", fails, []step{create, bad.refused(500)}, "4xx"},
		{"12" + onCreate, "none is created", unverified, []step{create.refused(403), bad}, ""},
		{"12" + onUpdate, "refused", passes, []step{update, badUpdate}, ""},

		{"13", "nothing is changed", passes, []step{create, badUpdate, after}, ""},
		{"13", "half of it is changed", fails, []step{create, badUpdate, after.but(s.kept, s.lost)}, "what was sent"},
		{"13", "it was taken", unverified, []step{create, badUpdate.gets(204, ``), after}, ""},

		{"14", "refused", observed, []step{update.tries(rules.IntentDelete).refused(405)}, "405"},
		{"15", "an id", observed, []step{create}, "201"},

		{"16", "one of each", passes, []step{list}, ""},
		{"16", "listed twice", fails, []step{list.gets(200, "["+s.item()+","+s.item()+"]")}, "/1/id"},
		{"16", "none is there", unverified, []step{list.gets(200, `[]`)}, ""},
	}
	for i := range rows {
		rows[i].check = s.Family + "-" + rows[i].check
	}
	return rows
}

func kindRows() []row {
	var all []row
	for _, s := range samples {
		all = append(all, s.rows()...)
	}
	return all
}

var (
	device = kindOf(rules.Device).read()
	start  = device.gets(200, `{"id":"`+theID+`","type":"ROUTE_START","name":"in","extension":"","startRoute":{"ddis":["d1"],"connectTo":"HANGUP"}}`)
)

var deviceRows = []row{
	{"DEV-17", "a gateway", passes, []step{device}, ""},
	{"DEV-17", "none", fails, []step{device.but(`"sipGateway"`, `"gateway"`)}, "/sipGateway"},
	{"DEV-17", "a text for an integer", fails, []step{device.but(`"ringTime":20`, `"ringTime":"20"`)}, "/sipGateway/ringTime"},
	{"DEV-17", "trunks in a text", fails, []step{device.but(`["t1"]`, `"t1"`)}, "/sipGateway/trunks"},
	{"DEV-17", "another type of device", unverified, []step{start}, ""},

	{"DEV-18", "a start", passes, []step{start}, ""},
	{"DEV-18", "none", fails, []step{start.but(`"startRoute"`, `"route"`)}, "/startRoute"},
	{"DEV-18", "one number in a text", fails, []step{start.but(`["d1"]`, `"d1"`)}, "/startRoute/ddis"},
	{"DEV-18", "leads nowhere", fails, []step{start.but(`,"connectTo":"HANGUP"`, ``)}, "/startRoute/connectTo"},
	{"DEV-18", "another type of device", unverified, []step{device}, ""},
}

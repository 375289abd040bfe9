package rules_test

import "github.com/cabrank/cabrank/conformance/platformapi/rules"

const (
	whole    = `{"line1":"1 Mill Lane","line2":"","level1":"Testford","level2":"","postalCode":"ZT1 2AB","country":"GB"}`
	accounts = `[{"id":"` + theAccount + `","name":"North"}]`
	account  = `{"id":"` + theAccount + `","name":"North","mbn":"441632960100","domain":"north.example"}`
)

var (
	listed     = asked(rules.OpAccounts, "", 200, accounts)
	shown      = asked(rules.OpAccount, "", 200, account)
	noAccount  = shown.tries(rules.IntentUnknown)
	address    = asked(rules.OpAddress, "", 200, whole)
	elsewhere  = address.tries(rules.IntentOther)
	putAddress = asked(rules.OpPutAddress, whole, 204, "")
)

var accountRows = []row{
	{"ORG-01", "an id", passes, []step{me}, ""},
	{"ORG-01", "a number", fails, []step{me.but(`"o1"`, `1`)}, "/id"},
	{"ORG-01", "refused", unverified, []step{me.refused(403)}, ""},

	{"ORG-02", "a name", passes, []step{me}, ""},
	{"ORG-02", "none", fails, []step{me.but(`,"name":"Firm"`, ``)}, "/name"},
	{"ORG-02", "refused", unverified, []step{me.refused(403)}, ""},

	{"ACC-01", "a list", passes, []step{listed}, ""},
	{"ACC-01", "an object", fails, []step{listed.gets(200, `{"accounts":[]}`)}, "array"},
	{"ACC-01", "an id that is a number", fails, []step{listed.but(`"`+theAccount+`"`, `1`)}, "/0/id"},
	{"ACC-01", "no name", fails, []step{listed.but(`,"name":"North"`, ``)}, "/0/name"},
	{"ACC-01", "refused", unverified, []step{listed.refused(403)}, ""},

	{"ACC-02", "the id", passes, []step{shown}, ""},
	{"ACC-02", "another", fails, []step{shown.but(theAccount, theID)}, "/id"},
	{"ACC-02", "refused", unverified, []step{shown.refused(404)}, ""},

	{"ACC-03", "a name", passes, []step{shown}, ""},
	{"ACC-03", "null", fails, []step{shown.but(`"North"`, `null`)}, "/name"},
	{"ACC-03", "refused", unverified, []step{shown.refused(404)}, ""},

	{"ACC-04", "digits", passes, []step{shown}, ""},
	{"ACC-04", "a plus sign", fails, []step{shown.but(`"44`, `"+44`)}, "/mbn"},
	{"ACC-04", "a number", fails, []step{shown.but(`"441632960100"`, `441632960100`)}, "/mbn"},
	{"ACC-04", "refused", unverified, []step{shown.refused(404)}, ""},

	{"ACC-05", "a domain", passes, []step{shown}, ""},
	{"ACC-05", "none", fails, []step{shown.but(`,"domain":"north.example"`, ``)}, "/domain"},
	{"ACC-05", "refused", unverified, []step{shown.refused(404)}, ""},

	{"ACC-06", "the same name", passes, []step{listed, shown}, ""},
	{"ACC-06", "another", fails, []step{listed, shown.but(`North`, `South`)}, "/name"},
	{"ACC-06", "not listed", unverified, []step{listed.gets(200, `[]`), shown}, "list of accounts"},

	{"ACC-08", "the other address as before", passes, []step{elsewhere, putAddress, elsewhere}, ""},
	{"ACC-08", "the address that was put", fails, []step{elsewhere, putAddress, elsewhere.but("1 Mill Lane", "2 Mill Lane")}, ""},
	{"ACC-08", "a number of both", fails, []step{ddis, ddis.tries(rules.IntentOther).under("http://127.0.0.2:8090")}, ""},
	{"ACC-08", "the other account is refused", unverified, []step{ddis, ddis.tries(rules.IntentOther).refused(403)}, ""},
	{"ACC-07", "refused", passes, []step{shown, noAccount.refused(404)}, ""},
	{"ACC-07", "served", fails, []step{shown, noAccount}, "4xx"},
	{"ACC-07", "none is served", unverified, []step{shown.refused(403), noAccount.refused(403)}, ""},

	{"ADR-01", "six texts", passes, []step{address}, ""},
	{"ADR-01", "one is missing", fails, []step{address.but(`"level2":"",`, ``)}, "/level2"},
	{"ADR-01", "refused", unverified, []step{address.refused(403)}, ""},

	{"ADR-02", "kept", passes, []step{putAddress, address}, ""},
	{"ADR-02", "not kept", fails, []step{putAddress, address.but(`Testford`, `Elsewhere`)}, "/level1"},
	{"ADR-02", "put back afterwards", passes, []step{putAddress, address, putAddress.sending(`Mill`, `Hill`).tries(rules.IntentRestore)}, ""},
	{"ADR-02", "not put", unverified, []step{address, putAddress.refused(409), address}, ""},

	{"DDI-01", "a list", passes, []step{ddis}, ""},
	{"DDI-01", "an empty list", passes, []step{ddis.gets(200, `[]`)}, ""},
	{"DDI-01", "a name that is a number", fails, []step{ddis.but(`"441632960101"`, `441632960101`)}, "/0/name"},
	{"DDI-01", "an object", fails, []step{ddis.gets(200, `{}`)}, "array"},
	{"DDI-01", "refused", unverified, []step{ddis.refused(403)}, ""},

	{"DDI-02", "digits", passes, []step{ddis}, ""},
	{"DDI-02", "a plus sign", passes, []step{ddis.but(`"44`, `"+44`)}, ""},
	{"DDI-02", "words", fails, []step{ddis.but(`441632960101`, `line one`)}, "/0/name"},
	{"DDI-02", "no number", unverified, []step{ddis.gets(200, `[]`)}, ""},

	{"DDI-03", "two", passes, []step{ddis}, ""},
	{"DDI-03", "twice the same", fails, []step{ddis.but(`d2`, `d1`)}, "/1/id"},
	{"DDI-03", "one number", unverified, []step{ddis.gets(200, `[{"id":"d1","name":"441632960101"}]`)}, ""},
}

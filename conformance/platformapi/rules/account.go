package rules

import (
	"reflect"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

const (
	organisationClause = "Resources and their fields, Organisation"
	accountClause      = "Resources and their fields, Account"
	addressClause      = "Resources and their fields, Account address"
	ddiClause          = "Resources and their fields, Inbound number"
)

func one(op conformance.Operation) []conformance.Operation { return []conformance.Operation{op} }

// addressFields are the six fields of an account address.
var addressFields = []string{"line1", "line2", "level1", "level2", "postalCode", "country"}

var accountRows = []row{
	{must("ORG-01", organisationClause, meOnly, "The organisation has id, a string.", "Clients key their settings by it.", "Send the id as text."), member(OpMe, "id", something)},
	{must("ORG-02", organisationClause, meOnly, "The organisation has name, a string.", "People are shown it.", "Send name."), member(OpMe, "name", text)},
	{must("ACC-01", accountClause, one(OpAccounts), "The account list is an array of {id, name}, both strings.", "Nobody could choose an account.", "Send an array of objects with id and name."), judgeNamed(OpAccounts)},
	{must("ACC-02", accountClause, one(OpAccount), "An account is returned with the id of the request, a string.", "Clients would store it under another id.", "Send the id of the path unchanged."), judgeAccountID},
	{must("ACC-03", accountClause, one(OpAccount), "name is a string.", "People are shown it.", "Send name."), member(OpAccount, "name", text)},
	{must("ACC-04", accountClause, one(OpAccount), "mbn, the main billing number, is a string of digits only.", "It is the caller id of calls without one.", "Send digits without plus sign and spaces, as text."), judgeMBN},
	{must("ACC-05", accountClause, one(OpAccount), "domain is a string.", "Devices register by it.", "Send domain."), member(OpAccount, "domain", text)},
	{at(conformance.Should, must("ACC-06", accountClause, one(OpAccount), "The account has the same name as in the list.", "People would choose the wrong account.", "Read both from the same place.")), judgeAccountName},
	{at(conformance.Should, must("ACC-07", accountClause, one(OpAccount), "An unknown account is not served.", "A client would use a mistyped id as an account.", "Answer 404.")), refusal(IntentUnknown)},
	{at(conformance.Should, needing("two accounts in the credentials file", must("ACC-08", "What the service does", []conformance.Operation{SpanREST}, "What is changed in one account does not change another, and no number, trunk, hook or device is in both.", "One customer reads or overwrites what is another's.", "Select by the account of the path in every query."))), judgeApart},
	{must("ADR-01", addressClause, one(OpAddress), "The address has line1, line2, level1, level2, postalCode and country, all strings.", "Invoices and emergency services use it.", "Send all six, empty ones as \"\"."), judgeAddress},
	{must("ADR-02", "Endpoints, PUT address", one(OpAddress), "A read returns what was put.", "An acknowledged change that is lost is the worst failure.", "Answer after storing it, and store all six fields."), judgeAddressKept},
	{must("DDI-01", ddiClause, one(OpDDIs), "The numbers are an array of {id, name}, both strings.", "Nobody could map a number to a flow.", "Send an array of objects with id and name."), judgeNamed(OpDDIs)},
	{at(conformance.Should, needing("an account with a number", must("DDI-02", ddiClause, one(OpDDIs), "name is the number: digits, with or without a plus sign.", "Clients dial it.", "Send only the number."))), judgeDDIName},
	{at(conformance.Should, needing("an account with two numbers", must("DDI-03", ddiClause, one(OpDDIs), "No two numbers share an id.", "A flow would get another number's calls.", "Give each number its own id."))), judgeDDIIDs},
}

func judgeNamed(op conformance.Operation) func(*sheet, conformance.Check) {
	return eachServed(one(op), func(s *sheet, id string, x *conformance.Exchange) {
		if !s.wantType(id, x.Reply(), list, x) {
			return
		}
		for _, item := range x.Reply().Items() {
			s.wantType(id, item.At("id"), something, x)
			s.wantType(id, item.At("name"), text, x)
		}
	})
}

func judgeAccountID(s *sheet, c conformance.Check) {
	eachServed(c.Operations, func(s *sheet, id string, x *conformance.Exchange) {
		v := x.Reply().At("id")
		s.Want(id, v.IsText() && v.Text() == lastPart(x), v, "string, the id of the path", x)
	})(s, c)
}

func judgeMBN(s *sheet, c conformance.Check) {
	eachServed(c.Operations, func(s *sheet, id string, x *conformance.Exchange) {
		v := x.Reply().At("mbn")
		s.Want(id, v.HasText() && strings.Trim(v.Text(), "0123456789") == "", v, "string of digits only", x)
	})(s, c)
}

func judgeAccountName(s *sheet, c conformance.Check) {
	names := map[string]string{}
	for _, x := range s.served(OpAccounts) {
		for _, item := range x.Reply().Items() {
			names[item.At("id").Scalar()] = item.At("name").Text()
		}
	}
	for _, x := range s.served(OpAccount) {
		name, listed := names[lastPart(x)]
		if !listed {
			s.Unverified(c.ID, conformance.NotSeen, "the account in the list of accounts", x)
			continue
		}
		v := x.Reply().At("name")
		s.Want(c.ID, v.Text() == name, v, "the name in the list", x)
	}
}

func judgeAddress(s *sheet, c conformance.Check) {
	eachServed(c.Operations, func(s *sheet, id string, x *conformance.Exchange) {
		for _, name := range addressFields {
			s.wantType(id, x.Reply().At(name), text, x)
		}
	})(s, c)
}

// judgeAddressKept compares each address read with the last one put.
func judgeAddressKept(s *sheet, c conformance.Check) {
	var put *conformance.Exchange
	for _, x := range s.all {
		switch {
		case x.Operation == OpPutAddress && x.Succeeded() && x.Sound:
			put = x
		case x.Operation == OpAddress && x.Succeeded() && x.Intent == conformance.IntentPlain && put != nil:
			for _, name := range addressFields {
				s.wantSame(c.ID, put.Sent().At(name), x.Reply().At(name), put, x)
			}
		}
	}
}

// judgeApart compares the readings of the second account, and its ids with those of the first.
func judgeApart(s *sheet, c conformance.Check) {
	for _, op := range []conformance.Operation{OpAddress, OpDDIs, Trunk.List, Hook.List, Device.List} {
		var first *conformance.Exchange
		for _, x := range s.of(op, IntentOther) {
			switch {
			case !x.Succeeded():
			case first == nil:
				first = x
				s.wantOwnIDs(c.ID, x)
			default:
				s.Want(c.ID, reflect.DeepEqual(first.Reply().Raw(), x.Reply().Raw()), x.Reply(), "as before the change in the other account", first, x)
			}
		}
	}
}

// wantOwnIDs requires a list of the second account to have no id of the first account's lists.
func (s *sheet) wantOwnIDs(id string, x *conformance.Exchange) {
	for _, mine := range s.served(x.Operation) {
		if mine.Request.URL == x.Request.URL {
			continue
		}
		for _, item := range mine.Reply().Items() {
			for _, other := range x.Reply().Items() {
				if other.At("id").HasText() && other.At("id").Scalar() == item.At("id").Scalar() {
					s.Fail(id, "what is in one account is in another", "ids of this account only", other.At("id"), mine, x)
					return
				}
			}
		}
	}
	s.Pass(id, x)
}

// wantSame requires a value to be read as it was sent.
func (s *sheet) wantSame(id string, sent, got jsonvalue.Value, xs ...*conformance.Exchange) {
	s.Want(id, same(sent, got), got, "what was sent, "+sent.Show(), xs...)
}

// same reports whether all values sent are there; more may be. A value that differs only in
// type, 5060 and "5060", counts as the same; other checks judge types.
func same(sent, got jsonvalue.Value) bool {
	if !sent.IsObject() {
		return reflect.DeepEqual(sent.Raw(), got.Raw()) || sent.Scalar() != "" && sent.Scalar() == got.Scalar()
	}
	for name, v := range sent.Members() {
		if !same(v, got.At(name)) {
			return false
		}
	}
	return got.IsObject()
}

func judgeDDIName(s *sheet, c conformance.Check) {
	eachServed(c.Operations, func(s *sheet, id string, x *conformance.Exchange) {
		for _, item := range x.Reply().Items() {
			v := item.At("name")
			number := strings.TrimPrefix(v.Text(), "+")
			s.Want(id, number != "" && strings.Trim(number, "0123456789") == "", v, "string of digits", x)
		}
	})(s, c)
}

func judgeDDIIDs(s *sheet, c conformance.Check) {
	eachServed(c.Operations, func(s *sheet, id string, x *conformance.Exchange) {
		seen := map[string]bool{}
		for _, item := range x.Reply().Items() {
			v := item.At("id")
			if len(x.Reply().Items()) > 1 {
				s.Want(id, !seen[v.Scalar()], v, "its own id", x)
			}
			seen[v.Scalar()] = true
		}
	})(s, c)
}

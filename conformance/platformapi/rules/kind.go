package rules

import (
	"fmt"
	"regexp"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// uuid is the form of ids.
var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)

// rowsOf returns the checks of a kind; a number has the same meaning for each kind.
func rowsOf(k Kind) []row {
	stored := "Endpoints, " + k.Name
	check := func(n, clause string, ops []conformance.Operation, requirement, why, hint string) conformance.Check {
		return must(k.Family+"-"+n, clause, ops, requirement, why, hint)
	}
	should := func(c conformance.Check) conformance.Check { return at(conformance.Should, c) }
	return []row{
		{check("01", stored, one(k.List), "The list is an array of objects, each with id, a string.", "Nobody could find them.", "Send an array, even if it is empty."), k.judgeList},
		{check("02", k.section, one(k.List), "id has the form of a UUID.", "Clients store it as one.", "Give UUIDs."), k.judgeUUID},
		{check("03", k.section, one(k.Read), "Each field has the type that the interface gives it.", "Generated clients cannot parse other types.", "Send text as text and integers without quotation marks."), k.judgeFields},
		{check("04", stored, one(k.List), "A created object is in the list.", "It was acknowledged but is lost.", "Answer after storing it."), k.judgeListed},
		{check("05", stored, one(k.Read), "A created object is read as it was sent.", "An acknowledged setting that is lost misroutes calls.", "Store every field, and show it unchanged."), k.judgeKept("POST")},
		{check("06", stored, one(k.Read), "A read returns what was put.", "An acknowledged change that is lost misroutes calls.", "Replace every field, then answer."), k.judgeKept("PUT")},
		{should(check("07", stored, one(k.List), "The list also shows what was put.", "Consoles show the list.", "Read both from the same place.")), k.judgeListKept},
		{check("08", k.section, one(k.Read), "It is returned with the id of the request, before and after an update.", "Clients would store it under another id.", "Keep the id."), k.judgeID},
		{should(check("09", stored, one(k.Read), "An unknown id is not served.", "A client would use a mistyped id as a setting.", "Answer 404.")), refusal(IntentUnknown)},
		{should(needing("two accounts in the credentials file", check("10", "What the service does", one(k.Read), "They are managed per account: the objects of one account are not served under another.", "One customer could read another's settings.", "Look it up by account and id."))), refusal(IntentForeign)},
		{at(conformance.Robustness, check("12", ours, []conformance.Operation{k.Create, k.Update}, "A body of another shape is refused with a 4xx.", "A setting that cannot work is stored, and callers discover the fault.", "Check types before storing.")), k.judgeBad},
		{at(conformance.Robustness, check("13", ours, one(k.Read), "A refused body changes nothing.", "The object is left half changed.", "Check first, then store.")), k.judgeUnharmed},
		{should(check("16", k.section, one(k.List), "Each has its own id.", "An update would change another object.", "Give each its own id.")), k.judgeUnique},
		{at(conformance.Observed, check("11", "Endpoints", one(k.Update), "Behaviour when the id in a PUT body differs from the id in the path is not shown.", "A client has to know.", "Nothing to change.")), k.observeMismatch},
		{at(conformance.Observed, check("14", "Endpoints", one(k.Update), "Delete operations are not shown.", "What cannot be deleted has to be reused.", "Nothing to change.")), observation(IntentDelete, "DELETE")},
		{at(conformance.Observed, check("15", "Endpoints", one(k.Create), "Response bodies of the 201 create operations are not shown.", "A client has to learn the new id.", "Nothing to change.")), k.observeCreated},
	}
}

func (k Kind) judgeList(s *sheet, c conformance.Check) {
	eachServed(c.Operations, func(s *sheet, id string, x *conformance.Exchange) {
		if !s.wantType(id, x.Reply(), list, x) {
			return
		}
		for _, item := range x.Reply().Items() {
			s.wantType(id, item.At("id"), something, x)
		}
	})(s, c)
}

func (k Kind) judgeUUID(s *sheet, c conformance.Check) {
	eachServed(c.Operations, func(s *sheet, id string, x *conformance.Exchange) {
		for _, item := range x.Reply().Items() {
			v := item.At("id")
			s.Want(id, uuid.MatchString(v.Text()), v, "string in the form of a UUID", x)
		}
	})(s, c)
}

func (k Kind) judgeFields(s *sheet, c conformance.Check) {
	eachServed(c.Operations, func(s *sheet, id string, x *conformance.Exchange) {
		for _, f := range k.fields {
			s.wantType(id, x.Reply().At(f.name), f.kind, x)
		}
	})(s, c)
}

// Marked finds the item with a mark in a list.
func (k Kind) Marked(list jsonvalue.Value, mark string) jsonvalue.Value {
	for _, item := range list.Items() {
		if mark != "" && item.At(k.Mark).Text() == mark {
			return item
		}
	}
	return jsonvalue.Value{}
}

func (k Kind) judgeID(s *sheet, c conformance.Check) {
	eachServed(c.Operations, func(s *sheet, id string, x *conformance.Exchange) {
		v := x.Reply().At("id")
		s.Want(id, v.IsText() && v.Text() == lastPart(x), v, "string, the id of the path", x)
	})(s, c)
}

// judgeBad judges the answers to JSON of another shape.
func (k Kind) judgeBad(s *sheet, c conformance.Check) {
	for _, op := range c.Operations {
		for _, x := range s.of(op, IntentBad) {
			if x.Sent().Present() {
				s.wantRefused(c.ID, x)
			}
		}
	}
}

func (k Kind) judgeUnique(s *sheet, c conformance.Check) {
	eachServed(c.Operations, func(s *sheet, id string, x *conformance.Exchange) {
		seen := map[string]bool{}
		for _, item := range x.Reply().Items() {
			v := item.At("id")
			s.Want(id, !seen[v.Scalar()], v, "its own id", x)
			seen[v.Scalar()] = true
		}
	})(s, c)
}

// observeMismatch records the result of an update with another id in the body.
func (k Kind) observeMismatch(s *sheet, c conformance.Check) {
	for _, x := range s.of(k.Update, IntentMismatch) {
		then := ""
		for _, read := range s.of(k.Read, IntentAfterMismatch) {
			then = ", and it keeps the id of the path"
			if !read.Succeeded() {
				then = fmt.Sprintf(", and the id of the path is answered %d from then on", read.Code())
			}
		}
		s.Observe(c.ID, fmt.Sprintf("an id in the body that differs from the path's: %d%s", x.Code(), then), x)
	}
}

func (k Kind) observeCreated(s *sheet, c conformance.Check) {
	for _, x := range s.served(k.Create) {
		location := "no Location"
		if x.Response.Header.Get("Location") != "" {
			location = "a Location"
		}
		s.Observe(c.ID, fmt.Sprintf("%d with %s; the body is %s", x.Code(), location, conformance.Article(x.Reply().Kind())), x)
	}
}

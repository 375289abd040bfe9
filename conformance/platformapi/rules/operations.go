package rules

import (
	"slices"

	"github.com/cabrank/cabrank/conformance"
)

// The operations that do not belong to a kind.
const (
	OpAuthorize   conformance.Operation = "POST /api/v1/oauth/authorize"
	OpMe          conformance.Operation = "GET /api/v1/userAccounts/me"
	OpAccounts    conformance.Operation = "GET /api/v1/account"
	OpAccount     conformance.Operation = "GET /api/v1/account/{account}"
	OpAddress     conformance.Operation = "GET /api/v1/account/{account}/address"
	OpPutAddress  conformance.Operation = "PUT /api/v1/account/{account}/address"
	OpDDIs        conformance.Operation = "GET /api/v1/account/{account}/ddi"
	OpAccountCall conformance.Operation = "POST /api/v1/account/{account}/channels/voice"
	OpVoiceCall   conformance.Operation = "POST /channels/voice"
)

// Kind is a kind of object in an account: its four operations, and how a run recognises the
// objects that it made.
type Kind struct {
	Name, Family string // such as "trunk" and "TRK"
	Mark         string // the member that holds a run's mark
	List, Read   conformance.Operation
	Create       conformance.Operation
	Update       conformance.Operation
	fields       []field // beside id
	section      string
}

// field is a member and the type that it must have.
type field struct {
	name string
	kind valueType
}

func newKind(name, family, mark, section string, fields ...field) Kind {
	path := "/api/v1/account/{account}/" + name
	one := path + "/{" + name + "}"
	return Kind{
		Name: name, Family: family, Mark: mark, section: section, fields: fields,
		List: conformance.Operation("GET " + path), Read: conformance.Operation("GET " + one),
		Create: conformance.Operation("POST " + path), Update: conformance.Operation("PUT " + one),
	}
}

// Trunk, Hook and Device are the kinds.
var (
	Trunk = newKind("trunk", "TRK", "description", "Resources and their fields, SIP trunk",
		field{"ip", text}, field{"port", integer}, field{"vendor", text}, field{"callerFormat", text},
		field{"calledFormat", text}, field{"description", text}, field{"zone", text}, field{"countryCode", text})
	Hook = newKind("hook", "HOK", "url", "Resources and their fields, Hook",
		field{"app", text}, field{"url", text}, field{"authType", text}, field{"method", text}, field{"priority", integer})
	Device = newKind("device", "DEV", "name", "Resources and their fields, Flow device",
		field{"type", text}, field{"name", text}, field{"extension", text})
)

// Kinds lists the kinds in the order in which one depends on another.
func Kinds() []Kind { return []Kind{Trunk, Hook, Device} }

// operations returns the kind's operations.
func (k Kind) operations() []conformance.Operation {
	return []conformance.Operation{k.List, k.Read, k.Create, k.Update}
}

// Has reports whether an operation belongs to the kind.
func (k Kind) Has(op conformance.Operation) bool { return slices.Contains(k.operations(), op) }

// Operations lists all operations, in the order of the interface's table.
func Operations() []conformance.Operation {
	all := []conformance.Operation{OpAuthorize, OpMe, OpAccounts, OpAccount, OpAddress, OpPutAddress, OpDDIs}
	for _, k := range Kinds() {
		all = append(all, k.operations()...)
	}
	return append(all, OpAccountCall, OpVoiceCall)
}

// Guarded lists the operations that require a bearer token.
func Guarded() []conformance.Operation {
	return slices.DeleteFunc(Operations(), func(op conformance.Operation) bool { return op == OpAuthorize || op == OpVoiceCall })
}

// success returns the code of an operation in the interface's table. For the Voice API the
// interface shows none, and any 2xx is correct.
func success(op conformance.Operation) int {
	method, _ := op.Route()
	switch {
	case op == OpAuthorize || method == "GET":
		return 200
	case method == "PUT":
		return 204
	case op == OpVoiceCall:
		return 0
	}
	return 201
}

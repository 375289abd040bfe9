package rules

import "github.com/cabrank/cabrank/conformance"

// The five operations, as the calling side makes them.
const (
	OpConfig conformance.Operation = "config"
	OpUser   conformance.Operation = "user"
	OpBook   conformance.Operation = "book"
	OpCancel conformance.Operation = "cancel"
	OpStatus conformance.Operation = "status"
)

// OpRequest is the operation of verdicts about several calls of a customer request, or about what
// its caller heard.
const OpRequest conformance.Operation = "request"

// Operations lists the five operations in the order of a customer request.
func Operations() []conformance.Operation {
	return []conformance.Operation{OpConfig, OpUser, OpBook, OpCancel, OpStatus}
}

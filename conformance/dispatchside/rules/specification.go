package rules

import (
	_ "embed" // the clauses
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/cabrank/cabrank/conformance"
)

// specificationFile has the requirements of the bookable-taxi interface in its order, and
// the questions that it leaves open.
//
//go:embed specification.json
var specificationFile []byte

var specification = func() (s struct {
	Clauses     []conformance.Clause    `json:"clauses"`
	Ambiguities []conformance.Ambiguity `json:"ambiguities"`
},
) {
	if err := json.Unmarshal(specificationFile, &s, json.RejectUnknownMembers(true)); err != nil {
		panic(err) // any test reads it
	}
	return s
}()

// Specification returns every requirement of the bookable-taxi interface in its
// order.
func Specification() []conformance.Clause { return slices.Clone(specification.Clauses) }

// Ambiguities returns the list of the questions that the interface leaves open.
func Ambiguities() []conformance.Ambiguity { return slices.Clone(specification.Ambiguities) }

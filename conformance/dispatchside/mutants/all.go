package mutants

import (
	"slices"

	"github.com/cabrank/cabrank/conformance/matrix"
)

func published(all ...[]fault) []matrix.Mutant {
	var out []matrix.Mutant
	for _, f := range slices.Concat(all...) {
		out = append(out, f.mutant())
	}
	return out
}

// All returns the servers that are wrong: each has to be failed by the checks it
// names, and by few others.
func All() []matrix.Mutant {
	return published(
		wireFaults, configFaults, userFaults, bookFaults, editFaults, cancelFaults, statusFaults, enrichmentFaults, moneyFaults, etaFaults, peopleFaults,
		journeyFaults, badFaults, lenientFaults, raceFaults, timingFaults, securityFaults, portFaults,
	)
}

// Variants returns servers that are odd and right: none may fail a check.
func Variants() []matrix.Mutant { return published(oddities) }

// NullPeers returns peers that are not dispatch systems. None of them may pass.
func NullPeers() []matrix.Mutant { return published(nullPeers) }

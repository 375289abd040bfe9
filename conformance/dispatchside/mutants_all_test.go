package dispatchside_test

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

// wrongServers returns the servers that are wrong: each has to be failed by the checks it
// names, and by few others.
func wrongServers() []matrix.Mutant {
	return published(
		wireFaults, configFaults, userFaults, bookFaults, editFaults, cancelFaults, statusFaults, enrichmentFaults, moneyFaults, etaFaults, peopleFaults,
		journeyFaults, badFaults, lenientFaults, raceFaults, timingFaults, securityFaults, portFaults,
	)
}

// oddServers returns servers that are odd and right: none may fail a check.
func oddServers() []matrix.Mutant { return published(oddities) }

// idlePeers returns peers that are not dispatch systems. None of them may pass.
func idlePeers() []matrix.Mutant { return published(nullPeers) }

package dispatchside_test

import (
	"net/http"
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

// wrongServers returns the servers that are wrong: each must fail the checks that it names, and few others.
func wrongServers() []matrix.Mutant {
	return published(
		wireFaults, configFaults, userFaults, bookFaults, editFaults, cancelFaults, statusFaults, enrichmentFaults, moneyFaults, etaFaults, peopleFaults,
		journeyFaults, badFaults, lenientFaults, raceFaults, timingFaults, securityFaults, portFaults,
	)
}

// oddServers returns servers that are unusual but right: none may fail a check.
func oddServers() []matrix.Mutant { return published(oddities) }

// idlePeers returns peers that are not dispatch systems. None of them may pass.
func idlePeers() []matrix.Mutant { return published(nullPeers) }

// nullPeers do nothing at all. None may be reported as passing.
var nullPeers = []fault{
	null("200 {}", func(w http.ResponseWriter, _ *http.Request) { write(w, http.StatusOK, "application/json", "{}") }),
	null("404 to all", func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusNotFound, "application/json", `{"error":"not found"}`)
	}),
	null("HTML", func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusOK, "text/html", "<!doctype html><p>hello</p>")
	}),
	null("500 to all", func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusInternalServerError, "text/plain", "oops")
	}),
	null("401 to all", func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusUnauthorized, "application/json", "{}")
	}),
	null("echo", func(w http.ResponseWriter, r *http.Request) {
		write(w, http.StatusOK, "application/json", string(readAll(r)))
	}),
	null("accept and close", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
}

func null(name string, answer http.HandlerFunc) fault {
	return fault{name: name, own: true, http: func(http.Handler) http.Handler { return answer }}
}

package query

import (
	"net/http"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// Rule explains a check to the reader of a finding.
type Rule struct {
	ID          string                  `json:"id"`
	Level       conformance.Level       `json:"level"`
	About       string                  `json:"about"` // "request" or "answer"
	Operations  []conformance.Operation `json:"operations"`
	Clause      string                  `json:"clause"`
	Requirement string                  `json:"requirement"`
	Why         string                  `json:"why"`
	Hint        string                  `json:"hint"`
}

// explain is GET /rules/{id}.
func (l *Journal) explain(w http.ResponseWriter, r *http.Request) error {
	id := strings.ToUpper(r.PathValue("id"))
	sent, answered := l.Checks()
	for about, checks := range map[string]map[string]*conformance.Check{conformance.AboutRequest: sent, conformance.AboutAnswer: answered} {
		if c := checks[id]; c != nil {
			return succeed(w, Rule{c.ID, c.Level, about, c.Operations, c.Clause, c.Requirement, c.Why, c.Hint})
		}
	}
	return taxi.NewProblem(http.StatusNotFound, "no-such-rule", "there is no check %q", clipped(id))
}

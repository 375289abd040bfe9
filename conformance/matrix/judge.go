package matrix

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cabrank/cabrank/conformance"
)

var mutant = flag.String("mutant", "", "only the servers of the matrix with this text in their name or in the ids of their checks, and the whole suite")

// Share says, for each kind of server, that a test without WHOLE=1 tries about one in so many, chosen by
// their names; 0: none.
type Share struct{ Wrong, Odd, Idle uint32 }

// Judge runs a trial as a test and returns the matrix. With WHOLE=1 or -mutant the whole suite judges every
// server and the matrix is logged; otherwise a share of the servers is judged, only by the checks that they
// name.
func Judge(t *testing.T, trial Trial, share Share) *Matrix {
	t.Helper()
	whole := os.Getenv("WHOLE") != ""
	trial.Focused = !whole && *mutant == ""
	for _, part := range []struct {
		servers *[]Mutant
		one     uint32
	}{{&trial.Mutants, share.Wrong}, {&trial.Variants, share.Odd}, {&trial.Peers, share.Idle}} {
		*part.servers = slices.DeleteFunc(slices.Clone(*part.servers), func(m Mutant) bool {
			if *mutant != "" {
				return !strings.Contains(strings.ToLower(m.Name+" "+m.KilledBy+" "+m.Warns), strings.ToLower(*mutant))
			}
			return !whole && (part.one == 0 || !InSample(m.Name, part.one))
		})
	}
	if len(trial.Mutants)+len(trial.Variants)+len(trial.Peers) == 0 {
		t.Fatalf("-mutant: no server has %q in its name or its checks", *mutant)
	}
	const roomy = 400 // per cent: hundreds of servers produce much garbage, and each is small
	defer debug.SetGCPercent(debug.SetGCPercent(roomy))
	if trial.Virtual {
		trial.within = func(try func(context.Context)) {
			synctest.Test(t, func(t *testing.T) { try(t.Context()) })
		}
	}
	m, err := KillMatrix(t.Context(), trial)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range slices.Concat(m.Mutants, m.Variants, m.Peers) {
		if !r.OK {
			t.Errorf("%s: %s\n%v %v%s", r.Name, r.Problem, r.Killers, r.Warners, r.findings())
		}
	}
	if !trial.Focused {
		t.Log("\n" + m.String())
	}
	return m
}

// findings describes what the suite found wrong with a server; "": nothing.
func (r *MatrixRow) findings() string {
	var b strings.Builder
	if r.Report != nil {
		for _, c := range r.Report.Checks {
			if (c.Outcome == conformance.Fail || c.Outcome == conformance.Broken) && len(c.Findings) > 0 {
				fmt.Fprintf(&b, "\n   %s %s: %s | %s | %s", c.ID, c.Operation, c.Findings[0].Message, c.Findings[0].Expected, c.Findings[0].Got)
			}
		}
	}
	return b.String()
}

// Proofs lists the checks of a suite, each with the mutants that the check must fail or warn of.
func Proofs(suite *conformance.Suite, mutants []Mutant) string {
	by := map[string][]string{}
	for _, m := range mutants {
		ids := map[string]bool{}
		for name := range strings.FieldsSeq(m.KilledBy + " " + m.Warns) {
			id, _, _ := strings.Cut(name, "@")
			if !ids[id] {
				ids[id] = true
				by[id] = append(by[id], m.Name)
			}
		}
	}
	var b strings.Builder
	for _, c := range suite.Checks {
		if c.Level != conformance.Observed {
			fmt.Fprintf(&b, "%s (%s): %s\n", c.ID, c.Level, cmp.Or(strings.Join(by[c.ID], "; "), "no mutant"))
		}
	}
	return b.String()
}

package report_test

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/report"
)

// TestWhatARunDidNotGetTo is a line of the short form once it is much.
func TestWhatARunDidNotGetTo(t *testing.T) {
	for n, want := range map[int]bool{9: false, 10: true} {
		late := conformance.Because(conformance.OutOfTime, "the time was over")
		full := conformance.Because(conformance.MostMade, "the run has made its most")
		unseen := conformance.Because(conformance.NotSeen, "no such call")
		r := &conformance.Report{Suite: &conformance.Suite{}, Preflight: []conformance.Step{{Name: "reach", OK: true}}}
		add := func(level conformance.Level, why conformance.Reason) {
			r.Checks = append(r.Checks, conformance.Result{
				ID: "C-" + strconv.Itoa(len(r.Checks)), Level: level, Outcome: conformance.NotVerified,
				Findings: []conformance.Finding{{Reason: &why, Message: why.String()}},
			})
		}
		for i := range n {
			if i < 3 {
				add(conformance.Should, full)
			} else {
				add(conformance.Should, late)
			}
			add(conformance.Should, unseen)
			add(conformance.Must, late)
		}
		var out bytes.Buffer
		(&report.Terminal{W: &out}).Report(r)
		line := strconv.Itoa(n) + " verdicts below MUST, mostly: the time was over (-v shows them)\n"
		require.Equal(t, want, bytes.Contains(out.Bytes(), []byte(line)), out.String())
	}
}

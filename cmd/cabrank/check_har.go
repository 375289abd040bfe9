package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/conformance"
)

// harFlags say what of recorded traffic to judge.
type harFlags struct {
	base string
}

func (f *harFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.base, "base", "", "of a HAR file: judge the calls made to this base address (default the one that serves most of the operations)")
}

// isHAR reports an argument that names recorded traffic and no server.
func isHAR(arg string) bool { return strings.HasSuffix(strings.ToLower(arg), ".har") }

// judgeHAR judges recorded traffic.
func (f *harFlags) judgeHAR(path string, scoring conformance.Scoring, terminal *conformance.Terminal) (*conformance.Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, usageError("recorded traffic: %w", err)
	}
	defer file.Close()
	recording, err := conformance.ReadHAR(file, f.base)
	if err != nil {
		return nil, usageError("%s: %w", path, err)
	}
	tellElsewhere(recording, terminal.W)
	report := conformance.ReportOn(recording.Base, recording.History)
	report.Score(scoring, now())
	terminal.Report(report)
	return report, nil
}

// tellElsewhere says which calls are not judged because they went to other
// addresses.
func tellElsewhere(r *conformance.Recording, w io.Writer) {
	for _, base := range slices.Sorted(maps.Keys(r.Elsewhere)) {
		fmt.Fprintf(w, "left out: %d calls to %q; --base judges them in place of those to %s\n", r.Elsewhere[base], base, r.Base)
	}
}

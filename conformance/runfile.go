package conformance

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
)

// RunFormat names the form of run files.
const RunFormat = "cabrank-run/1"

// RunFile is a report with all its evidence: the catalogue of checks at the time of
// the run, and every call. All other formats are made from it, at once or later.
// Telephone numbers and credentials are replaced by pseudonyms: a number has the same
// pseudonym everywhere, with its last three digits.
type RunFile struct {
	Format string `json:"format"` // RunFormat
	Judge  Judge  `json:"suite"`
	Report
	Catalogue []Check     `json:"catalogue"`
	Calls     []*Exchange `json:"exchanges"`
}

// Judge identifies the program and the suite that judged.
type Judge struct {
	Name    string `json:"name"`            // "cabrank"
	Version string `json:"version"`         // of the program
	SHA256  string `json:"sha256"`          // of the catalogue as JSON
	Suite   string `json:"suite,omitempty"` // its name; "" in files from before there were several suites
}

// NewRunFile makes a run file of a report. version is the program's version.
func NewRunFile(r *Report, version string) *RunFile {
	f := &RunFile{
		Format: RunFormat, Report: *r, Catalogue: slices.Clone(r.Suite.Checks), Calls: []*Exchange{},
		Judge: Judge{Name: "cabrank", Version: version, SHA256: hashOf(r.Suite.Checks), Suite: r.Suite.Name},
	}
	for _, x := range r.Exchanges {
		f.Calls = append(f.Calls, r.Shown(x))
	}
	f.Exchanges, f.Hide, f.Started = f.Calls, nil, r.Started.Round(0)
	return f
}

// suiteAmong finds the suite of a run file among suites, or makes one from the file's
// catalogue.
func (f *RunFile) suiteAmong(suites []*Suite) *Suite {
	if f.Judge.Suite == "" && len(suites) > 0 {
		return suites[0]
	}
	for _, s := range suites {
		if s.Name == f.Judge.Suite {
			return f.withOwn(s)
		}
	}
	own := &Suite{Name: f.Judge.Suite, Label: f.Judge.Suite, Checks: f.Catalogue}
	for _, x := range f.Calls {
		if x != nil && !slices.Contains(own.Operations, x.Operation) {
			own.Operations = append(own.Operations, x.Operation)
		}
	}
	for _, c := range f.Catalogue {
		for _, op := range c.Operations {
			if !slices.Contains(own.Subjects(), op) {
				own.Spanning = append(own.Spanning, op)
			}
		}
	}
	return own
}

// withOwn returns a suite with the vendor's own checks of the file's catalogue.
func (f *RunFile) withOwn(s *Suite) *Suite {
	var own []Check
	for _, c := range f.Catalogue {
		if _, known := s.Lookup(c.ID); c.Own && !known {
			own = append(own, c)
		}
	}
	if own == nil {
		return s
	}
	return s.With(own...)
}

// Write writes the run file as JSON.
func (f *RunFile) Write(w io.Writer) error {
	rest := *f
	rest.Calls = []*Exchange{}
	return WriteLongJSON(w, &rest, "exchanges", 1, len(f.Calls), func(i int) any { return f.Calls[i] })
}

// hashOf returns the SHA-256 of a value's JSON, in hexadecimal.
func hashOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("conformance: " + err.Error()) // only our own types, which can all be written
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

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

// RunFile is a report with all that it rests on: the catalogue as it was, and
// every call. All other formats are made from it, at once or later. Telephone
// numbers and credentials in it are pseudonyms: the same number has the same
// pseudonym throughout, with its last three digits.
type RunFile struct {
	Format string `json:"format"` // RunFormat
	Judge  Judge  `json:"suite"`
	Report
	Catalogue []Check     `json:"catalogue"`
	Calls     []*Exchange `json:"exchanges"`
}

// Judge says what judged: a program, and one of its suites.
type Judge struct {
	Name    string `json:"name"`            // "cabrank"
	Version string `json:"version"`         // of the program
	SHA256  string `json:"sha256"`          // of the catalogue as JSON
	Suite   string `json:"suite,omitempty"` // its name; "" in files of when there was one
}

// NewRunFile makes a run file of a report. version is that of the program.
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

// suiteAmong finds the suite of a run file among some, or makes one of what the
// file tells.
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

// withOwn returns a suite with the own checks of the file's catalogue.
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
		panic("conformance: " + err.Error()) // only our own types, which all can be written
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

package conformance

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
)

// RunFormat names the form of run files.
const RunFormat = "cabrank-run/1"

// RunFile is a report with all that it rests on: the catalogue as it was, and
// every call. All other formats are made from it, at once or later. Telephone
// numbers and credentials in it are pseudonyms: the same number has the same
// pseudonym throughout, with its last three digits.
type RunFile struct {
	Format string `json:"format"` // RunFormat
	Suite  Suite  `json:"suite"`
	Report
	Catalogue []Check     `json:"catalogue"`
	Calls     []*Exchange `json:"exchanges"`
}

// Suite says which suite judged.
type Suite struct {
	Name    string `json:"name"`    // "cabrank"
	Version string `json:"version"` // of the program that ran it
	SHA256  string `json:"sha256"`  // of the catalogue as JSON
}

// NewRunFile makes a run file of a report. version is that of the program.
func NewRunFile(r *Report, version string) *RunFile {
	f := &RunFile{
		Format: RunFormat, Report: *r, Catalogue: Catalogue(), Calls: []*Exchange{},
		Suite: Suite{Name: "cabrank", Version: version, SHA256: hashOf(catalogue)},
	}
	for _, x := range r.Exchanges {
		f.Calls = append(f.Calls, r.shown(x))
	}
	f.Exchanges, f.hidden, f.Started = nil, nil, r.Started.Round(0)
	return f
}

// ReadRunFile reads what [RunFile.Write] wrote.
func ReadRunFile(in io.Reader) (*RunFile, error) {
	var f RunFile
	if err := json.NewDecoder(in).Decode(&f); err != nil {
		return nil, fmt.Errorf("run file: %w", err)
	}
	if f.Format != RunFormat {
		return nil, fmt.Errorf("run file: its format is %q, want %q", f.Format, RunFormat)
	}
	if err := f.whole(); err != nil {
		return nil, fmt.Errorf("run file: %w", err)
	}
	for _, x := range f.Calls {
		x.read()
	}
	f.Exchanges = f.Calls
	return &f, nil
}

// Write writes the run file as JSON.
func (f *RunFile) Write(w io.Writer) error { return writeJSON(w, f) }

// hashOf returns the SHA-256 of a value's JSON, in hexadecimal.
func hashOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("conformance: " + err.Error()) // only our own types, which all can be written
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

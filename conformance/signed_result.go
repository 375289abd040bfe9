package conformance

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// SignedResultFormat names the form of signed results.
const SignedResultFormat = "cabrank-result/1"

// SignedResult is a signed result of a run, with hashes in place of the evidence. It
// states that the holder of the key ran this suite against this address with this result.
// It expires.
type SignedResult struct {
	Statement
	PublicKey ed25519.PublicKey `json:"publicKey"`
	Signature []byte            `json:"signature"` // Ed25519, over the SHA-256 of the statement as JSON
}

// Statement is the signed content.
type Statement struct {
	Format       string        `json:"format"`
	Target       string        `json:"target"`
	Started      time.Time     `json:"started"`
	Expires      time.Time     `json:"expires"`
	Judge        Judge         `json:"suite"`
	Requirements string        `json:"requirements"`
	Verdict      string        `json:"verdict"`
	ExitCode     int           `json:"exitCode"`
	Levels       []LevelResult `json:"levels"`
	Tiers        []TierScore   `json:"tiers"`
	Known        []Excused     `json:"known,omitempty"` // failures that the baseline excused
	CallsHash    string        `json:"exchangesSha256"` // of every call
	RunHash      string        `json:"runSha256"`       // of the run file as a whole
}

// LevelResult counts the verdicts of a level.
type LevelResult struct {
	Level Level `json:"level"`
	Score
}

// Excused is a failure that the run's own baseline excused.
type Excused struct {
	Operation Operation `json:"operation"`
	Level     Level     `json:"level"`
	KnownFailure
}

func (f *RunFile) excused() []Excused {
	var all []Excused
	for _, res := range f.Checks {
		if res.Known != nil {
			all = append(all, Excused{res.Operation, res.Level, *res.Known})
		}
	}
	return all
}

func (f *RunFile) statement(expires time.Time) Statement {
	s := Statement{
		Format: SignedResultFormat, Target: f.Target, Started: f.Started.UTC().Round(0), Expires: expires.UTC().Round(0), Judge: f.Judge,
		Requirements: f.Requirements, Verdict: f.Verdict(), ExitCode: f.ExitCode(), Tiers: f.Tiers,
		Known: f.excused(), CallsHash: hashOf(f.Calls), RunHash: hashOf(f),
	}
	for _, l := range []Level{Must, Should, Robustness} {
		s.Levels = append(s.Levels, LevelResult{l, f.Summary.Levels[l]})
	}
	return s
}

// Sign makes a signed result of the run, valid until expires. The error is [ErrPartial]
// if the run does not cover the whole suite.
func (f *RunFile) Sign(key ed25519.PrivateKey, expires time.Time) (SignedResult, error) {
	if what := f.Scope(); what != "" {
		return SignedResult{}, fmt.Errorf("%w: this is %s", ErrPartial, what)
	}
	s := SignedResult{Statement: f.statement(expires), PublicKey: key.Public().(ed25519.PublicKey)}
	s.Signature = ed25519.Sign(key, s.digest())
	return s, nil
}

func (s SignedResult) digest() []byte {
	sum, err := hex.DecodeString(hashOf(s.Statement))
	if err != nil || len(sum) != sha256.Size {
		panic("conformance: a hash is hexadecimal")
	}
	return sum
}

// Write writes the signed result as JSON.
func (s SignedResult) Write(w io.Writer) error { return WriteJSON(w, s) }

// ErrPartial reports that the run does not cover the whole suite.
var ErrPartial = errors.New("only a whole run can be signed")

// The reasons why a signed result is not valid.
var (
	ErrSignature  = errors.New("the signature does not match the key in the file: the result was changed")
	ErrStranger   = errors.New("the result was signed with another key")
	ErrExpired    = errors.New("the result has expired")
	ErrEarly      = errors.New("the result is dated in the future")
	ErrOtherRun   = errors.New("the run file is not the one that was signed")
	ErrOtherSuite = errors.New("the result is for another suite")
)

// mostOfResult is how many bytes of a signed result are read.
const mostOfResult = 4 << 20

// ReadSignedResult reads a signed result without verifying it. It refuses a text that other JSON
// readers could read differently: with unknown or repeated members, names in another case, null
// in place of a value, or text after the document.
func ReadSignedResult(in io.Reader) (SignedResult, error) {
	text, err := io.ReadAll(io.LimitReader(in, mostOfResult+1))
	if err != nil {
		return SignedResult{}, fmt.Errorf("signed result: %w", err)
	}
	s, err := readSigned(text)
	if err != nil {
		return SignedResult{}, fmt.Errorf("signed result: %w", err)
	}
	return s, nil
}

func readSigned(text []byte) (s SignedResult, err error) {
	if len(text) > mostOfResult {
		return s, fmt.Errorf("it is longer than %d bytes", mostOfResult)
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return s, err
	}
	switch {
	case s.Format != SignedResultFormat:
		return s, fmt.Errorf("its format is %q, want %q", jsonvalue.Clip(s.Format, mostOfFormat), SignedResultFormat)
	case !datable(s.Started) || !datable(s.Expires):
		return s, errors.New("its dates are outside of the years 0 to 9999")
	}
	return s, s.readsAlike(text)
}

// readsAlike refuses a text that differs from the output of Write in more than the order of
// members, white space and escapes: another JSON reader could see a different value than the
// signed one.
func (s SignedResult) readsAlike(text []byte) error {
	own, err := json.Marshal(s)
	if err != nil {
		return err
	}
	given := jsontext.Value(text)
	if err := given.Canonicalize(); err != nil {
		return err
	}
	want := jsontext.Value(own)
	if err := want.Canonicalize(); err != nil {
		return err
	}
	if !bytes.Equal(given, want) {
		return errors.New("it differs from what 'cabrank check --result' writes: a member is unknown, missing, null or written differently")
	}
	return nil
}

// Of returns [ErrOtherSuite] if the result is for another suite. sameChecks reports whether the
// suite's checks are still the same.
func (s SignedResult) Of(suite *Suite) (sameChecks bool, err error) {
	if s.Judge.Suite != suite.Name {
		return false, fmt.Errorf("%w: %q, not %q", ErrOtherSuite, s.Judge.Suite, suite.Name)
	}
	return s.Judge.SHA256 == hashOf(suite.Checks), nil
}

// Verify checks a signed result offline: its signature; that it is not dated more than a
// day in the future and has not expired; that it was signed with signer (nil: any key); and,
// if run is not nil, that it is the result of that run.
func (s SignedResult) Verify(now time.Time, signer ed25519.PublicKey, run *RunFile) error {
	switch {
	case len(s.PublicKey) != ed25519.PublicKeySize || !ed25519.Verify(s.PublicKey, s.digest(), s.Signature):
		return ErrSignature
	case signer != nil && !signer.Equal(s.PublicKey):
		return ErrStranger
	case s.Started.After(now.AddDate(0, 0, 1)):
		return fmt.Errorf("%w: %s", ErrEarly, s.Started.Format(time.DateOnly))
	case now.After(s.Expires):
		return fmt.Errorf("%w: it was valid until %s", ErrExpired, s.Expires.Format(time.DateOnly))
	case run != nil && hashOf(run.statement(s.Expires)) != hashOf(s.Statement):
		return ErrOtherRun
	}
	return nil
}

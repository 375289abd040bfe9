package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Limits on reading a run file, which may come from an untrusted source.
const (
	mostOfValue  = 16 << 20  // bytes of a call, or of all verdicts
	mostOfCalls  = 128 << 20 // bytes of memory of all calls
	mostOfFormat = 40        // bytes of a wrong format that are shown
)

// ReadRunFile reads a file that [RunFile.Write] wrote for one of the suites. A file that
// does not name its suite belongs to the first. For an unknown suite, the file itself
// holds enough to show it. Calls are read one by one and bounded like those of a run, so
// that no file uses more memory than a run.
func ReadRunFile(in io.Reader, suites ...*Suite) (*RunFile, error) {
	f, err := decodeRunFile(jsonvalue.NewReader(in, mostOfValue))
	if err != nil {
		return nil, fmt.Errorf("run file: %w", err)
	}
	f.Suite = f.suiteAmong(suites)
	if err := f.validate(); err != nil {
		return nil, fmt.Errorf("run file: %w", err)
	}
	f.Exchanges = f.Calls
	for i := range f.Tiers {
		f.Tiers[i].answerOfOld()
	}
	return f, nil
}

// decodeRunFile reads the members of a run file: the calls one by one, and the rest as
// one value.
func decodeRunFile(in *jsonvalue.Reader) (*RunFile, error) {
	rest, size := map[string]json.RawMessage{}, 0
	var calls []*Exchange
	err := in.Members(func(name string) error {
		if name == "exchanges" {
			return readCalls(in, &calls)
		}
		var value json.RawMessage
		if err := in.Value(&value); err != nil {
			return err
		}
		if size += len(name) + len(value); size > mostOfValue {
			return jsonvalue.ErrTooLong
		}
		rest[name] = value
		if name == "format" {
			return knownFormat(value)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := knownFormat(rest["format"]); err != nil {
		return nil, err
	}
	whole, err := json.Marshal(rest)
	if err != nil {
		return nil, err
	}
	f := &RunFile{}
	if err := json.NewDecoder(bytes.NewReader(whole)).Decode(f); err != nil {
		return nil, err
	}
	f.Calls = calls
	return f, nil
}

// knownFormat returns an error if a run file's format is not [RunFormat].
func knownFormat(text json.RawMessage) error {
	var format string
	if len(text) > 0 {
		_ = json.Unmarshal(text, &format) // if it is not a string, format stays empty
	}
	if format != RunFormat {
		return fmt.Errorf("its format is %q, want %q", jsonvalue.Clip(format, mostOfFormat), RunFormat)
	}
	return nil
}

// readCalls reads the calls of a run file, bounds each and reads their bodies.
func readCalls(in *jsonvalue.Reader, calls *[]*Exchange) error {
	var kept Store
	*calls = []*Exchange{}
	return in.Elements(func() error {
		var x *Exchange
		if err := in.Value(&x); err != nil {
			return err
		}
		if len(*calls) >= MostCalls {
			return fmt.Errorf("it has more than %d calls", MostCalls)
		}
		*calls = append(*calls, x)
		if x == nil {
			return nil // validate refuses it
		}
		if kept.Take(x) > mostOfCalls {
			return errors.New("its calls use more memory than those of any run")
		}
		x.Read()
		return nil
	})
}

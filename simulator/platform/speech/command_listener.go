package speech

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// commandListener runs a program for each answer.
type commandListener struct{ words []string }

// CommandListener is a listener that runs a command; see the package's comment for what
// is in its words.
func CommandListener(command string) (Listener, error) {
	words, err := words(command)
	return commandListener{words}, err
}

// Listen gives the program a WAV file and reads what it writes.
func (l commandListener) Listen(ctx context.Context, pcm []int16, grammar voice.Grammar) (Heard, error) {
	values := map[string]string{
		"{file}": "", "{language}": grammar.Language, "{voice}": "", "{text}": "", "{hints}": strings.Join(grammar.Hints, ", "),
	}
	words, used := fill(l.words, values)
	input := Wave(pcm, ListenRate)
	if used["{file}"] {
		dir, err := os.MkdirTemp("", "cabrank-speech-")
		if err != nil {
			return Heard{}, err
		}
		defer os.RemoveAll(dir)
		values["{file}"] = filepath.Join(dir, "speech.wav")
		if err := os.WriteFile(values["{file}"], input, 0o600); err != nil {
			return Heard{}, err
		}
		words, _ = fill(l.words, values)
		input = nil
	}
	out, err := output(ctx, words, input)
	if err != nil {
		return Heard{}, err
	}
	return readHeard(out)
}

// usualConfidence is taken of a program that does not say how sure it is.
const usualConfidence = 0.6

// readHeard reads what a program has written: text, or an object of JSON.
func readHeard(out []byte) (Heard, error) {
	out = bytes.TrimSpace(out)
	h := Heard{Confidence: usualConfidence}
	if len(out) == 0 {
		return Heard{}, nil
	}
	if out[0] != '{' {
		h.Text = strings.Join(strings.Fields(string(out)), " ")
		return h, nil
	}
	if err := json.Unmarshal(out, &h); err != nil {
		return Heard{}, fmt.Errorf("what the program has heard is no JSON: %w", err)
	}
	return h.bounded(), nil
}

// mostText is how much of a program's words is read.
const mostText = 4 << 10

// bounded keeps what a program says within what it may.
func (h Heard) bounded() Heard {
	h.Text = h.Text[:min(len(h.Text), mostText)]
	h.Confidence = max(0, min(1, h.Confidence))
	h.Alternatives = h.Alternatives[:min(len(h.Alternatives), 10)]
	return h
}

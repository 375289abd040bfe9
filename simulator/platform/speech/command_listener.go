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

// commandListener runs a program for each utterance.
type commandListener struct{ words []string }

// CommandListener returns a listener that runs a command, which is described in the
// comment of the package.
func CommandListener(command string) (Listener, error) {
	words, err := words(command)
	return commandListener{words}, err
}

// Listen gives the program a WAV file and parses its output.
func (l commandListener) Listen(ctx context.Context, pcm []int16, grammar voice.Grammar) (Heard, error) {
	values := map[string]string{
		"{file}": "", "{language}": grammar.Language, "{voice}": "", "{text}": "",
		"{question}": grammar.Question, "{hints}": strings.Join(firstHints(grammar.Hints), ", "),
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

// usualConfidence is the confidence of programs that report none.
const usualConfidence = 0.7

// mostHints is the length of the hints that a program is given, in bytes: models such as whisper's take no more than
// 224 tokens, of about three letters each.
const mostHints = 640

// firstHints returns the first hints, up to mostHints bytes.
func firstHints(hints []string) []string {
	size := 0
	for i, hint := range hints {
		if size += len(hint) + 2; size > mostHints {
			return hints[:i]
		}
	}
	return hints
}

// readHeard parses the output of a program: text, or a JSON object.
func readHeard(out []byte) (Heard, error) {
	out = bytes.TrimSpace(out)
	h := Heard{Confidence: usualConfidence}
	if len(out) == 0 {
		return Heard{}, nil
	}
	if out[0] != '{' {
		h.Text = strings.Join(strings.Fields(string(out)), " ")
	} else if err := json.Unmarshal(out, &h); err != nil {
		return Heard{}, fmt.Errorf("the output of the program is not JSON: %w", err)
	}
	return h.bounded(), nil
}

// sureEnough is the confidence above which the text of a program can be an agreement without a second opinion.
const sureEnough = 0.65

// mostText is the maximum length of a recognised text in bytes.
const mostText = 4 << 10

// bounded returns a program's result within limits of text and alternatives. Its confidence is that of the least
// certain word, if the words have any, and between 0 and 1.
func (h Heard) bounded() Heard {
	h.Text = h.Text[:min(len(h.Text), mostText)]
	for i, word := range h.Words {
		if i == 0 || word.Confidence < h.Confidence {
			h.Confidence = word.Confidence
		}
	}
	h.Confidence = max(0, min(1, h.Confidence))
	h.Alternatives = h.Alternatives[:min(len(h.Alternatives), 10)]
	if h.Confidence >= sureEnough {
		h.Witness = h.Text // a program that is sure needs no other one
	}
	return h
}

package speech

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// commandSpeaker runs a program for each text.
type commandSpeaker struct {
	words []string
	bare  int                 // the sample rate of output without a header
	named func(string) string // converts the name of a voice; nil: the program uses ours
}

// CommandSpeaker returns a speaker that runs a command, which is described in the
// comment of the package.
func CommandSpeaker(command string) (Speaker, error) {
	words, err := words(command)
	if err != nil {
		return nil, err
	}
	s := &commandSpeaker{words: words, bare: 22050}
	if rate, ok := strings.CutPrefix(words[0], "rate="); ok && len(words) > 1 {
		if s.bare, err = strconv.Atoi(rate); err != nil || s.bare < 4000 || s.bare > 192000 {
			return nil, errors.New("rate= takes 4000 to 192000 samples a second")
		}
		s.words = words[1:]
	}
	return s, nil
}

// Speak runs the program and delivers its output.
func (s *commandSpeaker) Speak(ctx context.Context, text, name string, rate int, deliver func([]int16) error) error {
	called := name
	if s.named != nil {
		called = s.named(name)
	}
	values := map[string]string{"{text}": sayable(text), "{voice}": called, "{language}": languageOf(name), "{file}": ""}
	words, used := fill(s.words, values)
	var input []byte
	if !used["{text}"] {
		input = []byte(sayable(text) + "\n")
	}
	wave, lead := &waveReader{bare: s.bare}, &lead{keep: rate / 50}
	take := func(data []byte) error {
		pcm, err := wave.read(data, rate)
		if pcm = lead.cut(pcm); err == nil && len(pcm) > 0 {
			err = deliver(pcm)
		}
		return err
	}
	if used["{file}"] {
		if err := s.byFile(ctx, values, input, take); err != nil {
			return err
		}
	} else if err := run(ctx, words, bytes.NewReader(input), take); err != nil {
		return err
	}
	if !wave.begun {
		return errHeader
	}
	return deliver(wave.rest())
}

// lead shortens the silence at the beginning of synthesised speech; flite produces a fifth of a second of it.
type lead struct {
	keep int     // samples of it
	held []int16 // the last ones
	over bool
}

func (l *lead) cut(pcm []int16) []int16 {
	const silence = 100
	if l.over {
		return pcm
	}
	pcm = append(l.held, pcm...)
	first := slices.IndexFunc(pcm, func(v int16) bool { return v > silence || v < -silence })
	if l.over = first >= 0; l.over {
		return pcm[max(0, first-l.keep):]
	}
	l.held = pcm[max(0, len(pcm)-l.keep):]
	return nil
}

// byFile runs a program that writes to a file.
func (s *commandSpeaker) byFile(ctx context.Context, values map[string]string, input []byte, take func([]byte) error) error {
	dir, err := os.MkdirTemp("", "cabrank-speech-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "speech.wav")
	values["{file}"] = file
	words, _ := fill(s.words, values)
	if _, err := output(ctx, words, input); err != nil {
		return err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if len(data) > mostOutput {
		return errOutput
	}
	return take(data)
}

// sayable returns a text without characters that programs could take for an option or for markup.
func sayable(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune("<>[]", r) {
			return ' '
		}
		return r
	}, text)
	return strings.TrimLeft(text, "- ")
}

var platformVoice = regexp.MustCompile(`^([a-z]{2,3})-([A-Z]{2})(-.*)?$`)

// languageOf returns the language in the name of a voice; default en-GB.
func languageOf(name string) string {
	if m := platformVoice.FindStringSubmatch(name); m != nil {
		return m[1] + "-" + m[2]
	}
	return "en-GB"
}

// espeakVoice returns espeak-ng's name of a voice. Names of espeak-ng itself, such as
// en-us+f3, stay the same.
func espeakVoice(name string) string {
	m := platformVoice.FindStringSubmatch(name)
	switch {
	case m == nil && espeakName.MatchString(name):
		return name
	case m == nil:
		return "en-gb"
	}
	language := m[1]
	if language == "en" {
		language = "en-" + strings.ToLower(m[2])
	}
	if len(m[3]) > 0 && strings.ContainsRune("ACEFGH", rune(m[3][len(m[3])-1])) { // the other voices are male
		language += "+f3"
	}
	return language
}

var espeakName = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9-]+)?(\+[a-zA-Z0-9]+)?$`)

// fliteVoice returns flite's name of a voice: its own names, or its default voice.
func fliteVoice(name string) string {
	if fliteName.MatchString(name) {
		return name
	}
	return "slt"
}

var fliteName = regexp.MustCompile(`^(kal|kal16|awb|rms|slt|awb_time)$`)

// picoVoice returns a language of pico2wave for a voice.
func picoVoice(name string) string {
	if language := languageOf(name); strings.Contains("en-GB en-US de-DE es-ES fr-FR it-IT", language) {
		return language
	}
	return "en-GB"
}

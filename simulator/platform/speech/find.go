package speech

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Program is a program that this package can use, and whether it is installed.
type Program struct {
	Name string `json:"name"`
	Job  Job    `json:"job"`
	Path string `json:"path,omitempty"` // "": it is not installed
	Lack string `json:"lack,omitempty"` // something else that it needs and that was not found
}

// Job is the purpose of a program.
type Job string

// The jobs.
const (
	Says  Job = "say"  // text to sound
	Hears Job = "hear" // sound to text
)

// Programs lists the programs that this package can use, in order of preference: flite sounds like a person, and
// speaks English only.
func Programs() []Program {
	var all []Program
	for _, name := range []string{"flite", "espeak-ng", "pico2wave"} {
		all = append(all, Program{Name: name, Job: Says, Path: onPath(name)})
	}
	p := Program{Name: "pocketsphinx", Job: Hears, Path: onPath("pocketsphinx_batch")}
	if p.Path != "" && sphinxModel() == "" {
		p.Path, p.Lack = "", "its model en-us"
	}
	return append(all, p)
}

func onPath(name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}

// sphinxModel returns the folder of pocketsphinx's model of English, or "".
func sphinxModel() string {
	for _, folder := range []string{
		"/usr/share/pocketsphinx/model/en-us", "/usr/local/share/pocketsphinx/model/en-us", "/opt/homebrew/share/pocketsphinx/model/en-us",
	} {
		if _, err := os.Stat(filepath.Join(folder, "cmudict-en-us.dict")); err == nil {
			return folder
		}
	}
	return ""
}

// Install has the command that installs a speaker and a recogniser, for some systems.
var Install = map[string]string{
	"debian":  "sudo apt-get install flite espeak-ng pocketsphinx pocketsphinx-en-us",
	"darwin":  "brew install espeak-ng cmu-pocketsphinx",
	"windows": "winget install eSpeak-NG.eSpeak-NG",
}

// cacheBytes is the size of the cache of speech: about half an hour at 8 kHz.
const cacheBytes = 32 << 20

// OpenSpeaker returns the speaker of a command, or of the first installed program if the
// command is ""; nil: none is installed. It has a cache.
func OpenSpeaker(command string) (Speaker, error) {
	speaker, err := openSpeaker(command)
	if speaker == nil || err != nil {
		return nil, err
	}
	return Cached(speaker, cacheBytes), nil
}

func openSpeaker(command string) (Speaker, error) {
	switch {
	case isLines(command):
		return NewLines(command)
	case command != "":
		return CommandSpeaker(command)
	}
	var found []Speaker
	for _, p := range Programs() {
		if p.Job == Says && p.Path != "" {
			found = append(found, programSpeaker(p))
		}
	}
	switch {
	case len(found) == 0:
		return nil, nil
	case len(found) > 1 && onPath("flite") != "":
		return byLanguage{english: found[0], other: found[1]}, nil
	}
	return found[0], nil
}

// byLanguage is a speaker of English and one of the other languages.
type byLanguage struct{ english, other Speaker }

// Speak implements [Speaker].
func (s byLanguage) Speak(ctx context.Context, text, voice string, rate int, deliver func([]int16) error) error {
	if strings.HasPrefix(languageOf(voice), "en") {
		return s.english.Speak(ctx, text, voice, rate, deliver)
	}
	return s.other.Speak(ctx, text, voice, rate, deliver)
}

// programSpeaker returns the speaker of an installed program.
func programSpeaker(p Program) Speaker {
	s := &commandSpeaker{}
	switch p.Name {
	case "espeak-ng":
		s.words, s.named = []string{p.Path, "-v", "{voice}", "-s", "150", "--stdin", "--stdout"}, espeakVoice
	case "flite":
		s.words, s.named = []string{p.Path, "-voice", "{voice}", "-t", "{text}", "-o", "{file}"}, fliteVoice
	default:
		s.words, s.named = []string{p.Path, "-l", "{voice}", "-w", "{file}", "{text}"}, picoVoice
	}
	return s
}

// OpenListener returns the listener of a command, or of the first installed program if
// the command is ""; nil: none is installed.
func OpenListener(command string) (Listener, error) {
	switch {
	case isLines(command):
		return NewLines(command)
	case command != "":
		return CommandListener(command)
	}
	for _, p := range Programs() {
		if p.Job == Hears && p.Path != "" {
			return newSphinx(p.Path, sphinxModel(), onPath("espeak-ng")), nil
		}
	}
	return nil, nil
}

// isLines reports whether a command is for [NewLines].
func isLines(command string) bool {
	return strings.HasPrefix(command, linesPrefix) || strings.HasPrefix(command, tcpPrefix)
}

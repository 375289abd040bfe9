package speech

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Program is a program that this package knows, and whether it is on this machine.
type Program struct {
	Name string `json:"name"`
	Job  Job    `json:"job"`
	Path string `json:"path,omitempty"` // "": it is not installed
	Lack string `json:"lack,omitempty"` // what else it needs and was not found
}

// Job is what a program is for.
type Job string

// The jobs.
const (
	Says  Job = "say"  // text to sound
	Hears Job = "hear" // sound to text
)

// Programs looks for the programs that this package knows, in the order in which they
// are taken.
func Programs() []Program {
	var all []Program
	for _, name := range []string{"espeak-ng", "flite", "pico2wave"} {
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

// sphinxModel is the folder of pocketsphinx's model of English, or "".
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

// Install is the line that installs what speaks and what hears, for each system that
// has one.
var Install = map[string]string{
	"debian":  "sudo apt-get install espeak-ng pocketsphinx pocketsphinx-en-us",
	"darwin":  "brew install espeak-ng cmu-pocketsphinx",
	"windows": "winget install eSpeak-NG.eSpeak-NG",
}

// cacheBytes is how much speech is remembered: about half an hour at 8 kHz.
const cacheBytes = 32 << 20

// OpenSpeaker returns the speaker of a command, or that of the first program on this
// machine; nil: there is none. It remembers what it has spoken.
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
	for _, p := range Programs() {
		if p.Job == Says && p.Path != "" {
			return programSpeaker(p), nil
		}
	}
	return nil, nil
}

// programSpeaker is the speaker of a program that this package knows.
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

// OpenListener returns the listener of a command, or that of the first program on this
// machine; nil: there is none.
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

// isLines reports whether a command names a program that stays up.
func isLines(command string) bool {
	return strings.HasPrefix(command, linesPrefix) || strings.HasPrefix(command, tcpPrefix)
}

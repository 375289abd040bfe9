package speech

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/simulator/platform/voice"
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

// Programs lists the programs that this package can use, in order of preference: flite and festival sound like
// persons, flite is ten times as fast, and both speak English only.
func Programs() []Program {
	all := []Program{
		{Name: "flite", Job: Says, Path: onPath("flite")},
		{Name: "festival", Job: Says, Path: onPath("text2wave")},
		{Name: "espeak-ng", Job: Says, Path: onPath("espeak-ng")},
		{Name: "pico2wave", Job: Says, Path: onPath("pico2wave")},
	}
	if p := &all[1]; p.Path != "" && festivalVoice() == "" {
		p.Path, p.Lack = "", "a voice such as festvox-us-slt-hts"
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

// festivalVoices is where Debian's packages put festival's voices.
var festivalVoices = "/usr/share/festival/voices"

// festivalVoice returns the name of an installed HTS voice of festival, or "".
func festivalVoice() string {
	if voices, _ := filepath.Glob(filepath.Join(festivalVoices, "*", "*_hts")); len(voices) > 0 {
		return filepath.Base(voices[0])
	}
	return ""
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

// Install maps systems to the command that installs a speaker and a recogniser.
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
	var english, other Speaker
	for _, p := range Programs() {
		if p.Job != Says || p.Path == "" {
			continue
		}
		speaker := programSpeaker(p)
		if english == nil {
			english = speaker
		}
		if other == nil && p.Name != "flite" && p.Name != "festival" {
			other = speaker
		}
	}
	if other == nil || other == english {
		return english, nil
	}
	return byLanguage{english, other}, nil
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
	case "festival":
		s.words, s.named = []string{p.Path, "-eval", "(voice_" + festivalVoice() + ")", "-o", "{file}"}, fliteVoice
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

// sought looks for an installed program on each use until it finds one.
type sought[T any] struct {
	open func(command string) (T, error)

	mu    sync.Mutex
	found T
}

// now returns the program that was found; nil if none is installed.
func (s *sought[T]) now() T {
	s.mu.Lock()
	defer s.mu.Unlock()
	if any(s.found) == nil {
		s.found, _ = s.open("") // only a command can be wrong
	}
	return s.found
}

func (s *sought[T]) ready() bool { return any(s.now()) != nil }

type soughtSpeaker struct{ sought[Speaker] }

type soughtListener struct{ sought[Listener] }

// SeekSpeaker returns a speaker. If s is nil, the result looks for an installed program on each use until there is one.
func SeekSpeaker(s Speaker) Speaker {
	if s == nil {
		return &soughtSpeaker{sought[Speaker]{open: OpenSpeaker}}
	}
	return s
}

// SeekListener is [SeekSpeaker] for listeners.
func SeekListener(l Listener) Listener {
	if l == nil {
		return &soughtListener{sought[Listener]{open: OpenListener}}
	}
	return l
}

// Speak implements [Speaker].
func (s *soughtSpeaker) Speak(ctx context.Context, text, voice string, rate int, deliver func([]int16) error) error {
	if speaker := s.now(); speaker != nil {
		return speaker.Speak(ctx, text, voice, rate, deliver)
	}
	return errors.New("no program that speaks is installed")
}

// Listen implements [Listener]. Without a program nothing is heard.
func (l *soughtListener) Listen(ctx context.Context, pcm []int16, grammar voice.Grammar) (Heard, error) {
	if listener := l.now(); listener != nil {
		return listener.Listen(ctx, pcm, grammar)
	}
	return Heard{}, nil
}

func (l *soughtListener) start(ctx context.Context, grammar voice.Grammar) Listener {
	if s, ok := l.now().(starter); ok {
		return s.start(ctx, grammar)
	}
	return l
}

// Ready reports whether the program of a speaker, a listener or a recogniser is installed.
func Ready(has any) bool {
	of, seeks := has.(interface{ ready() bool })
	return has != nil && (!seeks || of.ready())
}

// isLines reports whether a command has the form that [NewLines] accepts.
func isLines(command string) bool {
	return strings.HasPrefix(command, linesPrefix) || strings.HasPrefix(command, tcpPrefix)
}

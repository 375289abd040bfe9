package speech

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Sphinx recognises speech by pocketsphinx_batch, with a grammar of what may be answered.
// It is the batch program since that one levels a whole answer by its mean, without which
// nothing is understood of a telephone's narrow band. It seeks in its input, so the answer
// is a file while it runs.
type Sphinx struct {
	program string
	model   string // the folder of the acoustic model
	phones  string // how sounds follow each other
	words   *dictionary
}

// How sure it is follows from how much worse the answer explains the sound than any
// sequence of sounds does, for each hundredth of a second: up to likely nothing is in doubt,
// from unlikely on something else was said. Measured with answers, and with words that are
// none.
const (
	likely   = 10.0
	unlikely = 40.0
	sureOf   = 0.95
)

// silentFrames are those of an utterance that are silence: what a line keeps before and
// behind speech.
const silentFrames = 50

// NewSphinx returns a listener that runs pocketsphinx_batch with the model in a
// folder: an acoustic model named as the folder is, and a dictionary beside it. espeak,
// if it is not "", is the espeak-ng that says how words are pronounced which the
// dictionary does not have.
func NewSphinx(program, folder, espeak string) *Sphinx {
	name := filepath.Base(folder)
	return &Sphinx{
		program: program, model: filepath.Join(folder, name), phones: filepath.Join(folder, name+"-phone.lm.bin"),
		words: &dictionary{file: filepath.Join(folder, "cmudict-"+name+".dict"), espeak: espeak},
	}
}

// Listen understands an answer of the grammar.
func (s *Sphinx) Listen(ctx context.Context, pcm []int16, grammar voice.Grammar) (Heard, error) {
	dir, err := os.MkdirTemp("", "cabrank-speech-")
	if err != nil {
		return Heard{}, err
	}
	defer os.RemoveAll(dir)
	rules := rulesOf(grammar)
	words, err := s.words.pronounce(ctx, wordsOf(rules))
	if err != nil {
		return Heard{}, err
	}
	if err := os.WriteFile(filepath.Join(dir, "words.dict"), []byte(words), 0o600); err != nil {
		return Heard{}, err
	}
	if err := s.write(dir, rules, pcm); err != nil {
		return Heard{}, err
	}
	return s.weigh(ctx, dir, len(pcm)*100/ListenRate)
}

// write writes what the program reads.
func (s *Sphinx) write(dir, rules string, pcm []int16) error {
	for name, data := range map[string][]byte{"answers.jsgf": []byte(grammarFile(rules)), "speech.raw": bare(pcm), "names": []byte("speech\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// weigh hears an answer of so many frames, and how well any sounds explain it, at once.
func (s *Sphinx) weigh(ctx context.Context, dir string, frames int) (Heard, error) {
	var sounds int
	var bad error
	done := make(chan struct{})
	go func() { // ends with the program
		defer close(done)
		_, sounds, bad = s.hear(ctx, dir, "sounds", "-allphone", s.phones, "-allphone_ci", "yes", "-beam", "1e-20", "-pbeam", "1e-20")
	}()
	text, score, err := s.hear(ctx, dir, "heard", "-dict", filepath.Join(dir, "words.dict"), "-jsgf", filepath.Join(dir, "answers.jsgf"))
	<-done
	if err = errors.Join(err, bad); err != nil || text == "" {
		return Heard{}, err
	}
	worse := float64(sounds-score) / float64(max(frames-silentFrames, 20))
	sure := sureOf * (unlikely - worse) / (unlikely - likely)
	return Heard{Text: text, Confidence: max(0.05, min(sureOf, sure))}, nil
}

// hear runs the program, and returns what it has heard and how well that explains the sound.
func (s *Sphinx) hear(ctx context.Context, dir, result string, how ...string) (text string, score int, err error) {
	file := filepath.Join(dir, result)
	words := append([]string{
		s.program, "-ctl", filepath.Join(dir, "names"), "-cepdir", dir, "-cepext", ".raw", "-adcin", "yes", "-hyp", file, "-logfn", os.DevNull, "-hmm", s.model,
	}, sphinxTuning...)
	if _, err := output(ctx, append(words, how...), nil); err != nil {
		return "", 0, err
	}
	heard, err := os.ReadFile(file)
	text, rest, _ := strings.Cut(string(heard), "(") // the name and the score follow
	if _, number, ok := strings.Cut(strings.TrimRight(rest, ")\n "), " "); ok {
		score, _ = strconv.Atoi(number) // there is none without an answer
	}
	return strings.Join(strings.Fields(text), " "), score, err
}

// sphinxTuning levels the whole of an answer, and weighs no word of a long list less than
// one of a short list.
var sphinxTuning = []string{"-cmn", "batch", "-lw", "1"}

package speech

import (
	"context"
	"os"
	"path/filepath"
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
	words   *dictionary
}

// sphinxConfidence is what is taken for the program's confidence: it gives none for a
// grammar, only an answer or none.
const sphinxConfidence = 0.75

// NewSphinx returns a listener that runs pocketsphinx_batch with the model in a
// folder: an acoustic model named as the folder is, and a dictionary beside it. espeak,
// if it is not "", is the espeak-ng that says how words are pronounced which the
// dictionary does not have.
func NewSphinx(program, folder, espeak string) *Sphinx {
	name := filepath.Base(folder)
	return &Sphinx{
		program: program, model: filepath.Join(folder, name),
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
	text, err := s.hear(ctx, dir, grammarFile(rules), pcm)
	if err != nil || text == "" {
		return Heard{}, err
	}
	return Heard{Text: text, Confidence: sphinxConfidence}, nil
}

// hear runs the program.
func (s *Sphinx) hear(ctx context.Context, dir, rules string, pcm []int16) (string, error) {
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, data := range map[string][]byte{"answers.jsgf": []byte(rules), "speech.raw": bare(pcm), "names": []byte("speech\n")} {
		if err := os.WriteFile(in(name), data, 0o600); err != nil {
			return "", err
		}
	}
	words := append([]string{
		s.program, "-ctl", in("names"), "-cepdir", dir, "-cepext", ".raw", "-adcin", "yes", "-hyp", in("heard"), "-logfn", os.DevNull,
		"-hmm", s.model, "-dict", in("words.dict"), "-jsgf", in("answers.jsgf"),
	}, sphinxTuning...)
	if _, err := output(ctx, words, nil); err != nil {
		return "", err
	}
	heard, err := os.ReadFile(in("heard"))
	text, _, _ := strings.Cut(string(heard), "(") // the name and the score follow
	return strings.Join(strings.Fields(text), " "), err
}

// sphinxTuning levels the whole of an answer, and weighs no word of a long list less than
// one of a short list.
var sphinxTuning = []string{"-cmn", "batch", "-lw", "1"}

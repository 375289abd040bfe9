package speech

import (
	"context"
	_ "embed"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// sphinx recognises speech with pocketsphinx_batch and a model of what callers answer to a question. The batch
// program normalises an utterance by its mean, without which speech in the narrow band of a telephone is
// not recognised. It seeks in its input, so the utterance is in a file while it runs.
//
// Its programs start when somebody begins to speak: see trial.
//
// A sentence that may be a trip and an answer to a question with yes or no have a witness: a second run, at the same
// time, with the general model of English that comes with the acoustic model. It knows nothing of taxis, so that it is
// wrong at other places.
type sphinx struct {
	program string
	model   string // the folder of the acoustic model
	general string // the file of the general model
	words   *dictionary
}

// Limits of what is taken for speech.
const (
	shortest                   = 15    // hundredths of a second of the shortest answer; a knock is shorter
	longestWord, longestLetter = 40, 8 // hundredths of a second; longer sounds are humming
	mostHypotheses             = 8
)

// frequent are the 3,000 words that are likeliest in the general model.
//
//go:embed frequent.txt
var frequent string

// newSphinx returns a listener that runs pocketsphinx_batch with the model in a
// folder: an acoustic model with the name of the folder, and a dictionary beside it.
// espeak is the path of espeak-ng, which gives the pronunciations of words that are not
// in the dictionary; "": it is not installed.
func newSphinx(program, folder, espeak string) *sphinx {
	name := filepath.Base(folder)
	return &sphinx{
		program: program, model: filepath.Join(folder, name), general: filepath.Join(folder, name+".lm.bin"),
		words: &dictionary{file: filepath.Join(folder, "cmudict-"+name+".dict"), espeak: espeak},
	}
}

// Listen implements [Listener]. It understands English.
func (s *sphinx) Listen(ctx context.Context, pcm []int16, grammar voice.Grammar) (Heard, error) {
	if !isEnglish(grammar) {
		return Heard{}, nil
	}
	return s.begin(ctx, grammar, run).hear(ctx, pcm)
}

func isEnglish(grammar voice.Grammar) bool {
	return grammar.Language == "" || strings.HasPrefix(grammar.Language, "en")
}

// answer runs the program with the model of a question.
func (s *sphinx) answer(ctx context.Context, trial *trial, grammar voice.Grammar) (hearing, error) {
	const file = "answer"
	t := tongueFor(grammar)
	files, names := t.files(file, grammar.Places, grammar.Streets)
	return s.hear(ctx, trial, file, slices.Concat(t.words, names), files,
		"-lmctl", filepath.Join(trial.dir, file+".lmctl"), "-lmname", file, "-nbest", strconv.Itoa(mostHypotheses), "-nbestdir", trial.dir, "-nbestext", ".best")
}

// hearing is the result of one run.
type hearing struct {
	text   string
	frames int      // hundredths of a second of words
	hummed bool     // a word is too long to be spoken
	others []string // the likeliest texts, in order
}

// heard converts the result of a run. Its confidence is the share of words that its likeliest alternatives have in
// common with it. The program finds words in any sound, so the caller must decide whether they are an answer.
func (h hearing) heard(witness string) Heard {
	if h.hummed || h.frames < shortest {
		return Heard{}
	}
	found := Heard{Text: h.text, Confidence: 1, Witness: witness}
	words, shared := strings.Fields(h.text), 0.0
	for _, other := range h.others {
		share := common(words, strings.Fields(other))
		if shared += share; other != h.text && !slices.ContainsFunc(found.Alternatives, func(a Heard) bool { return a.Text == other }) {
			found.Alternatives = append(found.Alternatives, Heard{Text: other, Confidence: share})
		}
	}
	if n := len(h.others); n > 0 {
		found.Confidence = shared / float64(n)
	}
	found.Confidence = leastSure + (mostSure-leastSure)*found.Confidence
	return found
}

// leastSure and mostSure are the bounds of the confidence of a result.
const leastSure, mostSure = 0.4, 0.95

// common returns the share of words that both lists have in the same order, from 0 to 1.
func common(words, others []string) float64 {
	row := make([]int, len(others)+1) // the longest common part up to each of the others
	for _, word := range words {
		before := 0
		for i, other := range others {
			here := row[i+1]
			if row[i+1] = max(here, row[i]); word == other {
				row[i+1] = before + 1
			}
			before = here
		}
	}
	return float64(row[len(others)]) / float64(max(1, len(words), len(others)))
}

// hear runs the program with some words and files. name is that of its files.
func (s *sphinx) hear(ctx context.Context, t *trial, name string, words []string, files map[string]string, options ...string) (h hearing, err error) {
	sounds, err := s.words.pronounce(ctx, words)
	if err != nil {
		return h, err
	}
	file := filepath.Join(t.dir, name)
	if err := os.WriteFile(file+".dict", []byte(sounds), 0o600); err != nil {
		return h, err
	}
	for end, text := range files {
		if err := os.WriteFile(file+end, []byte(text), 0o600); err != nil {
			return h, err
		}
	}
	command := []string{
		s.program, "-ctl", "/dev/stdin", "-cepdir", t.dir, "-cepext", ".raw", "-adcin", "yes", "-hypseg", file, "-logfn", os.DevNull,
		"-hmm", s.model, "-cmn", "batch", "-lw", "6.5", "-dict", file + ".dict",
	}
	said := &names{ctx, t.ready, strings.NewReader("speech\n")}
	if err := t.run(ctx, append(command, options...), said, func([]byte) error { return nil }); err != nil {
		return h, err
	}
	heard, err := os.ReadFile(file)
	h = readSegments(string(heard))
	if best, err := os.ReadFile(filepath.Join(t.dir, "speech.best")); err == nil && files != nil {
		h.others = readHypotheses(string(best))
	}
	return h, err
}

// readSegments parses the output of -hypseg: a name, four letters each followed by a number, four fields for each
// segment, and the number of frames. The fields of a segment are its first frame, two scores, and a word. <sil> and
// (NULL) are not words.
func readSegments(line string) (h hearing) {
	const segments = 9
	fields := strings.Fields(line)
	if len(fields) <= segments {
		return hearing{} // nothing was recognised
	}
	var words []string
	for at := segments; at+4 < len(fields); at += 4 {
		word := spoken(fields[at+3])
		if word == "" {
			continue
		}
		from, _ := strconv.Atoi(fields[at])
		to, _ := strconv.Atoi(fields[at+4])
		words = append(words, word)
		h.frames += to - from
		h.hummed = h.hummed || to-from > longestWord+longestLetter*len(word)
	}
	h.text = strings.Join(words, " ")
	return h
}

// spoken returns a word of the program as text, without the number of its pronunciation; "" if it has no text.
func spoken(word string) string {
	word, _, _ = strings.Cut(word, "(")
	if word == "" || strings.ContainsRune("<[+", rune(word[0])) {
		return ""
	}
	return unmarked(word)
}

// readHypotheses parses a list of texts, each followed by its score.
func readHypotheses(list string) (texts []string) {
	for line := range strings.Lines(list) {
		var words []string
		for word := range strings.FieldsSeq(line) {
			if word = spoken(word); word != "" {
				words = append(words, word)
			}
		}
		if n := len(words) - 1; n > 0 {
			texts = append(texts, strings.Join(words[:n], " "))
		}
	}
	return texts
}

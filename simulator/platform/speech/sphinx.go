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

// sphinx recognises speech with pocketsphinx_batch and a grammar of the expected answers. The batch
// program normalises an utterance by its mean, without which speech in the narrow band of a telephone is
// not recognised. It seeks in its input, so the utterance is in a file while it runs.
type sphinx struct {
	program string
	model   string // the folder of the acoustic model
	words   *dictionary
}

// The program finds the likeliest answer of a grammar in any sound. A second run, with [otherWords] in
// any order, shows whether that answer was given: the confidence follows from how much worse those words
// fit the sound, for each hundredth of a second of speech. If they fit better, something else was said.
// The figures are from measurements: TestStrangeSounds and TestSpokenIntents of package platform.
const (
	doubtful            = 0.2 // the confidence if both fit equally well
	perFrame            = 0.2 // added to it for each point by which the other words are worse
	leastSure, mostSure = 0.05, 0.95

	shortest = 15  // hundredths of a second of the shortest answer; a knock is shorter
	covers   = 0.8 // the least part of the speech that an answer must cover

	longestWord, longestLetter = 40, 8 // hundredths of a second; longer sounds are humming
)

// newSphinx returns a listener that runs pocketsphinx_batch with the model in a
// folder: an acoustic model with the name of the folder, and a dictionary beside it.
// espeak is the path of espeak-ng, which gives the pronunciations of words that are not
// in the dictionary; "": it is not installed.
func newSphinx(program, folder, espeak string) *sphinx {
	name := filepath.Base(folder)
	return &sphinx{
		program: program, model: filepath.Join(folder, name),
		words: &dictionary{file: filepath.Join(folder, "cmudict-"+name+".dict"), espeak: espeak},
	}
}

// Listen implements [Listener].
func (s *sphinx) Listen(ctx context.Context, pcm []int16, grammar voice.Grammar) (Heard, error) {
	dir, err := os.MkdirTemp("", "cabrank-speech-")
	if err != nil {
		return Heard{}, err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "speech.raw"), bare(pcm), 0o600); err != nil {
		return Heard{}, err
	}
	if err := os.WriteFile(filepath.Join(dir, "names"), []byte("speech\n"), 0o600); err != nil {
		return Heard{}, err
	}
	var others hearing
	var bad error
	done := make(chan struct{})
	go func() { // ends with the program
		defer close(done)
		others, bad = s.hear(ctx, dir, "others", otherRules, "-beam", "1e-30", "-wbeam", "1e-20", "-pbeam", "1e-30")
	}()
	answer, err := s.hear(ctx, dir, "answer", rulesOf(grammar))
	<-done
	if err = errors.Join(err, bad); err != nil {
		return Heard{}, err
	}
	return weigh(answer, others), nil
}

// weigh returns the result of both runs.
func weigh(answer, others hearing) Heard {
	if answer.hummed || answer.frames < shortest || others.frames == 0 || float64(answer.frames) < covers*float64(others.frames) {
		return Heard{}
	}
	worse := float64(answer.score-others.score) / float64(answer.frames)
	return Heard{Text: answer.text, Confidence: max(leastSure, min(mostSure, doubtful+perFrame*worse))}
}

// hearing is the result of one run.
type hearing struct {
	text   string
	score  int  // how well the words and the silence between them fit the sound; 0 is best
	frames int  // hundredths of a second of words
	hummed bool // a word is too long to be spoken
}

// hear runs the program with a grammar. name is that of its files.
func (s *sphinx) hear(ctx context.Context, dir, name, rules string, options ...string) (hearing, error) {
	words, err := s.words.pronounce(ctx, wordsOf(rules))
	if err != nil {
		return hearing{}, err
	}
	file := filepath.Join(dir, name)
	for end, text := range map[string]string{".dict": words, ".jsgf": grammarFile(rules)} {
		if err := os.WriteFile(file+end, []byte(text), 0o600); err != nil {
			return hearing{}, err
		}
	}
	command := []string{
		s.program, "-ctl", filepath.Join(dir, "names"), "-cepdir", dir, "-cepext", ".raw", "-adcin", "yes", "-hypseg", file, "-logfn", os.DevNull,
		"-hmm", s.model, "-cmn", "batch", "-lw", "1", "-dict", file + ".dict", "-jsgf", file + ".jsgf",
	}
	if _, err := output(ctx, append(command, options...), nil); err != nil {
		return hearing{}, err
	}
	heard, err := os.ReadFile(file)
	return readSegments(string(heard)), err
}

// readSegments parses the output of -hypseg: a name, four letters each followed by a number, of which A is
// the acoustic score, four fields for each segment, and the number of frames. The fields of a segment are
// its first frame, two scores, and a word. <sil> and (NULL) are not words.
func readSegments(line string) (h hearing) {
	const score, segments = 6, 9
	fields := strings.Fields(line)
	if len(fields) <= segments {
		return hearing{} // nothing was recognised
	}
	h.score, _ = strconv.Atoi(fields[score])
	var words []string
	for at := segments; at+4 < len(fields); at += 4 {
		word, _, _ := strings.Cut(fields[at+3], "(") // the number of a pronunciation follows
		if word == "" || word[0] == '<' || word[0] == '[' {
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

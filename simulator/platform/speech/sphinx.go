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

// sphinx recognises speech by pocketsphinx_batch, with a grammar of what may be answered. The batch
// program normalises an answer by the mean of the whole answer. Without that, it understands
// nothing of a telephone's narrow band. It seeks in its input, so the answer is a file while it runs.
type sphinx struct {
	program string
	model   string // the folder of the acoustic model
	words   *dictionary
}

// The program finds the likeliest answer of a grammar in any sound. Whether it is the answer
// follows from a second run, with [otherWords] in any order: how much worse they explain the
// sound, for each hundredth of a second of speech. If they explain it better than the answer does,
// something else was said. The figures are measured: TestStrangeSounds and TestSpokenIntents of
// package platform.
const (
	doubtful            = 0.2 // the confidence of an answer that explains the sound as well as other words
	perFrame            = 0.2 // what is added to it if they are worse by one
	leastSure, mostSure = 0.05, 0.95

	shortest = 15  // hundredths of a second of speech that may be an answer; a knock is shorter
	covers   = 0.8 // part of the speech, by the other words, that an answer has at least

	longestWord, longestLetter = 40, 8 // hundredths of a second: who hums says no word
)

// newSphinx returns a listener that runs pocketsphinx_batch with the model in a
// folder: an acoustic model named as the folder is, and a dictionary beside it. espeak,
// if it is not "", is the espeak-ng that says how words are pronounced which the
// dictionary does not have.
func newSphinx(program, folder, espeak string) *sphinx {
	name := filepath.Base(folder)
	return &sphinx{
		program: program, model: filepath.Join(folder, name),
		words: &dictionary{file: filepath.Join(folder, "cmudict-"+name+".dict"), espeak: espeak},
	}
}

// Listen understands an answer of the grammar.
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

// weigh returns how sure an answer is beside other words.
func weigh(answer, others hearing) Heard {
	if answer.hummed || answer.frames < shortest || others.frames == 0 || float64(answer.frames) < covers*float64(others.frames) {
		return Heard{}
	}
	worse := float64(answer.score-others.score) / float64(answer.frames)
	return Heard{Text: answer.text, Confidence: max(leastSure, min(mostSure, doubtful+perFrame*worse))}
}

// hearing is what the program has heard.
type hearing struct {
	text   string
	score  int  // how well the words, and the silence between them, explain the sound; 0 is best
	frames int  // hundredths of a second of words
	hummed bool // a word is longer than anybody says it
}

// hear runs the program with a grammar. Its files have the given name.
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

// readSegments reads what -hypseg writes: a name, four letters with a number after each, of which
// A is the acoustic score, four fields for each segment, and the number of frames. The fields
// of a segment are its first frame, two scores, and a word. <sil> and (NULL) are no words.
func readSegments(line string) (h hearing) {
	const score, segments = 6, 9
	fields := strings.Fields(line)
	if len(fields) <= segments {
		return hearing{} // it has found nothing
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

package speech

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	lru "github.com/hashicorp/golang-lru/v2"
)

// dictionary has the pronunciations of words.
type dictionary struct {
	file   string
	espeak string

	once   sync.Once
	text   string
	places map[string]int // offset of a word's first line in text
	err    error
	others *lru.Cache[string, string] // guesses for words that are not in the dictionary
}

// mostOthers is the maximum number of guesses that are remembered.
const mostOthers = 10000

func (d *dictionary) load() {
	d.others, _ = lru.New[string, string](mostOthers)
	data, err := os.ReadFile(d.file)
	if err != nil {
		d.err = err
		return
	}
	d.text, d.places = string(data), make(map[string]int, 130000)
	for at := 0; at < len(d.text); {
		line := d.line(at)
		if word, _, ok := strings.Cut(line, " "); ok && !strings.HasSuffix(word, ")") {
			d.places[word] = at
		}
		at += len(line) + 1
	}
}

func (d *dictionary) line(at int) string {
	line, _, _ := strings.Cut(d.text[at:], "\n")
	return line
}

// pronounce returns a dictionary of some words, in the format of the file. A name of several words, with marks between
// them, is pronounced as its parts are.
func (d *dictionary) pronounce(ctx context.Context, words []string) (string, error) {
	d.once.Do(d.load)
	if d.err != nil {
		return "", d.err
	}
	words = slices.Compact(slices.Sorted(slices.Values(words)))
	var missing []string
	for _, word := range words {
		for part := range strings.FieldsSeq(unmarked(word)) {
			if _, ok := d.places[part]; !ok {
				missing = append(missing, part)
			}
		}
	}
	guessed := d.guess(ctx, missing)
	var out strings.Builder
	for _, word := range words {
		said := []string{""}
		for part := range strings.FieldsSeq(unmarked(word)) {
			said = joined(said, d.known(part, guessed))
		}
		for i, sounds := range said {
			if out.WriteString(word); i > 0 {
				fmt.Fprintf(&out, "(%d)", i+1)
			}
			out.WriteString(sounds + "\n")
		}
	}
	return out.String(), nil
}

// Limits of the pronunciations of a word, and of a name of several words.
const (
	mostOfWord = 3
	mostOfName = 6
)

// joined returns the pronunciations of some words followed by one more word.
func joined(said, more []string) (all []string) {
	for _, before := range said {
		for _, sounds := range more[:min(len(more), mostOfWord)] {
			all = append(all, before+" "+sounds)
		}
	}
	return all[:min(len(all), mostOfName)]
}

// known returns the pronunciations of a word.
func (d *dictionary) known(word string, guessed map[string]string) (all []string) {
	at, ok := d.places[word]
	if !ok {
		return []string{guessed[word]}
	}
	for at < len(d.text) {
		line := d.line(at)
		if !strings.HasPrefix(line, word+" ") && !strings.HasPrefix(line, word+"(") {
			break
		}
		_, sounds, _ := strings.Cut(line, " ")
		all = append(all, sounds)
		at += len(line) + 1
	}
	return all
}

// guess returns pronunciations of words that are not in the dictionary: those of
// espeak-ng, or else ones that follow from the spelling.
func (d *dictionary) guess(ctx context.Context, words []string) map[string]string {
	said := map[string]string{}
	var unknown []string
	for _, word := range words {
		if known, ok := d.others.Get(word); ok {
			said[word] = known
		} else {
			unknown = append(unknown, word)
		}
	}
	if len(unknown) == 0 {
		return said
	}
	var lines []string
	if d.espeak != "" {
		out, err := output(ctx, []string{d.espeak, "-q", "-v", "en-us", "--ipa", "--stdin"}, []byte(strings.Join(unknown, "\n\n")+"\n"))
		if err == nil {
			lines = strings.Split(strings.TrimSpace(string(out)), "\n")
		}
	}
	for i, word := range unknown {
		said[word] = spelledSounds(word)
		if len(lines) == len(unknown) {
			said[word] = cmp.Or(ipaSounds(lines[i]), said[word])
		}
		d.others.Add(word, said[word])
	}
	return said
}

// ipa maps the signs of the International Phonetic Alphabet to the sounds of American English, the longest signs first.
var ipa = signs(`aɪə AY ER, aɪɚ AY ER, tʃ CH, dʒ JH, aɪ AY, aʊ AW, eɪ EY, oʊ OW, əʊ OW, ɔɪ OY, ɑːɹ AA R, ɔːɹ AO R, oːɹ AO R,
	ɛɹ EH R, ɪɹ IH R, ʊɹ UH R, əl AH L, n̩ AH N, ɑː AA, ɑ AA, æ AE, ʌ AH, ɐ AH, ə AH, ᵻ IH, ɔː AO, ɔ AO, ɒ AA,
	ɛ EH, e EH, ɚ ER, ɜː ER, ɜ ER, ɪ IH, iː IY, i IY, ʊ UH, uː UW, u UW, oː AO, o OW, a AA, b B, d D, ð DH, f F,
	ɡ G, h HH, k K, l L, m M, n N, ŋ NG, p P, ɹ R, r R, s S, ʃ SH, t T, ɾ D, ʔ T, θ TH, v V, w W, j Y, z Z, ʒ ZH,
	x K`)

// sign is one or more characters and the sounds that they stand for.
type sign struct{ chars, sounds string }

// signs parses a list of signs, each followed by its sounds.
func signs(list string) (all []sign) {
	for one := range strings.SplitSeq(list, ",") {
		chars, sounds, _ := strings.Cut(strings.TrimSpace(one), " ")
		all = append(all, sign{chars, sounds})
	}
	return all
}

// letters maps letters of English words to sounds, the longest first. It is used where espeak-ng is not installed.
var letters = signs(`tch CH, igh AY, sh SH, ch CH, th TH, ph F, ck K, ng NG, ee IY, ea IY, oo UW, ou AW, ow OW, ai EY, ay EY,
	oa OW, qu K W, er ER, ar AA R, or AO R, ll L, ss S, tt T, nn N, rr R, pp P, mm M, dd D, a AE, b B, c K, d D,
	e EH, f F, g G, h HH, i IH, j JH, k K, l L, m M, n N, o AA, p P, q K, r R, s S, t T, u AH, v V, w W, x K S,
	y IY, z Z`)

func ipaSounds(text string) string { return read(text, ipa) }

func spelledSounds(word string) string { return cmp.Or(read(word, letters), "AH") }

// read returns the sounds of the signs in a text, from left to right. It skips other characters.
func read(text string, signs []sign) string {
	var said []string
next:
	for text != "" {
		for _, s := range signs {
			if strings.HasPrefix(text, s.chars) {
				said = append(said, s.sounds)
				text = text[len(s.chars):]
				continue next
			}
		}
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return strings.Join(said, " ")
}

package spoken

import (
	"fmt"
	"regexp"
	"strings"
)

// Lines of a prompt file that are not sentences.
var (
	opening = regexp.MustCompile(`^\{\{-?\s*define\s+"([^"]*)"\s*-?\}\}$`)
	closing = regexp.MustCompile(`^\{\{-?\s*end\s*-?\}\}$`)
	comment = regexp.MustCompile(`^\{\{-?\s*/\*.*\*/\s*-?\}\}$`)
)

// fileParser parses a prompt file line by line.
type fileParser struct {
	file    string
	line    int
	prompts map[PromptID][]sentence
	block   PromptID // the current block
	inside  bool
	opened  int // its first line
}

// parseFile parses a prompt file. Missing prompts are taken from fallback, which may be
// nil.
func parseFile(file, text string, fallback map[PromptID][]sentence) (map[PromptID][]sentence, error) {
	p := &fileParser{file: file, prompts: map[PromptID][]sentence{}}
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		p.line++
		if err := p.read(strings.TrimSpace(line)); err != nil {
			return nil, err
		}
	}
	if p.inside {
		return nil, fmt.Errorf("%s:%d: the prompt %q has no {{end}}", file, p.opened, p.block)
	}
	for _, id := range PromptIDs() {
		if len(p.prompts[id]) > 0 {
			continue
		}
		if p.prompts[id] = fallback[id]; len(fallback[id]) == 0 {
			return nil, fmt.Errorf("%s:%d: the prompt %q is missing", file, p.line, id)
		}
	}
	return p.prompts, nil
}

func (p *fileParser) read(line string) error {
	switch open := opening.FindStringSubmatch(line); {
	case line == "", comment.MatchString(line):
		return nil
	case open != nil:
		return p.open(PromptID(open[1]))
	case closing.MatchString(line) && p.inside:
		p.inside = false
		return nil
	case !p.inside:
		return fmt.Errorf("%s:%d: a sentence stands between {{define \"…\"}} and {{end}}", p.file, p.line)
	}
	s, err := newSentence(p.file, p.line, line)
	if err != nil {
		return err
	}
	p.prompts[p.block] = append(p.prompts[p.block], s)
	return nil
}

func (p *fileParser) open(id PromptID) error {
	switch {
	case p.inside:
		return fmt.Errorf("%s:%d: the prompt %q has no {{end}}", p.file, p.opened, p.block)
	case !id.known():
		return fmt.Errorf("%s:%d: there is no prompt %q", p.file, p.line, id)
	case p.prompts[id] != nil:
		return fmt.Errorf("%s:%d: the prompt %q is here for the second time", p.file, p.line, id)
	}
	p.block, p.inside, p.opened = id, true, p.line
	return nil
}

// Read parses prompt files, by language, as [Load] does. Missing prompts are taken from
// the built-in file of that language: a file may contain only the prompts that a firm
// changes, and an old file stays valid.
func Read(texts map[string]string) (*Prompts, error) {
	p := &Prompts{map[string]*language{}}
	for tag, text := range texts {
		if !tagPattern.MatchString(tag) {
			return nil, fmt.Errorf("%q: want a language and a country, such as en-GB", tag)
		}
		if len(text) > largestFile {
			return nil, fmt.Errorf("%s: is larger than %d bytes", tag, largestFile)
		}
		prompts, err := parseFile(tag+suffix, text, Builtin().of(tag))
		if err != nil {
			return nil, err
		}
		p.languages[strings.ToLower(tag)] = &language{tag, prompts}
	}
	return p, nil
}

// of returns the prompts of the language of a tag, for any country; nil: there are none.
func (p *Prompts) of(tag string) map[PromptID][]sentence {
	if l := p.find(tag); base(strings.ToLower(l.tag)) == base(strings.ToLower(tag)) {
		return l.prompts
	}
	return nil
}

package spoken

import (
	"fmt"
	"strings"
)

// Read reads the texts of prompt files, by language, as [Load] does. What a file lacks is
// said as the built-in file of that language says it: a file may hold the prompts that a
// firm words in its own way, and one that was saved for an older program goes on working.
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

// of returns the prompts of the language of a tag, whichever country's; nil: there are none.
func (p *Prompts) of(tag string) map[PromptID][]sentence {
	if l := p.find(tag); base(strings.ToLower(l.tag)) == base(strings.ToLower(tag)) {
		return l.prompts
	}
	return nil
}

package spoken

import (
	"fmt"
	"strings"
)

// Read reads the texts of prompt files, by language, as [Load] does.
func Read(texts map[string]string) (*Prompts, error) {
	p := &Prompts{map[string]*language{}}
	for tag, text := range texts {
		if !tagPattern.MatchString(tag) {
			return nil, fmt.Errorf("%q: want a language and a country, such as en-GB", tag)
		}
		if len(text) > largestFile {
			return nil, fmt.Errorf("%s: is larger than %d bytes", tag, largestFile)
		}
		prompts, err := parseFile(tag+suffix, text)
		if err != nil {
			return nil, err
		}
		p.languages[strings.ToLower(tag)] = &language{tag, prompts}
	}
	return p, nil
}

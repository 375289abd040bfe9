package spoken

import "slices"

// Languages lists the tags of the languages, in alphabetical order.
func (p *Prompts) Languages() []string {
	tags := make([]string, 0, len(p.languages))
	for _, l := range p.languages {
		tags = append(tags, l.tag)
	}
	return slices.Sorted(slices.Values(tags))
}

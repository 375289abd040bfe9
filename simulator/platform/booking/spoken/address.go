package spoken

import (
	"regexp"
	"strings"
	"unicode"
)

// postcode matches a British postcode, or a number before a town's name; neither helps a
// listener.
var (
	postcode   = regexp.MustCompile(`(?i)[\s,]+[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\s*$`)
	standalone = regexp.MustCompile(`(?i)^(?:flat|unit|room|apartment|apt|suite|block|floor|wohnung|zimmer|haus)\b|^[^\pL]*$`)
	houseToken = regexp.MustCompile(`^(\d{1,4})([A-Za-z]?)(?:[-–](\d{1,4})([A-Za-z]?))?(\W*)$`)
)

// address returns an address as people say it: only its first part, without town and
// postcode, and with the house number in words. In a chat it is complete.
func (s *Speaker) address(text string) string {
	if s.written {
		return s.plain(text, longestAddress*2)
	}
	text = postcode.ReplaceAllString(s.plain(text, longestAddress*2), "")
	var said []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		said = append(said, part)
		if !standalone.MatchString(part) {
			break
		}
	}
	words := strings.Fields(cut(strings.Join(said, ", "), longestAddress))
	for i, w := range words {
		words[i] = s.houseToken(w)
	}
	return strings.Join(words, " ")
}

// houseToken returns one word of an address as it is spoken; 14a is "fourteen A".
func (s *Speaker) houseToken(word string) string {
	m := houseToken.FindStringSubmatch(word)
	if m == nil {
		return word
	}
	said := s.forms.house(m[1], m[2])
	if m[3] != "" {
		said += " " + s.forms.to() + " " + s.forms.house(m[3], m[4])
	}
	return said + m[5]
}

// house returns a house number as it is spoken.
func (s *Speaker) house(number string) string {
	number = Plain(number, 12)
	if s.written {
		return number
	}
	return s.houseToken(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, number))
}

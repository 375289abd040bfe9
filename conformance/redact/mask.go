package redact

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Redactor replaces telephone numbers and credentials by pseudonyms. Every text that leaves the program is
// redacted once.
type Redactor struct {
	replacer *strings.Replacer // replaces numbers
	numbers  map[string]string
	written  []string          // numbers, the longest first
	secrets  map[string]string // pseudonyms by credential
	tokens   []string          // credentials that are looked for in texts, the longest first
	forms    *strings.Replacer // replaces these credentials where they are encoded
}

// mostTokens limits the credentials that are looked for in texts: recorded traffic may have a new signature
// in each call.
const mostTokens = 256

func newRedactor(numbers, secrets map[string]string, words func() map[string]bool) *Redactor {
	m := &Redactor{numbers: numbers, written: byLength(numbers), secrets: secrets}
	var pairs []string
	for _, n := range m.written {
		pairs = append(pairs, n, numbers[n])
	}
	m.replacer = strings.NewReplacer(pairs...)
	m.tokens = slices.DeleteFunc(byLength(secrets), func(s string) bool { return !unlikelyByChance(s) || words()[strings.ToLower(s)] })
	m.tokens = m.tokens[:min(len(m.tokens), mostTokens)]
	pairs = nil
	for _, secret := range m.tokens {
		for _, form := range formsOf(secret) {
			pairs = append(pairs, form, secrets[secret])
		}
	}
	m.forms = strings.NewReplacer(pairs...)
	return m
}

// formsOf returns a credential in other encodings: percent-encoded, in hexadecimal, and those characters of
// its base64 that do not depend on its position in a longer text.
func formsOf(secret string) []string {
	const least = 6 // letters; texts have fewer by chance
	forms := []string{url.QueryEscape(secret), url.PathEscape(secret)}
	for _, hex := range []string{"%x", "%X"} {
		forms = append(forms, fmt.Sprintf(hex, secret), "%"+strings.ReplaceAll(fmt.Sprintf("% "+hex[1:], secret), " ", "%"))
	}
	for before := range 3 {
		whole := base64.StdEncoding.EncodeToString(append(make([]byte, before), secret...))
		part := whole[(8*before+5)/6 : 8*(before+len(secret))/6]
		forms = append(forms, part, strings.NewReplacer("+", "-", "/", "_").Replace(part))
	}
	return slices.DeleteFunc(forms, func(form string) bool { return form == secret || len(form) < least })
}

// unlikelyByChance reports whether a credential is so long that texts do not contain it by chance.
func unlikelyByChance(secret string) bool {
	const short, shortNumber = 4, 7
	return len(secret) >= short && (len(secret) >= shortNumber || jsonvalue.Digits(secret) != secret)
}

// Text hides the numbers and credentials in a text, even one that was cut off at an ellipsis. Invalid UTF-8
// becomes U+FFFD, as it would when the text is written and read again.
func (m *Redactor) Text(s string) string {
	return m.cutShort(m.replace(strings.ToValidUTF8(s, "\uFFFD")))
}

// replace hides credentials that are whole words of a text, encoded credentials, and numbers anywhere.
func (m *Redactor) replace(s string) string {
	for _, secret := range m.tokens {
		s = replaceWord(s, secret, m.secrets[secret])
	}
	return m.replacer.Replace(m.forms.Replace(s))
}

// replaceWord replaces a word in a text by another, except where it is part of a longer word or of a path.
func replaceWord(s, word, by string) string {
	var b strings.Builder
	done, at := 0, 0
	for {
		next := strings.Index(s[at:], word)
		if next < 0 {
			return b.String() + s[done:]
		}
		at += next
		end := at + len(word)
		if !beginsWord(s[:at]) || !endsWord(s[end:]) {
			at++
			continue
		}
		b.WriteString(s[done:at] + by)
		done, at = end, end
	}
}

// beginsWord reports whether what follows a text begins a new word.
func beginsWord(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return !ofWord(r) && r != '/' && r != '.'
}

// endsWord reports whether a word ends before the text after it. The word before an equals sign does not
// count, since it is a name and not a value.
func endsWord(after string) bool {
	r, size := utf8.DecodeRuneInString(after)
	if r == '.' {
		r, _ = utf8.DecodeRuneInString(after[size:])
		return !ofWord(r)
	}
	return !ofWord(r) && r != '/' && r != '='
}

func ofWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-'
}

// cutShort hides, before each ellipsis, the beginning of a credential or number that was cut off there.
func (m *Redactor) cutShort(s string) string {
	head, tail, found := strings.Cut(s, "…")
	if !found {
		return s
	}
	return m.hideCutBeginning(head) + "…" + m.cutShort(tail)
}

// hideCutBeginning hides the beginning of a credential or number, of at least five bytes, at the end of a text.
func (m *Redactor) hideCutBeginning(s string) string {
	const least = 5 // bytes; fewer tell nothing
	for _, secret := range m.tokens {
		if n := overlap(s, secret); n >= least && beginsWord(s[:len(s)-n]) {
			return s[:len(s)-n] + m.secrets[secret]
		}
	}
	longest, number := least-1, ""
	for _, written := range m.written {
		if n := overlap(s, written); n > longest {
			longest, number = n, written
		}
	}
	if number == "" {
		return s
	}
	return s[:len(s)-longest] + m.numbers[number][:longest]
}

// overlap returns how many bytes at the end of a text are the beginning of a word, but not the whole word.
func overlap(text, word string) int {
	n := min(len(text), len(word)-1)
	for n > 0 && !strings.HasSuffix(text, word[:n]) {
		n--
	}
	return n
}

// finding hides the numbers and credentials in a finding. In its pointer it hides only numbers: the names of
// members remain, as they do in the bodies that it points into.
func (m *Redactor) finding(f *conformance.Finding) {
	f.Message, f.Expected, f.Got = m.Text(f.Message), m.Text(f.Expected), m.Text(f.Got)
	if f.Reason != nil {
		why := *f.Reason
		why.Text = m.Text(why.Text)
		f.Reason = &why
	}
	f.Pointer = m.replacer.Replace(strings.ToValidUTF8(f.Pointer, "\uFFFD"))
}

func (m *Redactor) Results(results []conformance.Result) []conformance.Result {
	for i := range results {
		for k := range results[i].Findings {
			m.finding(&results[i].Findings[k])
		}
	}
	return results
}

func (m *Redactor) Step(s conformance.Step) conformance.Step {
	s.Detail, s.Cure = m.Text(s.Detail), m.Text(s.Cure)
	return s
}

func (m *Redactor) Leftovers(left []conformance.Leftover) []conformance.Leftover {
	own := make([]conformance.Leftover, len(left))
	for i, l := range left {
		own[i] = conformance.Leftover{ID: m.Text(l.ID), UserID: m.Text(l.UserID), Reason: m.Text(l.Reason)}
	}
	return own
}

func (m *Redactor) Causes(causes []conformance.Cause) []conformance.Cause {
	for i := range causes {
		c := &causes[i]
		c.Message, c.Cure = m.Text(c.Message), m.Text(c.Cure)
	}
	return causes
}

// Observations hides the numbers and credentials in observations.
func (m *Redactor) Observations(all []conformance.Observation) []conformance.Observation {
	own := make([]conformance.Observation, len(all))
	for i, o := range all {
		own[i] = o
		own[i].Text = m.Text(o.Text)
	}
	return own
}

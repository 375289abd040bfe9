package cli

import (
	"bytes"
	"io"
	"regexp"
	"sync"
	"unicode/utf8"
)

// printed is the writer for the output of all commands. It replaces terminal control
// characters: names, words and errors come from other servers and may contain them. The
// program's own colours pass where output is coloured.
type printed struct {
	mu       sync.Mutex
	to       io.Writer
	coloured bool
	begun    []byte // the beginning of a character or colour code that the next write may complete
}

// Raw returns the writer to which the output w of a command passes text on, or w itself. Use it for output that moves
// the cursor and contains no text of other servers, and for a document that must be written byte for byte.
func Raw(w io.Writer) io.Writer {
	if p, ok := w.(*printed); ok {
		return p.to
	}
	return w
}

// ink matches the colours that [Paint] and package report write. begunInk matches a
// possible beginning of one at the end of a text.
var (
	ink      = regexp.MustCompile(`^\x1b\[(0|1|2|3[1-6]|1;3[1-6])m`)
	begunInk = regexp.MustCompile(`\x1b(\[[0-9;]{0,4})?$`)
)

// Write implements [io.Writer].
func (p *printed) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := text
	if len(p.begun) > 0 {
		all = append(p.begun, text...)
	}
	whole := len(all) - p.unfinished(all)
	p.begun = bytes.Clone(all[whole:])
	if _, err := p.to.Write(p.clean(all[:whole])); err != nil {
		return 0, err
	}
	return len(text), nil
}

// unfinished returns how many bytes at the end of a text must wait for the next write, since they may begin a
// character, a line end or a colour.
func (p *printed) unfinished(text []byte) int {
	if bytes.HasSuffix(text, []byte("\r")) {
		return 1
	}
	if at := begunInk.FindIndex(text); p.coloured && at != nil {
		return len(text) - at[0]
	}
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// clean replaces each unprintable character by U+FFFD. It returns the same slice if a text is plain.
func (p *printed) clean(text []byte) []byte {
	if plain(text) {
		return text
	}
	var out []byte
	for len(text) > 0 {
		n := p.printableBytes(text)
		if n == 0 {
			_, n = utf8.DecodeRune(text)
			out = utf8.AppendRune(out, utf8.RuneError)
		} else {
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	return out
}

// printableBytes returns the number of bytes at the beginning of a text that are printed
// unchanged: a character, a line end, a tab or a colour. 0 means that the first byte is
// replaced.
func (p *printed) printableBytes(text []byte) int {
	r, n := utf8.DecodeRune(text)
	switch {
	case r == '\n', r == '\t':
		return n
	case r == '\r' && bytes.HasPrefix(text, []byte("\r\n")):
		return 2
	case r == '\x1b' && p.coloured:
		return len(ink.Find(text))
	case r == utf8.RuneError && n == 1, !printable(r):
		return 0
	}
	return n
}

// plain reports whether a text is ASCII without control characters other than line ends
// and tabs.
func plain(text []byte) bool {
	for _, c := range text {
		if (c < ' ' || c > '~') && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// flush writes U+FFFD for a character or colour code that was begun and never completed.
func (p *printed) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.begun) > 0 {
		_, _ = p.to.Write([]byte(string(utf8.RuneError))) // the command has ended: a failure cannot be reported
	}
	p.begun = nil
}

// colour sets whether the program's own colours are printed unchanged.
func (p *printed) colour(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.coloured = on
}

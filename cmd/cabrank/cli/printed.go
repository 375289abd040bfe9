package cli

import (
	"bytes"
	"io"
	"regexp"
	"sync"
	"unicode/utf8"
)

// printed writes what all commands print, and replaces what a terminal would take for a
// command: names, words and errors come from somebody else's server, and one that nobody
// cleaned must do no harm. The program's own colours pass where output is coloured.
type printed struct {
	mu       sync.Mutex
	to       io.Writer
	coloured bool
	begun    []byte // of a character or a colour, that the next text may end
}

// Raw returns the writer beneath the one that a command has: for what moves the cursor, with
// nothing of anybody else's in it, and for a document that is wanted byte for byte.
func Raw(w io.Writer) io.Writer {
	if p, ok := w.(*printed); ok {
		return p.to
	}
	return w
}

// ink matches the colours that [Paint] and package report have. begunInk matches what may be
// the beginning of one at the end of a text.
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

// unfinished counts the bytes at the end of a text that mean nothing without the next.
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

// clean replaces what cannot be printed. Most texts need nothing.
func (p *printed) clean(text []byte) []byte {
	if plain(text) {
		return text
	}
	var out []byte
	for len(text) > 0 {
		n := p.passes(text)
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

// passes counts the bytes at the beginning of a text that are printed as they are: a
// character, the end of a line, a tab or a colour. 0: what begins there is replaced.
func (p *printed) passes(text []byte) int {
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

// plain reports a text of ASCII without control characters but line ends and tabs.
func plain(text []byte) bool {
	for _, c := range text {
		if (c < ' ' || c > '~') && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// flush writes the beginning of something that nobody ended.
func (p *printed) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.begun) > 0 {
		_, _ = p.to.Write([]byte(string(utf8.RuneError))) // the command has ended: nobody hears of a failure
	}
	p.begun = nil
}

// colour lets the program's own colours pass.
func (p *printed) colour(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.coloured = on
}

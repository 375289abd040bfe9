package jsonvalue

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// node is one value of a text that was read. The values of an object or array follow it, each
// with what it holds itself, in the order of the text.
type node struct {
	name string // of the member that it is, or in whose array it stands
	text string // of a string, decoded; of a number or literal as it is written
	span int32  // how many nodes it is, with those that it holds
	kind kind
}

// mostAhead is for how many nodes there is room at first: a text may look as if it held
// many, and be no JSON.
const mostAhead = 256

// parse reads the first JSON value of a text, as encoding/json would; nil: there is none.
func parse(text []byte) []node {
	p := parser{text: string(text), nodes: make([]node, 0, min(Nodes(text), mostAhead))}
	if !p.value("") {
		return nil
	}
	return p.nodes
}

// parser reads a text from front to back. Its methods return false where the text ends to be
// JSON.
type parser struct {
	text  string
	at    int
	depth int
	nodes []node
}

// value reads a value, for a node of that name, and reports whether it is valid.
func (p *parser) value(name string) (ok bool) {
	n, here := node{name: name}, len(p.nodes)
	p.nodes = append(p.nodes, n)
	switch c := p.peek(); c {
	case '{':
		n.kind, ok = object, p.inside('}', name, (*parser).member)
	case '[':
		n.kind, ok = array, p.inside(']', name, (*parser).value)
	case '"':
		n.kind = text
		n.text, ok = p.quoted()
	case 't':
		n.kind, n.text, ok = boolean, "true", p.literal("true")
	case 'f':
		n.kind, n.text, ok = boolean, "false", p.literal("false")
	case 'n':
		n.kind, n.text, ok = null, "null", p.literal("null")
	default:
		n.kind = number
		n.text, ok = p.number()
	}
	n.span = int32(len(p.nodes) - here)
	p.nodes[here] = n
	return ok
}

// deepest is how many objects and arrays may stand inside one another.
const deepest = 10_000

// inside reads the elements up to a closing bracket, with commas in between, and reports whether they are valid.
func (p *parser) inside(end byte, name string, each func(*parser, string) bool) bool {
	p.at++
	if p.depth++; p.depth > deepest {
		return false
	}
	for empty := p.skip(end); !empty; {
		if !each(p, name) {
			return false
		}
		if p.skip(end) {
			break
		}
		if !p.skip(',') {
			return false
		}
	}
	p.depth--
	return true
}

// member reads a member of an object, its name and its value, and reports whether it is valid.
func (p *parser) member(string) bool {
	if p.peek() != '"' {
		return false
	}
	name, ok := p.quoted()
	return ok && p.skip(':') && p.value(name)
}

// quoted reads a string.
func (p *parser) quoted() (string, bool) {
	from, escapes := p.at, false
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c < ' ':
			return "", false
		case c == '\\':
			escapes = true
			p.at++
		case c == '"':
			p.at++
			plain := p.text[from+1 : p.at-1]
			if !escapes && utf8.ValidString(plain) {
				return plain, true
			}
			return unquote(p.text[from:p.at])
		}
	}
	return "", false
}

// unquote decodes with encoding/json what only few strings have: escapes, and bytes that are not UTF-8.
func unquote(quoted string) (plain string, ok bool) {
	err := json.Unmarshal([]byte(quoted), &plain)
	return plain, err == nil
}

func (p *parser) literal(word string) bool {
	is := strings.HasPrefix(p.text[p.at:], word)
	p.at += len(word)
	return is
}

func (p *parser) number() (string, bool) {
	from := p.at
	p.next("-")
	ok := p.next("0") || p.digits()
	if p.next(".") {
		ok = ok && p.digits()
	}
	if p.next("eE") {
		p.next("+-")
		ok = ok && p.digits()
	}
	return p.text[from:p.at], ok
}

// digits consumes digits, and reports whether there was one.
func (p *parser) digits() bool {
	from := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at > from
}

// next consumes the next byte if it is one of those given, and reports whether it is.
func (p *parser) next(any string) bool {
	if p.at == len(p.text) || strings.IndexByte(any, p.text[p.at]) < 0 {
		return false
	}
	p.at++
	return true
}

// skip consumes a byte, with the white space before it, and reports whether it is there.
func (p *parser) skip(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.at++
	return true
}

// peek consumes white space, and returns the byte after it; 0: there is none.
func (p *parser) peek() byte {
	for ; p.at < len(p.text); p.at++ {
		if c := p.text[p.at]; c > ' ' || strings.IndexByte(space, c) < 0 {
			return c
		}
	}
	return 0
}

// Parse reads the first JSON value of a body. It is lenient: what else is wrong with the bytes is judged by
// rules of its own.
func Parse(body []byte) Value {
	return Value{nodes: parse(bytes.TrimPrefix(body, UTF8BOM))}
}

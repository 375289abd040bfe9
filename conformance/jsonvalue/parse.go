package jsonvalue

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// node is one value in a parsed JSON text. The nodes of the values in an object or array follow its own
// node, in the order of the text.
type node struct {
	name string // name of the member; for an element of an array, the array's
	text string // a string, decoded; a number or literal as it is written
	span int32  // number of nodes of the value: its own and those of the values in it
	kind kind
}

// mostAhead limits the nodes for which memory is allocated before parsing: a text may look as if it held
// many values and not be JSON.
const mostAhead = 256

// parse returns the nodes of the first JSON value of a text, which it reads as encoding/json would; nil:
// there is none.
func parse(text []byte) []node {
	p := parser{text: string(text), nodes: make([]node, 0, min(Nodes(text), mostAhead))}
	if !p.value("") {
		return nil
	}
	return p.nodes
}

// parser reads a text from front to back. Its methods return false when what follows is not valid JSON.
type parser struct {
	text  string
	at    int
	depth int
	nodes []node
}

// value reads a value into a node with the given name, and reports whether it is valid.
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

// deepest is how many levels objects and arrays may be nested.
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

// quoted reads a string and returns its decoded text; false: it is not valid.
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

// unquote decodes, by encoding/json, a string that has escapes or bytes that are not UTF-8.
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

// next consumes the next byte if it is one of those in any, and reports whether it did.
func (p *parser) next(any string) bool {
	if p.at == len(p.text) || strings.IndexByte(any, p.text[p.at]) < 0 {
		return false
	}
	p.at++
	return true
}

// skip consumes white space and then the byte c, and reports whether c was there.
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

// Parse reads the first JSON value of a body; the value is absent if there is none. Parse ignores what
// follows the value, since other rules judge that.
func Parse(body []byte) Value {
	return Value{nodes: parse(bytes.TrimPrefix(body, UTF8BOM))}
}

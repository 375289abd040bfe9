package jsonvalue

import "bytes"

// Nodes counts the values in a JSON text without parsing it: one for the whole, and one for each comma and
// opening bracket outside strings. For a text that is not JSON the number is only an estimate.
func Nodes(body []byte) int {
	n, inString := 1, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case !inString && (c == ',' || c == '{' || c == '['):
			n++
		}
	}
	return n
}

// Outline returns an object with only the short strings, numbers and booleans among the members of an
// object, such as its ids. It is for bodies that are too long to be parsed, and reads at most a hundred
// members. If the body is not an object, the value is absent.
func Outline(body []byte) Value {
	const most = 100
	rest := bytes.TrimLeft(bytes.TrimPrefix(body, UTF8BOM), space)
	if len(rest) == 0 || rest[0] != '{' {
		return Value{}
	}
	nodes := []node{{kind: object}}
	rest = rest[1:]
	for range most {
		name, after := cutValue(rest)
		after, colon := bytes.CutPrefix(bytes.TrimLeft(after, space), []byte(":"))
		key := short(name)
		if !colon || !key.IsText() {
			break
		}
		var text []byte
		text, rest = cutValue(after)
		if v := short(text); v.Given() {
			v.nodes[0].name = key.Text()
			nodes = append(nodes, v.nodes...)
		}
		var more bool
		if rest, more = bytes.CutPrefix(bytes.TrimLeft(rest, space), []byte(",")); !more {
			break
		}
	}
	nodes[0].span = int32(len(nodes))
	return Value{nodes: nodes}
}

const space = " \t\r\n"

// cutValue splits a JSON text after its first value, without checking what is in the value.
func cutValue(text []byte) (value, after []byte) {
	text = bytes.TrimLeft(text, space)
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
			if depth == 0 && !inString {
				return text[:i+1], text[i+1:]
			}
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return text[:i+1], text[i+1:]
			}
			if depth < 0 {
				return text[:i], text[i:]
			}
		case depth == 0 && (c == ',' || c == ':'):
			return text[:i], text[i:]
		}
	}
	return text, nil
}

// short parses a value that is a string, number, boolean or null of at most 512 bytes. Other values are
// absent.
func short(text []byte) Value {
	const longest = 512
	text = bytes.TrimRight(text, space)
	if len(text) == 0 || len(text) > longest || text[0] == '{' || text[0] == '[' {
		return Value{}
	}
	return Value{nodes: parse(text)}
}

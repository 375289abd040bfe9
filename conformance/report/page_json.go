package report

import (
	"bytes"
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// pin marks the place in a body that a finding points at.
type pin struct {
	Pointer string
	Outcome conformance.Outcome
	Label   string
}

// shownText is a body, split into lines.
type shownText struct {
	Lines []bodyLine
	More  int // bytes that are not shown
}

// bodyLine is a line of a body, with pins for the findings that point at it.
type bodyLine struct {
	Indent, Text, Mark string // Mark is a class; "": the text is not marked
	Pins               []pin
}

// size returns about how many bytes of the page the text takes.
func (t shownText) size() (n int) {
	for _, l := range t.Lines {
		n += len(l.Indent) + len(template.HTMLEscapeString(l.Text))
	}
	return n
}

// formatting makes the JSON parser lenient, and writes a value on one line.
var formatting = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true)}

// shownBody formats a JSON body with pins at the places that findings point to; a missing
// member is inserted where it should be. A brief layout omits the parts away from the pins. A
// body that is not JSON is shown unchanged.
func shownBody(body conformance.Body, cut int, brief bool, pins ...pin) shownText {
	const most = 6 << 10
	clipped := max(0, len(body)-most)
	p := painter{pins: map[string][]pin{}}
	p.More = clipped + cut
	if clipped == 0 { // do not parse a large body that is not shown
		if value, err := jsontext.AppendFormat(nil, bytes.TrimPrefix(body, jsonvalue.UTF8BOM), formatting...); err == nil {
			p.brief = brief && slices.ContainsFunc(pins, func(one pin) bool { return one.Pointer != "" })
			for _, one := range pins {
				p.pins[one.Pointer] = append(p.pins[one.Pointer], one)
			}
			p.paint(value, "", "", "", "")
			for _, one := range pins { // pins without a place
				p.writeMissingMembers("", "", one.Pointer)
			}
			return p.shownText
		}
	}
	if len(body) > 0 || len(pins) > 0 {
		p.Lines = []bodyLine{{Text: strings.ToValidUTF8(string(body[:len(body)-clipped]), "�"), Pins: pins}}
	}
	return p.shownText
}

// painter splits a JSON value into lines and attaches the pins.
type painter struct {
	shownText
	pins  map[string][]pin
	brief bool
}

// below reports whether any pin points below a pointer.
func (p *painter) below(pointer string) bool {
	for at := range p.pins {
		if strings.HasPrefix(at, pointer+"/") {
			return true
		}
	}
	return false
}

func (p *painter) paint(value jsontext.Value, pointer, key, indent, comma string) {
	const widest, deepest = 76, 120
	found := p.pins[pointer]
	delete(p.pins, pointer)
	container, below := value.Kind() == '{' || value.Kind() == '[', p.below(pointer)
	end := string(value[len(value)-1:]) + comma
	switch {
	case p.brief && container && len(found) == 0 && !below && len(value) > 40:
		p.put(indent, key+string(value[:1])+" … "+end, nil)
	case !container || len(indent) > deepest || !below && len(indent)+len(key)+len(value) <= widest:
		p.put(indent, key+string(value)+comma, found)
	default:
		p.put(indent, key+string(value[:1]), found)
		p.members(value, pointer, indent+"  ")
		p.put(indent, end, nil)
	}
}

// members writes the elements of an object or array, and a line for each missing member that a pin points
// at.
func (p *painter) members(value jsontext.Value, pointer, indent string) {
	d := jsontext.NewDecoder(bytes.NewReader(value), formatting...)
	_, err := d.ReadToken() // the opening bracket
	for i := 0; err == nil && d.PeekKind() != '}' && d.PeekKind() != ']'; i++ {
		name, step := "", strconv.Itoa(i)
		if value.Kind() == '{' {
			key, _ := d.ReadValue()
			name = string(key) + ": "
			unquoted, _ := jsontext.AppendUnquote(nil, key)
			step = jsonvalue.EscapePointer(string(unquoted))
		}
		var child jsontext.Value
		child, err = d.ReadValue()
		child, comma := child.Clone(), ","
		if next := d.PeekKind(); next == '}' || next == ']' {
			comma = ""
		}
		p.paint(child, pointer+"/"+step, name, indent, comma)
	}
	for _, at := range slices.Sorted(maps.Keys(p.pins)) {
		if i := strings.LastIndexByte(at, '/'); i >= 0 && at[:i] == pointer {
			p.writeMissingMembers(indent, strconv.Quote(at[i+1:])+": ", at)
		}
	}
}

func (p *painter) put(indent, text string, found []pin) {
	l := bodyLine{Indent: indent, Text: text, Pins: found}
	if len(found) > 0 {
		l.Mark = string(found[0].Outcome)
	}
	p.Lines = append(p.Lines, l)
}

// writeMissingMembers writes, for each pin at a pointer, a line that says that the member is missing.
func (p *painter) writeMissingMembers(indent, key, at string) {
	for _, one := range p.pins[at] {
		p.Lines = append(p.Lines, bodyLine{indent, key + "missing", string(one.Outcome) + " ghost", []pin{one}})
	}
	delete(p.pins, at)
}

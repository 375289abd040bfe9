package voice

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// parser reads a document and notes everything that is wrong with it. inbound.Reading, which reads
// the bodies of the other APIs, reads into a Go type: the type of a verb is known only once one of its
// members has been read, and texts and lists have bounds. Package voice imports no servers either.
type parser struct{ errors Errors }

// single returns the one JSON value in data.
func single(data []byte) (jsontext.Value, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(data))
	value, err := part(d, data)
	if err != nil {
		return nil, err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more follows the JSON value")
	}
	return value, nil
}

// part reads the next value as a part of the decoded text: a decoder's own result is only
// valid until the next read.
func part(d *jsontext.Decoder, of []byte) (jsontext.Value, error) {
	value, err := d.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(d.InputOffset())
	return of[end-len(value) : end], nil
}

// object is a JSON object that is read member by member. The reader takes the known
// members and then calls done.
type object struct {
	p       *parser
	pointer jsontext.Pointer
	members []member
}

type member struct {
	name  string
	value jsontext.Value
	taken bool
}

// object parses an object; anything else is an error.
func (p *parser) object(at jsontext.Pointer, value jsontext.Value) (*object, bool) {
	if value.Kind() != '{' {
		p.wrong(at, "must be an object")
		return nil, false
	}
	o := &object{p: p, pointer: at}
	d := jsontext.NewDecoder(bytes.NewBuffer(value))
	_, err := d.ReadToken()
	for err == nil && d.PeekKind() != '}' {
		var name jsontext.Token
		if name, err = d.ReadToken(); err != nil {
			break
		}
		m := member{name: name.String()}
		if m.value, err = part(d, value); err == nil {
			o.members = append(o.members, m)
		}
	}
	return o, true // root has proved that the value is well-formed
}

// elements reads an array of min to max elements.
func (p *parser) elements(at jsontext.Pointer, value jsontext.Value, least, most int) []jsontext.Value {
	if value.Kind() != '[' {
		p.wrong(at, "must be an array")
		return nil
	}
	var list []jsontext.Value
	d := jsontext.NewDecoder(bytes.NewBuffer(value))
	_, err := d.ReadToken()
	for err == nil && d.PeekKind() != ']' {
		var v jsontext.Value
		if v, err = part(d, value); err == nil {
			list = append(list, v)
		}
	}
	if len(list) < least || len(list) > most {
		p.wrong(at, fmt.Sprintf("must have %s", span(least, most, "element")))
		return nil
	}
	return list
}

// at is the pointer to a member.
func (o *object) at(name string) jsontext.Pointer { return o.pointer.AppendToken(name) }

// take returns and removes a member, if it is present.
func (o *object) take(name string) (jsontext.Value, bool) {
	for i, m := range o.members {
		if m.name == name {
			o.members[i].taken = true
			return m.value, true
		}
	}
	return nil, false
}

// require is take for a required member.
func (o *object) require(name string) (jsontext.Value, bool) {
	value, ok := o.take(name)
	if !ok {
		o.p.wrong(o.at(name), "is required")
	}
	return value, ok
}

// done adds an error for each member that was not taken.
func (o *object) done() {
	for _, m := range o.members {
		if !m.taken {
			o.p.wrong(o.at(m.name), "is not a known field")
		}
	}
}

// text reads a string of least to most characters.
func (p *parser) text(at jsontext.Pointer, value jsontext.Value, least, most int) string {
	var s string
	if value.Kind() == '"' {
		s = unquoted(value)
	} else {
		p.wrong(at, "must be a string")
		return ""
	}
	if n := utf8.RuneCountInString(s); n < least || n > most {
		p.wrong(at, "must have "+span(least, most, "character"))
	}
	return s
}

// optionalText reads a string that may be absent.
func (o *object) optionalText(name string, least, most int) string {
	if value, ok := o.take(name); ok {
		return o.p.text(o.at(name), value, least, most)
	}
	return ""
}

// requiredText reads a string that must be there and not be empty.
func (o *object) requiredText(name string, most int) string {
	if value, ok := o.require(name); ok {
		return o.p.text(o.at(name), value, 1, most)
	}
	return ""
}

// number reads an integer from least to most that may be absent.
func (o *object) number(name string, least, most int) int {
	value, ok := o.take(name)
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(string(value))
	if value.Kind() != '0' || err != nil || n < least || n > most {
		o.p.wrong(o.at(name), fmt.Sprintf("must be an integer from %d to %d", least, most))
		return 0
	}
	return n
}

// flag reads a boolean that may be absent.
func (o *object) flag(name string) *bool {
	value, ok := o.take(name)
	if !ok {
		return nil
	}
	if kind := value.Kind(); kind != 't' && kind != 'f' {
		o.p.wrong(o.at(name), "must be true or false")
		return nil
	}
	return new(value.Kind() == 't')
}

// choice reads a string out of a set that may be absent.
func (o *object) choice(name string, among ...string) string {
	value, ok := o.take(name)
	if !ok {
		return ""
	}
	if value.Kind() == '"' && slices.Contains(among, unquoted(value)) {
		return unquoted(value)
	}
	o.p.wrong(o.at(name), "must be one of "+strings.Join(among, ", "))
	return ""
}

func unquoted(value jsontext.Value) string {
	s, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return "" // root has proved that the value is well-formed
	}
	return string(s)
}

// span formats a range, such as "1 to 20 elements".
func span(least, most int, what string) string {
	if least == 0 {
		return fmt.Sprintf("at most %d %ss", most, what)
	}
	return fmt.Sprintf("%d to %d %ss", least, most, what)
}

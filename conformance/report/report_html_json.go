package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// pin marks a place in a body with a finding.
type pin struct {
	pointer string
	outcome conformance.Outcome
	label   string
}

// shownBody formats a JSON body with pins at the places that findings point to; a missing
// member is inserted where it should be. A brief layout omits the parts away from the pins. A
// body that is not JSON is shown unchanged.
func shownBody(body conformance.Body, cut int, brief bool, pins ...pin) escaped {
	const most = 6 << 10
	clipped := max(0, len(body)-most)
	var b strings.Builder
	var tree *node
	ok := false
	if clipped == 0 { // do not parse a large body that is not shown
		tree, ok = parseTree(body)
	}
	if ok {
		p := painter{b: &b, pins: map[string][]pin{}}
		p.brief = brief && slices.ContainsFunc(pins, func(one pin) bool { return one.pointer != "" })
		for _, one := range pins {
			p.pins[one.pointer] = append(p.pins[one.pointer], one)
		}
		p.paint(tree, "", "", "", true)
		for _, one := range pins { // pins without a place
			for _, left := range p.pins[one.pointer] {
				p.ghost("", "", left)
			}
			delete(p.pins, one.pointer)
		}
	} else {
		put(&b, g.Text(strings.ToValidUTF8(string(body[:len(body)-clipped]), "�")))
		for _, one := range pins {
			put(&b, g.Text("\n"), labelled(one))
		}
	}
	if clipped+cut > 0 {
		put(&b, g.Text("\n"), h.I(text("… ", clipped+cut, " more bytes")))
	}
	return escaped(b.String())
}

// put writes nodes; writing to a builder cannot fail.
func put(b *strings.Builder, nodes ...g.Node) { _ = g.Group(nodes).Render(b) }

// node is a JSON value with its members in the order in which they were sent.
type node struct {
	raw      string // a scalar as written
	open     string // "{" or "[" of a container
	keys     []string
	children []*node
}

func parseTree(body conformance.Body) (*node, bool) {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, jsonvalue.UTF8BOM)))
	d.UseNumber()
	n, err := readNode(d, 0)
	return n, err == nil && !d.More()
}

func readNode(d *json.Decoder, depth int) (*node, error) {
	const deepest = 60
	t, err := d.Token()
	if err != nil || depth > deepest {
		return nil, fmt.Errorf("not shown as JSON: %w", err)
	}
	delim, ok := t.(json.Delim)
	if !ok {
		return &node{raw: written(t)}, nil
	}
	n := &node{open: delim.String()}
	for d.More() {
		if n.open == "{" {
			key, err := d.Token()
			if err != nil {
				return nil, fmt.Errorf("not shown as JSON: %w", err)
			}
			n.keys = append(n.keys, fmt.Sprint(key))
		}
		child, err := readNode(d, depth+1)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, child)
	}
	_, err = d.Token() // the closing bracket
	return n, err
}

// written writes a scalar as JSON, whole.
func written(scalar any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(scalar); err != nil {
		return fmt.Sprint(scalar)
	}
	return strings.TrimSpace(b.String())
}

var closing = map[string]string{"{": "}", "[": "]"}

// line writes a node on one line.
func (n *node) line() string {
	if n.open == "" {
		return n.raw
	}
	parts := make([]string, len(n.children))
	for i, c := range n.children {
		parts[i] = c.line()
		if n.open == "{" {
			parts[i] = strconv.Quote(n.keys[i]) + ": " + parts[i]
		}
	}
	return n.open + strings.Join(parts, ", ") + closing[n.open]
}

type painter struct {
	b     *strings.Builder
	pins  map[string][]pin
	brief bool
}

// within reports whether a pin is at a pointer or below it.
func (p *painter) within(pointer string) bool {
	for at := range p.pins {
		if at == pointer || strings.HasPrefix(at, pointer+"/") {
			return true
		}
	}
	return false
}

func (p *painter) paint(n *node, pointer, key, indent string, last bool) {
	const widest = 76
	comma := ","
	if last {
		comma = ""
	}
	found := p.pins[pointer]
	delete(p.pins, pointer)
	oneLine := n.line()
	if p.brief && n.open != "" && len(found) == 0 && !p.within(pointer) && len(oneLine) > 40 {
		p.put(indent, key+n.open+" … "+closing[n.open]+comma, nil)
		return
	}
	if n.open == "" || !p.within(pointer) && len(indent)+len(key)+len(oneLine) <= widest {
		p.put(indent, key+oneLine+comma, found)
		return
	}
	p.put(indent, key+n.open, found)
	deeper := indent + "  "
	for i, c := range n.children {
		name, step := "", strconv.Itoa(i)
		if n.open == "{" {
			name, step = strconv.Quote(n.keys[i])+": ", jsonvalue.EscapePointer(n.keys[i])
		}
		p.paint(c, pointer+"/"+step, name, deeper, i == len(n.children)-1)
	}
	for _, at := range slices.Sorted(maps.Keys(p.pins)) {
		if parent, member, ok := cutLast(at); ok && parent == pointer {
			for _, one := range p.pins[at] {
				p.ghost(deeper, strconv.Quote(member)+": ", one)
			}
			delete(p.pins, at)
		}
	}
	p.put(indent, closing[n.open]+comma, nil)
}

func cutLast(pointer string) (parent, member string, ok bool) {
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return "", "", false
	}
	return pointer[:i], pointer[i+1:], true
}

func (p *painter) put(indent, content string, found []pin) {
	if len(found) == 0 {
		put(p.b, g.Text(indent+content+"\n"))
		return
	}
	put(p.b, g.Text(indent), h.Mark(class(found[0].outcome), g.Text(content)))
	for _, one := range found {
		put(p.b, g.Text(" "), labelled(one))
	}
	p.b.WriteString("\n")
}

// ghost inserts a missing member.
func (p *painter) ghost(indent, key string, one pin) {
	put(p.b, g.Text(indent), h.Mark(class(one.outcome, " ghost"), g.Text(key+"missing")), g.Text(" "), labelled(one), g.Text("\n"))
}

func labelled(one pin) g.Node { return h.Span(class("label ", one.outcome), g.Text(one.label)) }

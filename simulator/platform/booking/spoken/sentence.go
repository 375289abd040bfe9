package spoken

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template/parse"
)

// sentence is one line of a prompt.
//
// It has the syntax of text/template, but only the template parser is used: if templates
// were executed, the linker would have to keep every exported method, a seventh of the
// program's size.
type sentence struct {
	parts parts
	slots []string
}

// parts write the parts of a sentence in order. A part with an absent slot returns false.
type parts []func(out *strings.Builder, slots map[string]string) bool

// test is the condition of an {{if}}.
type test func(slots map[string]string) bool

// newSentence parses a line of a prompt file. Errors contain the file and the line.
func newSentence(file string, line int, text string) (sentence, error) {
	above := strings.Repeat("\n", line-1) // so that the parser reports the file's line numbers
	trees, err := parse.Parse(file, above+text, "", "", map[string]any{"and": true, "or": true, "not": true})
	if err != nil {
		return sentence{}, fmt.Errorf("%s (a sentence stands on one line)", strings.TrimPrefix(err.Error(), "template: "))
	}
	var s sentence
	if s.parts, err = s.list(trees[file].Root); err == nil && len(trees) > 1 {
		err = errors.New("a prompt cannot be defined within another")
	}
	if err != nil {
		return sentence{}, fmt.Errorf("%s:%d: %w", file, line, err)
	}
	return s, nil
}

func (s *sentence) list(n *parse.ListNode) (all parts, err error) {
	if n == nil {
		return nil, nil
	}
	for _, child := range n.Nodes {
		switch child := child.(type) {
		case *parse.TextNode:
			all = append(all, func(out *strings.Builder, _ map[string]string) bool {
				out.Write(child.Text)
				return true
			})
		case *parse.ActionNode:
			err = s.said(&all, child.Pipe)
		case *parse.IfNode:
			err = s.branch(&all, child)
		default:
			err = notUnderstood(child)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// said adds a slot; if it is absent, the sentence is left out.
func (s *sentence) said(to *parts, n *parse.PipeNode) error {
	if len(n.Decl) > 0 || len(n.Cmds) != 1 || len(n.Cmds[0].Args) != 1 {
		return notUnderstood(n)
	}
	slot, err := s.slot(n.Cmds[0].Args[0])
	if err != nil {
		return err
	}
	*to = append(*to, func(out *strings.Builder, slots map[string]string) bool {
		out.WriteString(slots[slot])
		return slots[slot] != ""
	})
	return nil
}

func (s *sentence) branch(to *parts, n *parse.IfNode) error {
	holds, err := s.test(n.Pipe)
	if err != nil {
		return err
	}
	then, err := s.list(n.List)
	if err != nil {
		return err
	}
	otherwise, err := s.list(n.ElseList)
	if err != nil {
		return err
	}
	*to = append(*to, func(out *strings.Builder, slots map[string]string) bool {
		if holds(slots) {
			return then.write(out, slots)
		}
		return otherwise.write(out, slots)
	})
	return nil
}

// test parses a condition: a slot, which may be absent, or and, or and not of conditions.
func (s *sentence) test(n parse.Node) (test, error) {
	pipe, ok := n.(*parse.PipeNode)
	if !ok {
		slot, err := s.slot(n)
		return func(slots map[string]string) bool { return slots[slot] != "" }, err
	}
	if len(pipe.Decl) > 0 || len(pipe.Cmds) != 1 {
		return nil, notUnderstood(n)
	}
	args := pipe.Cmds[0].Args
	word, ok := args[0].(*parse.IdentifierNode)
	switch {
	case !ok && len(args) == 1:
		return s.test(args[0])
	case !ok, len(args) == 1, word.Ident == "not" && len(args) > 2:
		return nil, notUnderstood(n)
	}
	var of []test
	for _, arg := range args[1:] {
		t, err := s.test(arg)
		if err != nil {
			return nil, err
		}
		of = append(of, t)
	}
	return func(slots map[string]string) bool {
		holds := func(t test) bool { return t(slots) }
		fails := func(t test) bool { return !t(slots) }
		switch word.Ident {
		case "or":
			return slices.ContainsFunc(of, holds)
		case "not":
			return fails(of[0])
		}
		return !slices.ContainsFunc(of, fails)
	}, nil
}

// slot returns the slot of a node, and stores its name.
func (s *sentence) slot(n parse.Node) (string, error) {
	field, ok := n.(*parse.FieldNode)
	if !ok {
		return "", notUnderstood(n)
	}
	name := strings.Join(field.Ident, ".")
	if slotOf[name] == nil {
		return "", fmt.Errorf("there is no slot .%s; the slots are .%s", name, strings.Join(slotNames(), ", ."))
	}
	s.slots = append(s.slots, name)
	return name, nil
}

func notUnderstood(n parse.Node) error {
	return fmt.Errorf("%s is not understood: want a slot, as in {{.pickup}}, or {{if}}, {{else}} and {{end}} with slots, and, or, not", n)
}

// offers reports whether the sentence offers a choice.
func (s sentence) offers() bool {
	return slices.ContainsFunc(s.slots, func(slot string) bool {
		return strings.HasSuffix(slot, "Key") || strings.HasPrefix(slot, "key")
	})
}

// say inserts the slots. It returns false if the sentence is left out.
func (s sentence) say(slots map[string]string) (string, bool) {
	var text strings.Builder
	if !s.parts.write(&text, slots) {
		return "", false
	}
	line := strings.Join(strings.Fields(text.String()), " ")
	if strings.HasSuffix(line, "..") { // after "p.m."
		line = strings.TrimSuffix(line, ".")
	}
	return line, line != ""
}

func (all parts) write(out *strings.Builder, slots map[string]string) bool {
	for _, part := range all {
		if !part(out, slots) {
			return false
		}
	}
	return true
}

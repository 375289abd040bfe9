package spoken

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
)

// sentence is one line of a prompt.
type sentence struct {
	template *template.Template
	slots    []string
}

// errAbsent ends a sentence that speaks of a slot that is not there.
var errAbsent = errors.New("absent")

// newSentence reads a line of a prompt file. The errors name the file and the line.
func newSentence(file string, line int, text string) (sentence, error) {
	above := strings.Repeat("\n", line-1) // so that the parser counts as the file does
	t, err := template.New(file).Option("missingkey=zero").
		Funcs(template.FuncMap{"said": said}).Parse(above + text)
	if err != nil {
		return sentence{}, fmt.Errorf("%s (a sentence stands on one line)", strings.TrimPrefix(err.Error(), "template: "))
	}
	s := sentence{template: t}
	s.walk(t.Root)
	for _, slot := range s.slots {
		if slotOf[slot] == nil {
			return sentence{}, fmt.Errorf("%s:%d: there is no slot .%s; the slots are .%s", file, line, slot, strings.Join(SlotNames(), ", ."))
		}
	}
	return s, nil
}

// said fails for a slot that is not there.
func said(text string) (string, error) {
	if text == "" {
		return "", errAbsent
	}
	return text, nil
}

// walk notes the slots of a sentence, and makes each that is said fail when it is
// absent; one that is only asked about may be absent.
func (s *sentence) walk(n parse.Node) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, child := range n.Nodes {
				s.walk(child)
			}
		}
	case *parse.ActionNode:
		s.walk(n.Pipe)
		if len(n.Pipe.Decl) == 0 {
			check := parse.NewIdentifier("said").SetPos(n.Pos).SetTree(nil)
			n.Pipe.Cmds = append(n.Pipe.Cmds, &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Pos, Args: []parse.Node{check}})
		}
	case *parse.IfNode:
		s.branch(&n.BranchNode)
	case *parse.WithNode:
		s.branch(&n.BranchNode)
	case *parse.PipeNode:
		for _, command := range n.Cmds {
			for _, arg := range command.Args {
				s.walk(arg)
			}
		}
	case *parse.FieldNode:
		s.slots = append(s.slots, n.Ident...)
	}
}

func (s *sentence) branch(n *parse.BranchNode) {
	s.walk(n.Pipe)
	s.walk(n.List)
	s.walk(n.ElseList)
}

// offers reports whether the sentence offers a choice.
func (s sentence) offers() bool {
	return slices.ContainsFunc(s.slots, func(slot string) bool {
		return strings.HasSuffix(slot, "Key") || strings.HasPrefix(slot, "key")
	})
}

// say puts the slots in. It reports false for a sentence that is left out.
func (s sentence) say(slots map[string]string) (string, bool) {
	var text strings.Builder
	if err := s.template.Execute(&text, slots); err != nil {
		return "", false
	}
	line := strings.Join(strings.Fields(text.String()), " ")
	if strings.HasSuffix(line, "..") { // after p.m.
		line = strings.TrimSuffix(line, ".")
	}
	return line, line != ""
}

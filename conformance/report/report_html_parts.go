package report

import (
	"fmt"
	"io"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"github.com/cabrank/cabrank/conformance"
)

// escaped is HTML in which every text is escaped already.
type escaped string

// Render writes it unchanged.
func (e escaped) Render(w io.Writer) error { return g.Raw(string(e)).Render(w) }

// each is g.Map for long lists: it makes the node of an element when it is rendered, and ends
// it with a newline.
func each[T any](all []T, node func(T) g.Node) g.Node {
	return numbered(all, func(_ int, one T) g.Node { return node(one) })
}

// numbered is each, with the place of an element.
func numbered[T any](all []T, node func(int, T) g.Node) g.Node {
	return g.NodeFunc(func(w io.Writer) error {
		for i, one := range all {
			if err := (g.Group{node(i, one), g.Raw("\n")}).Render(w); err != nil {
				return err
			}
		}
		return nil
	})
}

// open makes a details element initially open.
func open(yes bool) g.Node { return g.If(yes, g.Attr("open")) }

// text escapes what fmt.Sprint makes of the parts.
func text(parts ...any) g.Node { return g.Text(fmt.Sprint(parts...)) }

// class joins words to the class of an element.
func class(words ...any) g.Node { return h.Class(fmt.Sprint(words...)) }

// to is a link to a place on the page.
func to(id string) g.Node { return h.Href("#" + id) }

// callLink links to a call.
func callLink(label string, id int) g.Node {
	return h.A(to(fmt.Sprint("call-", id)), text(label, id))
}

// callLinks link to calls.
func callLinks(label string, ids []int) g.Node {
	return g.Map(ids, func(id int) g.Node { return g.Group{callLink(label, id), g.Text(" ")} })
}

// section is a part of the page with its heading.
func section(id, title string, content ...g.Node) g.Node {
	return h.Section(h.ID(id), h.H2(g.Text(title)), g.Group(content))
}

// list is a heading and a list with an item for each element; nothing if there are none.
func list[T any](heading g.Node, all []T, item func(T) g.Node, attributes ...g.Node) g.Node {
	return g.If(len(all) > 0, g.Group{h.H3(heading), h.Ul(g.Group(attributes), each(all, item))})
}

// item is a text in a list.
func item(s string) g.Node { return h.Li(g.Text(s)) }

// term is a term with its description.
func term(name string, description ...g.Node) g.Node {
	return g.Group{h.Dt(g.Text(name)), h.Dd(description...)}
}

// pill shows the glyph of an outcome before a word.
func pill(o conformance.Outcome, word any) g.Node {
	return h.Span(class("pill ", o), text(glyphs[o], " ", word))
}

// chips shows verdicts in a row, each with a link to its explanation.
func chips(results []conformance.Result) g.Node {
	return g.Map(results, func(r conformance.Result) g.Node { return chip(r, r.ID) })
}

// chipsOn is chips with the operations.
func chipsOn(results []conformance.Result) g.Node {
	return g.Map(results, func(r conformance.Result) g.Node { return chip(r, r.ID+" "+string(r.Operation)) })
}

func chip(r conformance.Result, label string) g.Node {
	at := to(anchor(r.ID, string(r.Operation)))
	return g.Group{h.A(class("chip ", r.Outcome), at, h.Title(string(r.Outcome)), text(glyphs[r.Outcome], " ", label)), g.Text(" ")}
}

// bar draws a score and the observed verdicts, with the widths of [page.widths].
func bar(s conformance.Score, seen int) g.Node {
	return h.Span(class("bar"), stretch(conformance.Pass, s.Pass), stretch(conformance.Warn, s.Warn), stretch(conformance.Fail, s.Fail),
		stretch("known", s.Known), stretch(conformance.NotVerified, s.NotVerified), stretch(conformance.Seen, seen))
}

func stretch(o conformance.Outcome, n int) g.Node {
	return g.If(n != 0, h.I(class(o, " n", n)))
}

// counted is a number in bold; nothing for 0.
func counted(o conformance.Outcome, n int, word string) g.Node {
	return g.If(n != 0, g.Group{h.B(class(o), text(n, " ", word)), g.Text(" ")})
}

// filter is the form that filters the rows after it. The script makes it visible.
func filter(placeholder, label string, choices ...g.Node) g.Node {
	return h.Form(class("filter"), h.Hidden(""),
		h.Input(h.Type("search"), h.Name("q"), h.Placeholder(placeholder), h.Aria("label", label)), g.Group(choices), g.El("output"))
}

// choice is a select of a filter.
func choice[T ~string](name, label string, values []T, more ...g.Node) g.Node {
	return h.Select(h.Name(name), h.Aria("label", label), h.Option(h.Value(""), g.Text("every "+label)), g.Group(more),
		g.Map(values, func(v T) g.Node { return h.Option(text(v)) }))
}

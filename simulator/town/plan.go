package town

import (
	_ "embed"
	"encoding/binary"
)

// plan is what of a generated town takes long to make: its streets, and in which order
// its hierarchy contracts the nodes.
type plan struct {
	nodes   []XY
	pieces  []piece
	streets []Street
	order   []int32 // of the nodes that routes are found over, below the core; nil: to be found
}

// defaultPlan is the plan of the small town of seed 1, which serve makes unless it is told
// otherwise. Growing it took half of the time until a server was ready. A test compares it
// with the town as it grows, and writes it with -update.
//
//go:embed default.plan
var defaultPlan []byte

// planOf is the plan of a town.
func planOf(o Options, f *field) plan {
	if o.Seed == 1 && o.Size == SmallTown {
		var p plan
		p.code(&planCoder{text: defaultPlan, reads: true})
		return p
	}
	return newPlan(o, f)
}

// newPlan traces the streets of a town.
func newPlan(o Options, f *field) plan {
	w := weave(trace(f, parksFor(f, o.Seed), o.Seed), f)
	pieces := w.pieces()
	streets := w.streets(pieces, o)
	return plan{nodes: w.nodes, pieces: pieces, streets: streets}
}

// code writes or reads a plan.
func (p *plan) code(c *planCoder) {
	codeAll(c, &p.nodes, c.point)
	codeAll(c, &p.streets, func(s *Street) {
		codeSmall(c, &s.Class)
		codeSmall(c, &s.kind)
		c.flag(&s.deadEnd)
	})
	codeAll(c, &p.pieces, func(e *piece) {
		c.number(&e.from)
		c.number(&e.to)
		c.number(&e.street)
		c.number(&e.length)
		c.number(&e.speed)
		codeSmall(c, &e.class)
		c.flag(&e.oneWay)
		c.flag(&e.bridge)
		codeAll(c, &e.shape, c.point)
	})
	codeAll(c, &p.order, c.number)
}

// planCoder writes numbers as varints, or reads them. What it reads is our own, so it
// checks nothing.
type planCoder struct {
	text  []byte // written, or still to be read
	reads bool
	last  XY
}

func (c *planCoder) number(n *int32) {
	if !c.reads {
		c.text = binary.AppendVarint(c.text, int64(*n))
		return
	}
	read, size := binary.Varint(c.text)
	*n, c.text = int32(read), c.text[size:]
}

// point codes the way from the point before, which is shorter than the point.
func (c *planCoder) point(p *XY) {
	way := XY{p.X - c.last.X, p.Y - c.last.Y}
	c.number(&way.X)
	c.number(&way.Y)
	*p = XY{c.last.X + way.X, c.last.Y + way.Y}
	c.last = *p
}

func (c *planCoder) flag(set *bool) {
	n := int32(0)
	if *set {
		n = 1
	}
	c.number(&n)
	*set = n == 1
}

// codeSmall codes a number of one byte.
func codeSmall[T ~uint8](c *planCoder, v *T) {
	n := int32(*v)
	c.number(&n)
	*v = T(n)
}

// codeAll codes a list: its length, then each of its members.
func codeAll[T any](c *planCoder, list *[]T, one func(*T)) {
	n := int32(len(*list))
	c.number(&n)
	if c.reads {
		*list = make([]T, n)
	}
	for i := range *list {
		one(&(*list)[i])
	}
}

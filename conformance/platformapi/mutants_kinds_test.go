package platformapi_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cabrank/cabrank/conformance/matrix"
)

// kind is one of trunk, hook and device, with a member of each sort.
type kind struct{ name, family, mark, typed, kept string }

// mutants returns mutants with the faults that each kind can have.
func (k kind) mutants() []matrix.Mutant {
	list, read := "/"+k.name, "/"+k.name+"/[^/]+"
	m := func(name, n string, most int, l layer) matrix.Mutant {
		return mutant(k.name+": "+name, k.family+"-"+n, most, l)
	}
	var typed any = "5"
	if k.typed == k.mark {
		typed = 5
	}
	// changed says, of reads and lists, once updates have been served or before.
	changed := func(pattern string, updated bool, member string) layer {
		return func(s *state, c *call) {
			c.pass()
			if c.is("PUT", read) && c.status/100 == 2 {
				s.flags["put"] = true
			}
			if c.is("GET", pattern) && c.status == 200 && s.flags["put"] == updated {
				set(member, "astray")(c)
			}
		}
	}
	served := func(when func(c *call) bool) layer {
		return func(s *state, c *call) {
			c.pass()
			if c.is("GET", read) && c.status == 200 {
				s.last["read"] = c.reply
			}
			if c.is("GET", read) && c.status == 404 && when(c) && s.last["read"] != nil {
				c.answer(200, s.last["read"])
			}
		}
	}
	all := []matrix.Mutant{
		m("a list in an object", "01", many, after("GET", list, func(c *call) { c.reply = object{"items": c.reply} })),
		m("another type", "03", 12, after("GET", read, set(k.typed, typed))),
		m("created and not listed", "04", many, after("GET", list, func(c *call) { c.reply = []any{} })),
		m("created and changed", "05", 0, changed(read, false, k.kept)),
		m("put and not kept", "06", 0, changed(read, true, k.kept)),
		m("put and not listed", "07", 0, changed(list, true, k.mark)),
		m("another id", "08", 0, after("GET", read, set("id", "11111111-1111-4111-8111-111111111111"))),
		m("any id is there", "09", 0, served(func(c *call) bool { return strings.Contains(c.r.URL.Path, "c0fa6c") })),
		m("another account's", "10", 0, served(func(c *call) bool { return !strings.Contains(c.r.URL.Path, "c0fa6c") })),
		m("anything is taken", "12", 0, func(_ *state, c *call) {
			if c.pass(); c.is("POST", list) && c.status == 400 && json.Valid(c.sent) {
				c.answer(201, object{})
			}
		}),
		m("a refused change is half made", "13", 0, func(s *state, c *call) {
			if c.pass(); c.is("PUT", read) {
				s.flags["half"] = c.status == 400
			}
			if c.is("GET", read) && c.status == 200 && s.flags["half"] {
				set(k.kept, "half")(c)
			}
		}),
		m("ids that are no UUIDs", "02", 40, func(_ *state, c *call) {
			c.r.URL.Path = strings.ReplaceAll(c.r.URL.Path, "/x-", "/")
			c.sent = []byte(strings.ReplaceAll(string(c.sent), `"x-`, `"`))
			if c.pass(); c.status == 200 && (c.is("GET", list) || c.is("GET", read)) {
				for _, o := range c.items() {
					o["id"] = fmt.Sprint("x-", o["id"])
				}
			}
		}),
		m("listed twice", "16", 0, after("GET", list, func(c *call) {
			items, _ := c.reply.([]any)
			c.reply = append(items, items...)
		})),
	}
	if k.name == "device" {
		all = append(all,
			mutant("no sipGateway", "DEV-17", 0, after("GET", read, set("sipGateway", nil))),
			mutant("no startRoute", "DEV-18", 0, after("GET", read, set("startRoute", nil))))
	}
	return all
}

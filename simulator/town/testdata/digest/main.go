// Command digest prints a SHA-256 for each of a few towns: over their streets,
// names, places, and some of their doors and routes. It is run under
// several builds to see that the towns are the same.
package main

import (
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/cabrank/cabrank/simulator/town"
)

func main() {
	for _, o := range []town.Options{{Seed: 1, Size: town.SmallTown}, {Seed: 2}} {
		h := sha256.New()
		write(h, town.Generate(o))
		fmt.Printf("%x\n", h.Sum(nil))
	}
}

func write(w io.Writer, t *town.Town) {
	fmt.Fprintln(w, t.Name, t.Size, t.Nodes, t.Places)
	for i, l := range t.Links {
		fmt.Fprintln(w, l.From, l.To, l.Street, l.Length, l.Speed, int(l.Class), l.OneWay, l.Bridge, t.Shape(int32(i)))
	}
	for _, s := range t.Streets {
		fmt.Fprintln(w, s.Name, int(s.Class), s.Length, s.Links, s.Numbers())
	}
	for i := 0; i < t.Doors(); i += 97 {
		a := t.Door(t.NthDoor(i))
		fmt.Fprintln(w, a, t.Point(a.At))
	}
	r := t.NewRouter()
	for i := 0; i < t.Doors()-1_000; i += 999 {
		route, ok := r.Route(t.Door(t.NthDoor(i)).Kerb, t.Door(t.NthDoor(t.Doors()-1-i)).Kerb, nil)
		fmt.Fprintln(w, ok, route.Length, route.Duration, route.Steps, route.At(route.Duration/3))
	}
}

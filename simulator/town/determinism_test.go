package town_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/town"
)

// golden has a SHA-256 for each of a few towns. It changes with every change to what
// is generated, and must not change with anything else: then recorded runs of
// the simulator could not be replayed.
const golden = `
0cbaac5e3f4a553e783a6132e9757ba88c714afea4d4448e74c154c21e33689c
84819ac650f36e315b7129f9ea8ed275182170a827f4e462677fbfc2155e77bd
`

// TestSameTownOnEveryProcessor is also run by the gate as compiled for processors with
// fused multiply-add (GOAMD64=v3), which rounds fractions otherwise.
func TestSameTownOnEveryProcessor(t *testing.T) {
	var digests strings.Builder
	for _, o := range []town.Options{{Seed: 1, Size: town.SmallTown}, {Seed: 2}} {
		h := sha256.New()
		write(h, town.Generate(o))
		fmt.Fprintf(&digests, "%x\n", h.Sum(nil))
	}
	require.Equal(t, strings.TrimSpace(golden), strings.TrimSpace(digests.String()))
}

// write writes what a town is made of: its streets, names, places, and some of its doors and routes.
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

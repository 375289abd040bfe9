package town_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/town"
)

// TestTheDefaultTownIsTheSameOnEveryProcessor compares the town with a hash, since a world of a
// seed is the same only in the same town. The gate also runs it as compiled for processors with
// fused multiply-add (GOAMD64=v3), which rounds fractions otherwise.
func TestTheDefaultTownIsTheSameOnEveryProcessor(t *testing.T) {
	h := sha256.New()
	write(h, town.Default())
	require.Equal(t, "a4444b39ad6a81f2b0e43872ba5e6d9c7803952fb098fc8d511cc814f95213e8", hex.EncodeToString(h.Sum(nil)))
}

// write writes the parts of a town: its streets, names, places, and some of its doors and
// routes.
func write(w io.Writer, t *town.Town) {
	fmt.Fprintln(w, t.Name, t.Size, t.Nodes, t.Places)
	for i, l := range t.Links {
		fmt.Fprintln(w, l.From, l.To, l.Street, l.Length, l.Speed, int(l.Class), l.OneWay, t.Shape(int32(i)))
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

// TestStreetsAreFoundFromHalfAName checks that a street is found by a name that a speech
// recogniser has changed: without its type, or with a letter of its stem lost or two swapped.
func TestStreetsAreFoundFromHalfAName(t *testing.T) {
	tn := town.Default()
	for i := 0; i < len(tn.Streets); i += 7 {
		name := tn.Streets[i].Name
		stem := strings.ToLower(name[:strings.LastIndexByte(name, ' ')])
		if len(stem) < 5 || stem == "station" {
			continue
		}
		middle := len(stem) / 2
		kind := name[len(stem):]
		for _, said := range []string{
			stem, stem + " boulevard", stem[:middle] + stem[middle+1:] + kind,
			stem[:middle-1] + stem[middle:middle+1] + stem[middle-1:middle] + stem[middle+1:] + kind,
		} {
			found, err := tn.Lookup("2 " + said)
			require.NoError(t, err, said)
			require.Contains(t, found.Text, "2 "+name+", ", "%q", said)
		}
	}
}

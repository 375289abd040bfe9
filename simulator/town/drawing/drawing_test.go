package drawing_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/simulator/town/drawing"
)

func TestSVGIsWellFormedAndNamesThings(t *testing.T) {
	tn := town.Generate(town.Options{Seed: 3, Size: town.SmallTown})
	var b, again bytes.Buffer
	require.NoError(t, drawing.SVG(&b, tn))
	require.NoError(t, drawing.SVG(&again, tn))
	require.True(t, bytes.Equal(b.Bytes(), again.Bytes()))
	for _, text := range []string{tn.Name, "seed 3", tn.Name + " Station", town.HighStreet, "Ring Road", "River ", "250 m"} {
		require.True(t, strings.Contains(b.String(), text), text) //nolint:testifylint // a failure that shows the map helps nobody
	}
	d := xml.NewDecoder(&b)
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
	}
	require.Error(t, drawing.SVG(fullDisk{}, tn))
}

// fullDisk is a writer that has no room.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

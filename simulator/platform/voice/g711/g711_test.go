package g711_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice/g711"
)

func TestEveryByteComesBack(t *testing.T) {
	for i := range 256 {
		b := byte(i)
		if b != 0x7F { // the second zero of µ-law comes back as the first
			require.Equal(t, b, g711.ToMuLaw(g711.MuLaw(b)), "µ-law %#x", b)
		}
		require.Equal(t, b, g711.ToALaw(g711.ALaw(b)), "A-law %#x", b)
	}
}

func TestASampleComesBackNearly(t *testing.T) {
	for v := -32768; v <= 32767; v++ {
		off := max(v, -v)/16 + 16
		require.InDelta(t, v, int(g711.MuLaw(g711.ToMuLaw(int16(v)))), float64(off), "µ-law")
		require.InDelta(t, v, int(g711.ALaw(g711.ToALaw(int16(v)))), float64(off), "A-law")
	}
}

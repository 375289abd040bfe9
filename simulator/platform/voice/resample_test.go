package voice_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// tone returns one second of a sine wave.
func tone(hertz float64, rate int) []int16 {
	pcm := make([]int16, rate)
	for i := range pcm {
		pcm[i] = int16(math.Round(10000 * math.Sin(2*math.Pi*hertz*float64(i)/float64(rate))))
	}
	return pcm
}

// apart returns the power of the difference of two sounds, in decibels relative to the first.
func apart(a, b []int16) float64 {
	var signal, noise float64
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		signal, noise = signal+float64(a[i])*float64(a[i]), noise+d*d
	}
	return 10 * math.Log10(noise/signal)
}

// TestResamplerPreservesTones checks that a tone that both rates can represent is preserved, whether it is added at once or in
// pieces, and that one that the lower rate cannot represent is removed.
func TestResamplerPreservesTones(t *testing.T) {
	for _, rates := range [][2]int{{8000, 16000}, {16000, 8000}, {22050, 8000}, {22050, 16000}, {48000, 16000}, {44100, 8000}, {11025, 8000}, {44101, 8000}, {8000, 8000}} {
		t.Run(fmt.Sprint(rates), func(t *testing.T) {
			in, want := tone(1000, rates[0]), tone(1000, rates[1])
			r := voice.NewResampler(rates[0], rates[1])
			var got []int16
			for i := 0; i < len(in); i += 37 {
				got = r.Add(got, in[i:min(i+37, len(in))])
			}
			got = r.Flush(got)
			require.Len(t, got, rates[1])
			edge := rates[1] / 100
			require.Less(t, apart(want[edge:len(want)-edge], got[edge:len(got)-edge]), -45.0)
			require.Equal(t, got, voice.Resampled(in, rates[0], rates[1]))
			if rates[0] > rates[1] {
				high := voice.Resampled(tone(0.75*float64(rates[1]), rates[0]), rates[0], rates[1])
				require.Less(t, loudest(high[edge:len(high)-edge]), 100)
			}
		})
	}
}

func loudest(pcm []int16) int {
	most := 0
	for _, v := range pcm {
		most = max(most, int(math.Abs(float64(v))))
	}
	return most
}

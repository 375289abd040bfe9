//go:build browser

package browsertest

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Pictures are kept at an eighth of their size, and compared there: which edge of a letter
// is how grey is the business of the machine's fonts, where something stands is ours.
const shrink = 8

// What may differ between a picture and the one that is kept: noticeable is how far apart
// a channel of a pixel must be, most the part of pixels that may be.
const (
	noticeable = 28
	most       = 0.02
)

// kept are the views of which a picture is kept, with their colours. Nothing in them depends
// on how fast the machine is.
var kept = map[string]string{"live-journey-desk": "light", "journeys-phone": "dark"}

// looksAsKept compares what a view looks like with its picture, if one is kept.
func (p *tab) looksAsKept(view string) {
	p.t.Helper()
	colours, is := kept[view]
	if !is {
		return
	}
	p.colours(colours)
	defer p.colours("light")
	p.settled()
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	require.NoError(p.t, err)
	same(p.t, filepath.Join("testdata", "pictures", view+".png"), picture)
}

// same holds a picture to the small one in a file.
func same(t *testing.T, file string, picture []byte) {
	t.Helper()
	whole, err := png.Decode(bytes.NewReader(picture))
	require.NoError(t, err)
	now := shrunk(whole)
	if golden.Update() {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, packed(t, now), 0o600))
		return
	}
	before, err := os.Open(file)
	require.NoError(t, err, "-update makes it")
	defer before.Close()
	old, err := png.Decode(before)
	require.NoError(t, err)
	if part := differs(old, now); part > most {
		name := filepath.Base(file)
		require.NoError(t, os.WriteFile(filepath.Join(t.ArtifactDir(), name), picture, 0o600))
		t.Errorf("%s: %.1f %% of it looks different; -update keeps it if that is meant", name, 100*part)
	}
}

// shrunk is a picture in which each pixel is the mean of a square.
func shrunk(of image.Image) *image.RGBA {
	b := of.Bounds()
	small := image.NewRGBA(image.Rect(0, 0, b.Dx()/shrink, b.Dy()/shrink))
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			var red, green, blue uint32
			for i := range shrink * shrink {
				r, g, b, _ := of.At(b.Min.X+x*shrink+i%shrink, b.Min.Y+y*shrink+i/shrink).RGBA()
				red, green, blue = red+r>>8, green+g>>8, blue+b>>8
			}
			const n = shrink * shrink
			small.SetRGBA(x, y, color.RGBA{uint8(red / n), uint8(green / n), uint8(blue / n), 255})
		}
	}
	return small
}

// differs is the part of two pictures' pixels that somebody would notice.
func differs(a, b image.Image) float64 {
	if a.Bounds() != b.Bounds() {
		return 1
	}
	far, all := 0, 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			if max(apart(r1, r2), apart(g1, g2), apart(b1, b2)) > noticeable {
				far++
			}
			all++
		}
	}
	return float64(far) / float64(all)
}

func apart(a, b uint32) uint32 { return max(a>>8, b>>8) - min(a>>8, b>>8) }

func packed(t *testing.T, picture image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, picture))
	return b.Bytes()
}

// The comparison notices a missing card, and ignores letters that are a pixel further right.
func TestPicturesAreCompared(t *testing.T) {
	draw := func(shift, cards int) image.Image {
		whole := image.NewRGBA(image.Rect(0, 0, 800, 480))
		for i := range whole.Pix {
			whole.Pix[i] = 240
		}
		for y := range 480 {
			for x := range 800 {
				if x/200 < cards && x%200 > 20 && y > 100 && y < 300 && (x+shift)%6 < 2 {
					whole.SetRGBA(x, y, color.RGBA{20, 20, 20, 255})
				}
			}
		}
		return shrunk(whole)
	}
	require.LessOrEqual(t, differs(draw(0, 4), draw(1, 4)), most)
	require.Greater(t, differs(draw(0, 4), draw(0, 3)), most)
}

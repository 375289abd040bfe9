package calls

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// mostDecoding bounds the sound files that are decoded at a time: a short file of
// MP3 may be much longer once it is decoded.
const mostDecoding = 2

// sound fetches and decodes what the verb play names.
func (c *Calls) sound(ctx context.Context, _ voice.Info, address string) (voice.Audio, error) {
	file, err := c.opts.Client.Fetch(ctx, address, voice.MaxAudioBytes)
	if err != nil {
		return voice.Audio{}, err
	}
	select {
	case c.decoding <- struct{}{}:
	case <-ctx.Done():
		return voice.Audio{}, ctx.Err()
	}
	defer func() { <-c.decoding }()
	return voice.DecodeAudio(file)
}

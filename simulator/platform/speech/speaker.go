package speech

import "context"

// Speaker turns text into sound.
type Speaker interface {
	// Speak delivers what a text sounds like, piece by piece and in order: mono
	// samples of 16 bits, rate of them a second. The first piece comes as soon as
	// the program has made it. Speak returns once the last piece was delivered or
	// ctx is done, or with the error of deliver. A piece is the receiver's to keep,
	// and not to change: several calls may hear the same one.
	//
	// voice is a name such as en-GB-Standard-B. A speaker without that voice takes
	// one of its language.
	Speak(ctx context.Context, text, voice string, rate int, deliver func(pcm []int16) error) error
}

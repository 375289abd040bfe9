package speech

import "context"

// Speaker turns text into sound.
type Speaker interface {
	// Speak delivers the sound of a text in pieces: mono samples of 16 bits at a
	// sample rate. It delivers each piece as soon as it is made, and returns after the
	// last piece, when ctx is done, or with the error of deliver. The receiver may keep
	// a piece but must not change it, since several calls may share it.
	//
	// voice is a name such as en-GB-Standard-B. A speaker without that voice uses
	// another one of its language.
	Speak(ctx context.Context, text, voice string, rate int, deliver func(pcm []int16) error) error
}

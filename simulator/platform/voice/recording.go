package voice

import "io"

// Recording is a recorded dial.
type Recording struct {
	ID          string  `json:"recordingId"`
	Duration    Seconds `json:"recordedDuration"`
	Transcript  []Line  `json:"transcript,omitempty"`  // with Record.Transcribe
	Interrupted bool    `json:"interrupted,omitempty"` // the file could not be written to its end
}

// RecordingFile is where a recording goes: a WAV file, 8 kHz, 16 bits, stereo with
// the call's own leg on the left and the dialled one on the right. One that has the method
// Truncate of [os.File] is made longer by it where nobody says anything.
type RecordingFile interface {
	io.WriteSeeker
	io.Closer
}

// Recorder makes the file of a recording. What becomes of the file later, and for
// how long it is kept, is for whoever made it.
type Recorder func(call Info, id string) (RecordingFile, error)

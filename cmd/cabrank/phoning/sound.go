package phoning

import (
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Sound names the programs that speak and that hear; "": those that are installed.
type Sound struct{ SayWith, HearWith string }

// Add adds the flags that name them.
func (f *Sound) Add(fs *pflag.FlagSet) {
	fs.StringVar(&f.SayWith, "say-with", "", "program that speaks, such as 'espeak-ng -v {voice} --stdin --stdout', 'lines: PROGRAM' or tcp:127.0.0.1:PORT (default the first of espeak-ng, flite and pico2wave that is installed)")
	fs.StringVar(&f.HearWith, "hear-with", "", "program that recognises speech, such as 'whisper-cli -f {file}', 'lines: PROGRAM' or tcp:127.0.0.1:PORT (default pocketsphinx, if it is installed)")
}

// speaker is the program that speaks; nil: there is none.
func (f *Sound) speaker() (speech.Speaker, error) {
	speaker, err := speech.OpenSpeaker(f.SayWith)
	if err != nil {
		return nil, cli.UsageError("--say-with: %w", err)
	}
	return speaker, nil
}

// listener is the program that hears; nil: there is none.
func (f *Sound) listener() (speech.Listener, error) {
	listener, err := speech.OpenListener(f.HearWith)
	if err != nil {
		return nil, cli.UsageError("--hear-with: %w", err)
	}
	return listener, nil
}

// recogniser returns the recogniser of a platform; nil: no program for it is installed.
func (f *Sound) recogniser() (voice.Recogniser, error) {
	listener, err := f.listener()
	if listener == nil || err != nil {
		return nil, err
	}
	return speech.Recogniser{Listener: listener}, nil
}

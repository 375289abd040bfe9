package phoning

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// voiceFlags are the flags of the command voice.
type voiceFlags struct {
	sound                       Sound
	say, out, hear, voice, hint string
	rate                        int
	asJSON                      bool
}

// voiceReport is the output of the command voice with --json.
type voiceReport struct {
	Programs []speech.Program `json:"programs"`
	Install  string           `json:"install,omitempty"` // the line that installs what is missing
	Spoken   *spokenReport    `json:"spoken,omitempty"`
	Heard    *speech.Heard    `json:"heard,omitempty"`
}

// spokenReport describes a file with speech.
type spokenReport struct {
	File    string  `json:"file"`
	Seconds float64 `json:"seconds"`
	FirstMs int64   `json:"firstMs"` // until the first sound was there
}

func newVoice(out cli.Outside) *cobra.Command {
	var f voiceFlags
	cmd := &cobra.Command{
		Use:   "voice",
		Short: "Show which programs speak and recognise speech, and try them",
		Long: `Show which programs of this machine turn text into sound and sound into text for real telephone lines and
microphones, and the line that installs what is missing. --say speaks a sentence into a WAV file, --hear reads one
back; together, the second hears what the first has spoken.

Without any program, keys and typed words work, and the browser speaks the prompts.`,
		Example: `  cabrank voice
  cabrank voice --say "Where from?" --out prompt.wav
  cabrank voice --hear answer.wav --hints "Town Hall,the station,the airport"
  cabrank voice --say "the station please" --out s.wav --hear s.wav --hints "the station please,the airport please"`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), out.Stdout) },
	}
	fs := cmd.Flags()
	f.sound.Add(fs)
	fs.StringVar(&f.say, "say", "", "sentence to speak into the file of --out")
	fs.StringVar(&f.out, "out", "", "WAV file for --say")
	fs.StringVar(&f.hear, "hear", "", "WAV file to recognise")
	fs.StringVar(&f.voice, "voice", "en-GB-Standard-B", "voice that speaks: one of the platform's names, or one of the program's own")
	fs.StringVar(&f.hint, "hints", "", "answers to expect with --hear, with commas between; pocketsphinx recognises only these, yes, no and help")
	fs.IntVar(&f.rate, "rate", speech.ListenRate, "samples a second of --out: 8000 is a telephone's")
	fs.BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

func (f *voiceFlags) run(ctx context.Context, w io.Writer) error {
	switch {
	case (f.say == "") != (f.out == ""):
		return cli.UsageError("--say and --out belong together")
	case f.rate < 8000 || f.rate > 48000:
		return cli.UsageError("--rate is %d, want 8000 to 48000", f.rate)
	}
	report := voiceReport{Programs: speech.Programs()}
	if missing(report.Programs) {
		report.Install = installLine(runtime.GOOS)
	}
	if err := f.speak(ctx, &report); err != nil {
		return err
	}
	if err := f.recognise(ctx, &report); err != nil {
		return err
	}
	if f.asJSON {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(report)
	}
	return report.print(w)
}

// missing reports whether no program is installed that speaks, or none that recognises speech.
func missing(programs []speech.Program) bool {
	done := map[speech.Job]bool{}
	for _, p := range programs {
		done[p.Job] = done[p.Job] || p.Path != ""
	}
	return !done[speech.Says] || !done[speech.Hears]
}

// installLine returns the command that installs the programs on a system.
func installLine(system string) string {
	return cmp.Or(speech.Install[system], speech.Install["debian"])
}

// speak speaks the sentence of --say into the file of --out, and adds that to a report.
func (f *voiceFlags) speak(ctx context.Context, report *voiceReport) error {
	if f.say == "" {
		return nil
	}
	speaker, err := f.sound.speaker()
	if err != nil {
		return err
	}
	if speaker == nil {
		return fmt.Errorf("no program that speaks is installed: %s", installLine(runtime.GOOS))
	}
	var pcm []int16
	began, first := cli.Now(), time.Duration(-1)
	err = speaker.Speak(ctx, f.say, f.voice, f.rate, func(more []int16) error {
		if first < 0 {
			first = cli.Now().Sub(began)
		}
		pcm = append(pcm, more...)
		return nil
	})
	if err != nil {
		return fmt.Errorf("say: %w", err)
	}
	report.Spoken = &spokenReport{f.out, float64(len(pcm)) / float64(f.rate), first.Milliseconds()}
	return os.WriteFile(f.out, speech.Wave(pcm, f.rate), 0o600)
}

// recognise recognises the speech in the file of --hear, and adds the text to a report.
func (f *voiceFlags) recognise(ctx context.Context, report *voiceReport) error {
	if f.hear == "" {
		return nil
	}
	listener, err := f.sound.listener()
	if err != nil {
		return err
	}
	if listener == nil {
		return fmt.Errorf("no program that recognises speech is installed: %s", installLine(runtime.GOOS))
	}
	data, err := os.ReadFile(f.hear)
	if err != nil {
		return err
	}
	pcm, rate, err := speech.ReadWave(data)
	if err != nil {
		return fmt.Errorf("%s: %w", f.hear, err)
	}
	grammar := voice.Grammar{Language: "en-GB"}
	if f.hint != "" {
		grammar.Hints = strings.Split(f.hint, ",")
	}
	heard, err := listener.Listen(ctx, voice.Resampled(pcm, rate, speech.ListenRate), grammar)
	if err != nil {
		return fmt.Errorf("hear: %w", err)
	}
	report.Heard = &heard
	return nil
}

// print writes the report for people.
func (r voiceReport) print(w io.Writer) error {
	var b strings.Builder
	for _, p := range r.Programs {
		where := cmp.Or(p.Path, "not installed")
		if p.Lack != "" {
			where = "not installed: " + p.Lack
		}
		fmt.Fprintf(&b, "%-5s %-13s %s\n", p.Job, p.Name, where)
	}
	if r.Install != "" {
		fmt.Fprintf(&b, "\nTo install what is missing:\n  %s\n", r.Install)
	}
	if s := r.Spoken; s != nil {
		fmt.Fprintf(&b, "\nspoken: %.1f s in %s, the first sound after %d ms\n", s.Seconds, s.File, s.FirstMs)
	}
	if h := r.Heard; h != nil {
		fmt.Fprintf(&b, "\nheard: %q, confidence %.2f\n", h.Text, h.Confidence)
		for _, a := range h.Alternatives {
			fmt.Fprintf(&b, "  or: %q, confidence %.2f\n", a.Text, a.Confidence)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Sound names the programs that speak and that recognise speech; "": one that is installed.
type Sound struct{ SayWith, HearWith string }

// Add adds the flags that name the programs.
func (f *Sound) Add(fs *pflag.FlagSet) {
	fs.StringVar(&f.SayWith, "say-with", "", "program that speaks, such as 'espeak-ng -v {voice} --stdin --stdout', 'lines: PROGRAM' or tcp:127.0.0.1:PORT (default flite for English and espeak-ng for other languages, or the one that is installed)")
	fs.StringVar(&f.HearWith, "hear-with", "", "program that recognises speech, such as 'whisper-cli -f {file}', 'lines: PROGRAM' or tcp:127.0.0.1:PORT (default pocketsphinx, if it is installed)")
}

// speaker returns the program that speaks; nil: there is none.
func (f *Sound) speaker() (speech.Speaker, error) {
	speaker, err := speech.OpenSpeaker(f.SayWith)
	if err != nil {
		return nil, cli.UsageError("--say-with: %w", err)
	}
	return speaker, nil
}

// listener returns the program that recognises speech; nil: there is none.
func (f *Sound) listener() (speech.Listener, error) {
	listener, err := speech.OpenListener(f.HearWith)
	if err != nil {
		return nil, cli.UsageError("--hear-with: %w", err)
	}
	return listener, nil
}

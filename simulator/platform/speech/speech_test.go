package speech_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestMain also is the fake program that the tests run, if its first argument is "fake".
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "fake" {
		os.Exit(fake(os.Args[2:]))
	}
	goleak.VerifyTestMain(m)
}

// fake is a program that speaks or recognises speech, well or badly.
func fake(args []string) int {
	switch args[0] {
	case "wave": // an unknown length, as espeak-ng writes it
		data := speech.Wave(ramp(2205), 22050)
		copy(data[40:], "\x00\xf0\xff\x7f")
		_, _ = os.Stdout.Write(data)
	case "bare":
		_, _ = os.Stdout.Write(speech.Wave(ramp(800), 8000)[44:])
	case "file":
		_ = os.WriteFile(args[1], speech.Wave(ramp(1600), 16000), 0o600)
	case "late": // a tenth of a second of silence first
		_ = os.WriteFile(args[1], speech.Wave(append(make([]int16, 1600), ramp(1600)...), 16000), 0o600)
	case "fail":
		fmt.Fprintln(os.Stderr, "no such voice")
		return 3
	case "hang":
		time.Sleep(time.Minute)
	case "endless":
		for {
			if _, err := os.Stdout.Write(make([]byte, 1<<20)); err != nil {
				return 0
			}
		}
	case "nothing":
	case "seen": // keeps where its file was
		_ = os.WriteFile(args[2], []byte(args[1]), 0o600)
		fmt.Println("town  hall")
	case "json":
		fmt.Println(`{"text":"i am at the town hall","confidence":1.7,"alternatives":[{"text":"down hall","confidence":0.2}]}`)
	case "lines":
		return lines()
	}
	return 0
}

// lines is a program that answers requests as in the documentation of [speech.Lines].
func lines() int {
	out := json.NewEncoder(os.Stdout)
	for in := bufio.NewReader(os.Stdin); ; {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return 0
		}
		var request struct {
			ID    int      `json:"id"`
			Say   string   `json:"say"`
			Hear  []byte   `json:"hear"`
			Hints []string `json:"hints"`

			Question string `json:"question"`
		}
		_ = json.Unmarshal(line, &request)
		type answer map[string]any
		fmt.Println("a line that is no JSON")
		switch {
		case request.Say == "die":
			return 1
		case request.Say == "hang":
			time.Sleep(time.Minute)
		case request.Say == "unknown":
			_ = out.Encode(answer{"id": request.ID, "error": "no such word"})
		case request.Say != "":
			for range 2 {
				_ = out.Encode(answer{"id": request.ID, "rate": 8000, "pcm": speech.Wave(ramp(80), 8000)[44:]})
			}
			_ = out.Encode(answer{"id": request.ID, "done": true})
		default:
			_ = out.Encode(answer{"id": request.ID, "text": fmt.Sprint(len(request.Hear), request.Hints, request.Question), "words": []answer{{"text": "a", "confidence": 0.8}, {"text": "b", "confidence": 0.3}}, "done": true})
		}
	}
}

func ramp(n int) []int16 {
	pcm := make([]int16, n)
	for i := range pcm {
		pcm[i] = int16(1000 + i)
	}
	return pcm
}

// command returns the command that runs the fake program.
func command(t *testing.T, words string) string {
	program, err := os.Executable()
	require.NoError(t, err)
	return "'" + program + "' fake " + words
}

// hear returns the sound of a text at 8 kHz.
func hear(t *testing.T, s speech.Speaker, text string) ([]int16, error) {
	var pcm []int16
	err := s.Speak(t.Context(), text, "en-GB-Standard-B", 8000, func(more []int16) error { pcm = append(pcm, more...); return nil })
	return pcm, err
}

// TestCommandSpeakerReadsEachFormat checks that the output of programs in each format is read and converted to the requested rate,
// with at most 20 ms of silence before the first word.
func TestCommandSpeakerReadsEachFormat(t *testing.T) {
	for words, want := range map[string]int{"wave": 800, "file {file}": 800, "late {file}": 960, "bare": 290} {
		s, err := speech.CommandSpeaker(command(t, words))
		require.NoError(t, err)
		pcm, err := hear(t, s, "Where from?")
		require.NoError(t, err, words)
		require.InDelta(t, want, len(pcm), 1, words)
	}
	s, err := speech.CommandSpeaker("rate=8000 " + command(t, "bare"))
	require.NoError(t, err)
	pcm, err := hear(t, s, "Where from?")
	require.NoError(t, err)
	require.Equal(t, ramp(800), pcm)
}

// TestFailingSpeechProgramsCauseErrors checks that programs that fail, make no sound or make too much of it cause an error, that a program
// is ended with its context, and that invalid commands are refused.
func TestFailingSpeechProgramsCauseErrors(t *testing.T) {
	for words, want := range map[string]string{"fail": "no such voice", "nothing": "no samples", "endless": "more than"} {
		s, err := speech.CommandSpeaker("rate=8000 " + command(t, words)) // which is also what hear wants
		require.NoError(t, err)
		_, err = hear(t, s, "Where from?")
		require.ErrorContains(t, err, want)
	}
	s, err := speech.CommandSpeaker(command(t, "hang"))
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	err = s.Speak(ctx, "Where from?", "", 8000, func([]int16) error { return nil })
	require.ErrorIs(t, err, context.DeadlineExceeded)
	for _, bad := range []string{"", "'open", "rate=1 espeak-ng"} {
		_, err := speech.CommandSpeaker(bad)
		require.Error(t, err, bad)
	}
}

// TestCommandListenerReadsTextAndJSON checks that the text or JSON output of a program is parsed, and that the file with the speech
// is removed.
func TestCommandListenerReadsTextAndJSON(t *testing.T) {
	note := filepath.Join(t.TempDir(), "note")
	l, err := speech.CommandListener(command(t, "seen {file} '"+note+"'"))
	require.NoError(t, err)
	heard, err := l.Listen(t.Context(), ramp(1600), voice.Grammar{})
	require.NoError(t, err)
	require.Equal(t, speech.Heard{Text: "town hall", Confidence: 0.7, Witness: "town hall"}, heard)
	where, err := os.ReadFile(note)
	require.NoError(t, err)
	require.True(t, strings.HasSuffix(string(where), ".wav"))
	require.NoDirExists(t, filepath.Dir(string(where)))

	l, err = speech.CommandListener(command(t, "json"))
	require.NoError(t, err)
	heard, err = l.Listen(t.Context(), ramp(1600), voice.Grammar{})
	require.NoError(t, err)
	require.Equal(t, speech.Heard{Text: "i am at the town hall", Confidence: 1, Witness: "i am at the town hall", Alternatives: []speech.Heard{{Text: "down hall", Confidence: 0.2}}}, heard)
}

// TestLines checks that a program that keeps running speaks and recognises, that other lines of its output are
// ignored, and that it is started again after it has ended.
func TestLines(t *testing.T) {
	l, err := speech.NewLines("lines:" + command(t, "lines"))
	require.NoError(t, err)
	defer l.Close()
	for range 2 {
		pcm, err := hear(t, l, "Where from?")
		require.NoError(t, err)
		require.Len(t, pcm, 160)
	}
	heard, err := l.Listen(t.Context(), ramp(100), voice.Grammar{Hints: []string{"Town Hall", strings.Repeat("x", 1000)}, Expected: voice.Expected{Question: "pickup"}})
	require.NoError(t, err)
	require.Equal(t, "200 [Town Hall]pickup", heard.Text, "of the hints those that a program takes")
	require.InDelta(t, 0.3, heard.Confidence, 0.001, "of the word that is least sure")
	_, err = hear(t, l, "unknown")
	require.ErrorContains(t, err, "no such word")
	_, err = hear(t, l, "die")
	require.Error(t, err)
	_, err = hear(t, l, "Where from?")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, l.Speak(ctx, "hang", "", 8000, nil), context.DeadlineExceeded)
	_, err = speech.NewLines("tcp:192.0.2.1:10200")
	require.ErrorContains(t, err, "stays on it")
}

// counting is a speaker that counts its calls and makes 100 samples for any text.
type counting struct {
	times int
	err   error
}

func (c *counting) Speak(_ context.Context, _, _ string, _ int, deliver func([]int16) error) error {
	c.times++
	if c.err != nil {
		return c.err
	}
	return deliver(ramp(100))
}

// TestCachedSpeakerSpeaksATextOnce checks that a text is spoken once, that the least recently used text is removed to make space, and that
// errors are not stored.
func TestCachedSpeakerSpeaksATextOnce(t *testing.T) {
	c := &counting{}
	s := speech.Cached(c, 1200) // two of them
	say := func(text string) {
		pcm, err := hear(t, s, text)
		require.NoError(t, err)
		require.Equal(t, ramp(100), pcm)
	}
	say("one")
	say("one")
	require.Equal(t, 1, c.times)
	say("two")
	say("three")
	say("two")
	require.Equal(t, 3, c.times)
	say("one")
	require.Equal(t, 4, c.times)
	c.err = errors.New("no voice")
	_, err := hear(t, s, "four")
	require.ErrorIs(t, err, c.err)
	c.err = nil
	say("four")
	stop := errors.New("heard enough")
	require.ErrorIs(t, s.Speak(t.Context(), "five", "", 8000, func([]int16) error { return stop }), stop)
	times := c.times
	require.NoError(t, s.Speak(t.Context(), "five", "", 8000, func([]int16) error { return nil }))
	require.Equal(t, times, c.times, "it was spoken to its end")
}

// TestRecogniserNeedsAListenerForSound checks that the words of simulated lines are recognised without a listener, and that sound needs
// one.
func TestRecogniserNeedsAListenerForSound(t *testing.T) {
	known := []voice.Utterance{{Text: "town hall"}}
	found, err := speech.Recogniser{}.Recognise(t.Context(), known, voice.Grammar{Hints: []string{"Town Hall"}})
	require.NoError(t, err)
	require.Equal(t, voice.Recognition{Text: "town hall", Confidence: 0.9, Complete: true}, found)
	sound := []voice.Utterance{{Audio: voice.Beep(300, time.Second)}}
	_, err = speech.Recogniser{}.Recognise(t.Context(), sound, voice.Grammar{})
	require.ErrorContains(t, err, "no program")
	l, err := speech.CommandListener(command(t, "json"))
	require.NoError(t, err)
	found, err = speech.Recogniser{Listener: l}.Recognise(t.Context(), sound, voice.Grammar{Expected: voice.Expected{Question: "pickup"}})
	require.NoError(t, err)
	require.Equal(t, voice.Recognition{Text: "I am at the town hall", Confidence: 1, Complete: true, Sound: true, Loud: true, Witness: "i am at the town hall", Alternatives: []voice.Alternative{{Text: "down hall", Confidence: 0.2}}}, found)
}

// TestWAVFileIsReadBackUnchanged checks that a written WAV file is read back unchanged, and that other data is refused.
func TestWAVFileIsReadBackUnchanged(t *testing.T) {
	pcm, rate, err := speech.ReadWave(speech.Wave(ramp(500), 16000))
	require.NoError(t, err)
	require.Equal(t, 16000, rate)
	require.Equal(t, ramp(500), pcm)
	_, _, err = speech.ReadWave([]byte("no sound"))
	require.Error(t, err)
}

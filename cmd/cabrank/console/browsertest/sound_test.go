//go:build browser

package browsertest

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// hearing opens a path in a browser of its own, whose microphone hears a sound file, again and again.
func hearing(t *testing.T, s *server, path, wav string) *tab {
	t.Helper()
	needBrowser(t)
	return openIn(t, ownBrowser(t, microphone(wav)...), s, path)
}

// microphone has a browser hear a sound file instead of a microphone.
func microphone(wav string) []chromedp.ExecAllocatorOption {
	return []chromedp.ExecAllocatorOption{
		chromedp.Flag("use-fake-ui-for-media-stream", true),
		chromedp.Flag("use-fake-device-for-media-stream", true),
		chromedp.Flag("use-file-for-fake-audio-capture", wav),
	}
}

// A taxi is booked by speaking into the microphone: the page shows what was understood and how surely, and what
// it led to. The prompts are heard, as their sound takes the time that speech takes.
func TestBookingWithAMicrophone(t *testing.T) {
	needPrograms(t)
	said := slices.Concat(silence(7), spoken(t, "from the town hall to the hospital now"), silence(10), spoken(t, "yes please"), silence(40))
	s := serve(t, "demo", "--no-open", "--speed", "1")
	p := hearing(t, s, "/console/phone?from=442079460021", soundFile(t, said))
	p.click(`[data-test="speak"]`)
	p.says(`[data-test="transcript"]`, "Where")
	p.until(`document.querySelector('[data-test="mic"] meter').value > 0.3`)
	p.says(`[data-test="transcript"]`, "Hospital, now")
	p.says(`[data-test="transcript"]`, "heard ")
	p.says(`[data-test="transcript"]`, "Your taxi is booked")
	p.says(`[data-test="transcript"] .chip.pass`, "/book 200")
	p.says(`[data-test="transcript"]`, "The call is over")
	p.until(`!document.querySelector('[data-test="mic"]')`)
	var rang []struct{ DurationMs int }
	s.read("/console/platform/sim/v1/calls?limit=1", &rang)
	t.Logf("a booking by voice alone, from the first ring to the goodbye: %.1f s", float64(rang[0].DurationMs)/1000)
}

// During a call with a microphone, keys and typed words are accepted, and push to talk can be chosen.
func TestMicrophoneCallAcceptsKeysAndText(t *testing.T) {
	needPrograms(t)
	p := hearing(t, serve(t, "demo", "--no-open", "--speed", "30"), "/console/phone?from=442079460021", soundFile(t, silence(5)))
	p.click(`[data-test="speak"]`)
	p.says(`[data-test="transcript"]`, "Where")
	p.says(`[data-test="mic"]`, "speak")
	const below = `document.querySelector(".keypad").getBoundingClientRect().top`
	before := get[float64](p, below)
	p.until(`import("/console/phone/line.js").then(({ lines }) => { for (const l of lines.values()) l.state.change({ hearing: true }); return document.querySelector('[data-test="mic"]')?.innerText.includes("you are heard"); })`)
	require.InDelta(t, before, get[float64](p, below), 0, "nothing moves while one speaks")
	p.press(`[data-test="mic"] button`, "Push to talk")
	p.says(`[data-test="mic"]`, "Hold to talk")
	p.isAccessible("a call with a microphone")
	p.write(`input[aria-label="Say something"]`, "from the town hall to the harbour now")
	p.key(kb.Enter)
	p.says(`[data-test="transcript"]`, "book it?")
	p.click(`.keypad summary`)
	p.press(`.pad button`, "1")
	p.says(`[data-test="transcript"]`, "Your taxi is booked")
	p.says(`[data-test="transcript"]`, "The call is over")
}

// Without a microphone, the page says so beside the button, and offers to call and type.
func TestTypingIsOfferedWithoutMicrophone(t *testing.T) {
	needPrograms(t)
	p := open(t, serve(t, "demo", "--no-open", "--speed", "30"), "/console/phone?from=442079460021")
	p.press(`[data-test="speak"].main`, "Call and speak")
	p.says(`.deaf`, "call and type")
	p.isAccessible("a call without a microphone")
	p.press(`[data-test="call"].main`, "Call and type")
	p.says(`[data-test="transcript"]`, "Where")
}

// If no program recognises speech, a call can be listened to and answered in writing, and the page says what is
// missing.
func TestCallWorksWithoutSpeechRecogniser(t *testing.T) {
	needPrograms(t)
	program(t) // which the path below could not build
	all, only := os.Getenv("PATH"), t.TempDir()
	at, err := exec.LookPath("espeak-ng")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(at, filepath.Join(only, "espeak-ng")))
	t.Setenv("PATH", only)
	s := serve(t, "demo", "--no-open", "--speed", "30")
	t.Setenv("PATH", all)
	p := open(t, s, "/console/phone?from=442079460021")
	p.says(`.yours`, "cabrank voice")
	p.press(`[data-test="speak"]`, "Call and listen")
	p.says(`[data-test="mic"]`, "No program here understands speech")
	p.says(`[data-test="transcript"]`, "Where")
	p.write(`input[aria-label="Say something"]`, "from the town hall to the harbour now")
	p.key(kb.Enter)
	p.says(`[data-test="transcript"]`, "book it?")
}

// needPrograms skips a test where the programs for speech are missing that a demo takes by itself, or flite,
// whose voices are understood best.
func needPrograms(t *testing.T) {
	t.Helper()
	for _, name := range []string{"espeak-ng", "flite", "pocketsphinx_batch"} {
		if _, err := exec.LookPath(name); err != nil {
			require.Empty(t, os.Getenv("MUST_RUN"), "there is no %s on the path", name)
			t.Skipf("there is no %s on the path", name)
		}
	}
}

const (
	fileRate   = 16000 // that of flite's voices
	fileHeader = 44    // bytes
)

// silence is some seconds of it.
func silence(seconds int) []byte { return make([]byte, 2*fileRate*seconds) }

// spoken is the sound of a sentence in a voice of flite.
func spoken(t *testing.T, text string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "said.wav")
	out, err := exec.CommandContext(t.Context(), "flite", "-voice", "rms", "-t", text, "-o", file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	wave := []byte(clitest.Read(t, file))
	require.Equal(t, uint32(fileRate), binary.LittleEndian.Uint32(wave[24:]), "its rate")
	return wave[fileHeader:]
}

// soundFile writes sound for the browser's microphone.
func soundFile(t *testing.T, sound []byte) string {
	t.Helper()
	return waveFile(t, sound, fileRate)
}

// waveFile writes sound with so many samples a second.
func waveFile(t *testing.T, sound []byte, rate uint32) string {
	t.Helper()
	header := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(fileHeader-8+len(sound)))
	header = append(header, "WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"...)
	header = binary.LittleEndian.AppendUint32(header, rate)
	header = binary.LittleEndian.AppendUint32(header, 2*rate)
	header = append(header, "\x02\x00\x10\x00data"...)
	header = binary.LittleEndian.AppendUint32(header, uint32(len(sound)))
	file := filepath.Join(t.TempDir(), "sound.wav")
	require.NoError(t, os.WriteFile(file, append(header, sound...), 0o600))
	return file
}

// Speech that was not understood, or may have been recognised wrongly, is marked with a question mark on every
// screen; while the caller speaks, a wave is shown.
func TestUncertainSpeechIsMarked(t *testing.T) {
	needPrograms(t)
	ear := filepath.Join(t.TempDir(), "ear") // which does not understand what is short, and is unsure of the rest
	require.NoError(t, os.WriteFile(ear, []byte(`if [ $(wc -c < "$1") -lt 50000 ]; then echo '{"text":"gurgle","confidence":0.9}'
else echo '{"text":"i want to go from the town hall to the hospital now","confidence":0.5}'; fi
`), 0o600))
	said := slices.Concat(silence(12), spoken(t, "hello"), silence(8), spoken(t, "from the town hall to the hospital now")) // and again
	s := serve(t, "demo", "--no-open", "--speed", "1", "--hear-with", "sh "+ear+" {file}")
	p := hearing(t, s, "/console/phone?from=442079460021", soundFile(t, said))
	require.True(t, get[bool](p, `(() => {
		window.seen = new Set();
		const look = () => { for (const e of document.querySelectorAll(".captions .line, .understood li")) seen.add(e.className.replace(" now", "") + (e.querySelector("i[style]") ? " drawn" : "") + ": " + e.textContent.trim()); };
		new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
		return true;
	})()`))
	p.click(`[data-test="speak"]`)
	p.says(`[data-test="hangup"]`, "Hang up")
	p.press("header nav a", "Live")
	for _, shown := range []string{
		"asked wave drawn: listening …", "line caller unsure: “gurgle” ?", "line caller: “I want to go from the town hall to the hospital now”",
		"asked: from Town Hall ?", "asked: to St Brigid's Hospital ?", "asked: when now ?", "From Town Hall, to St Brigid's Hospital, now?",
	} {
		p.until(`[...seen].some((s) => s.includes(` + quoted(shown) + `))`)
	}
	p.isAccessible("what is unsure")
	p.press("header nav a", "Phone")
	p.says(`[data-test="transcript"] .unsure`, "“gurgle” ?")
	_, _, film := s.ask("GET", "/console/film/latest", nil)
	require.Contains(t, string(film), `"text":"gurgle","unsure":true`)
}

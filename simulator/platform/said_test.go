package platform_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// sentencesOf returns the sentences of a section of testdata/said.txt: all of them with WHOLE=1, otherwise a sample
// of the given size.
func sentencesOf(t *testing.T, part string, some int) []string {
	data, err := os.ReadFile("testdata/said.txt")
	require.NoError(t, err)
	_, after, found := strings.Cut(string(data), "["+part+"]")
	require.True(t, found, part)
	lines, _, _ := strings.Cut(after, "\n\n")
	all := strings.Split(strings.TrimSpace(lines), "\n")[1:]
	return sample(all, some)
}

// sample returns evenly distributed elements of all, or all with WHOLE=1.
func sample(all []string, some int) (list []string) {
	if os.Getenv("WHOLE") != "" {
		return all
	}
	for i := range some {
		list = append(list, all[i*len(all)/some])
	}
	return list
}

// saying is a way of saying sentences: the voices, and the line.
type saying struct {
	name   string
	rate   int
	voices []string
	noise  func(pcm []int16) []int16 // beside the speech; nil: none
}

var fourVoices = []string{"rms", "slt", "awb", "kal16"}

// sayings returns the ways in which sentences are said; those with noise only with WHOLE=1.
func sayings(t *testing.T, speaker speech.Speaker) []saying {
	all := []saying{{"clean", 16000, fourVoices, nil}, {"telephone", 8000, fourVoices, nil}}
	if os.Getenv("WHOLE") != "" {
		voices := babble(t, speaker, 16000)
		all = append(all,
			saying{"pink noise, 20 dB", 16000, fourVoices, func(pcm []int16) []int16 { return beside(pcm, pink(len(pcm)), 20) }},
			saying{"babble, 15 dB", 16000, fourVoices, func(pcm []int16) []int16 { return beside(pcm, voices, 15) }})
	}
	return all
}

// babble returns four voices at once, as in a pub.
func babble(t *testing.T, speaker speech.Speaker, rate int) []int16 {
	said := []string{
		"the weather is nice today and we should go for a walk along the river", "did you see the football last night it was a very good match indeed",
		"she said that she would ring me back on friday when she has found the papers", "i have lost my keys again and i cannot remember where i put them down",
	}
	var voices [][]int16
	for i, name := range fourVoices {
		voices = append(voices, spoken(t, speaker, said[i], name, rate))
	}
	return mixed(voices...)
}

// pink returns pink noise, whose power decreases with the frequency.
func pink(n int) []int16 {
	chance, pcm := rand.New(rand.NewPCG(3, 4)), make([]int16, n)
	var b [3]float64
	for i := range pcm {
		white := chance.NormFloat64()
		b = [3]float64{0.99765*b[0] + white*0.0990460, 0.96300*b[1] + white*0.2965164, 0.57000*b[2] + white*1.0526913}
		pcm[i] = int16(max(-32768, min(32767, 1000*(b[0]+b[1]+b[2]+white*0.1848))))
	}
	return pcm
}

// beside returns speech with noise, whose level is lower by ratio decibels.
func beside(pcm, noise []int16, ratio float64) []int16 {
	all, by := make([]int16, len(pcm)), loudness(pcm)/loudness(noise)*math.Pow(10, -ratio/20)
	for i, v := range pcm {
		all[i] = int16(max(-32768, min(32767, float64(v)+by*float64(noise[i%len(noise)]))))
	}
	return all
}

// each calls do with each sentence, said in each way. Without WHOLE=1, two voices say each sentence with MUST_RUN=1,
// and one otherwise; with noise, always one.
func each(t *testing.T, speaker speech.Speaker, sentences []string, do func(how saying, voice, text string, pcm []int16)) {
	for _, how := range sayings(t, speaker) {
		for i, text := range sentences {
			voices := how.voices
			if os.Getenv("WHOLE") == "" || how.noise != nil {
				voices = []string{voices[i%len(voices)], voices[(i+2)%len(voices)]}
				if os.Getenv("MUST_RUN") == "" || how.noise != nil {
					voices = voices[:1]
				}
			}
			for _, name := range voices {
				pcm := spoken(t, speaker, text, name, how.rate)
				if how.noise != nil {
					pcm = how.noise(pcm)
				}
				do(how, name, text, pcm)
			}
		}
	}
}

// trip returns what the conversation knows of a trip: pickup, drop-offs, time and people.
func trip(t *testing.T, o outcome) (parts [4]string) {
	var f booking.Frame
	if o.Frame == "" {
		return parts
	}
	require.NoError(t, json.Unmarshal([]byte(o.Frame), &f))
	if f.Pickup != nil {
		parts[0] = f.Pickup.Name
	}
	for _, d := range f.Dropoffs {
		parts[1] += d.Name + " "
	}
	parts[2] = f.PickupTime
	if f.People > 0 {
		parts[3] = string(rune('0' + f.People))
	}
	return parts
}

// wrong reports whether a part of a trip is known, but differs from the wanted one.
func wrong(got, want [4]string) bool {
	for i := range got {
		if got[i] != "" && got[i] != want[i] {
			return true
		}
	}
	return false
}

// share counts results.
type share struct{ right, asked, wrong, all int }

// tally counts the results of each line.
type tally map[string]*share

func (c tally) of(how saying) *share {
	if c[how.name] == nil {
		c[how.name] = &share{}
	}
	return c[how.name]
}

// log logs the results, and checks that the share of right ones is at least least, and that of wrong ones at most
// most; one wrong result is always allowed. With noise, twice as many may be wrong, and none needs to be right.
func (c tally) log(t *testing.T, least, most float64) {
	for line, s := range c {
		t.Logf("%s: %d of %d right, %d after a question, %d wrong", line, s.right, s.all, s.asked, s.wrong)
		all := float64(s.all)
		if strings.Contains(line, ", ") { // noise
			require.LessOrEqual(t, float64(s.wrong), max(1, 2*most*all), line)
			continue
		}
		require.GreaterOrEqual(t, float64(s.right+s.asked), least*all, line)
		require.LessOrEqual(t, float64(s.wrong), max(1, most*all), line)
	}
}

// TestSaid checks that spoken sentences are understood like the same sentences when typed, and that a booking is made
// after a spoken yes, and after nothing else. WHOLE=1 says all sentences.
func TestSaid(t *testing.T) {
	speaker, listener := programs(t)
	a := newAloud(t)
	a.ear.aloud = listener
	hum := func(rate int) []int16 { return voice.Beep(300, time.Second).At(rate) }
	const readBack = "from the town hall to the hospital now"
	for what, sentences := range map[string][]string{"first": sentencesOf(t, "first", 8), "typed": sample(typedExamples(t), 8), "documents": documentsExamples(t)} {
		t.Run(what, func(t *testing.T) {
			count := tally{}
			each(t, speaker, sentences, func(how saying, voice, text string, pcm []int16) {
				a.ear.words = []string{text}
				want := trip(t, a.call(how.rate, hum(how.rate)))
				a.ear.heard = nil
				got := trip(t, a.call(how.rate, pcm))
				s := count.of(how)
				if s.all++; got == want {
					s.right++
					return
				}
				if wrong(got, want) {
					s.wrong++
				}
				t.Logf("%s, %s: %q was heard as %v: %v", how.name, voice, text, a.ear.heard, got)
			})
			// The typed examples are the hard ones of the conversation's tests, with words that no caller of the model says.
			limits := map[string][2]float64{"first": {0.85, 0.06}, "typed": {0.3, 0.5}, "documents": {0.75, 0.15}}[what]
			count.log(t, limits[0], limits[1])
		})
	}
	for part, least := range map[string]float64{"yes": 0.7, "aside": 1, "no": 1} {
		t.Run(part, func(t *testing.T) {
			count := tally{}
			each(t, speaker, sentencesOf(t, part, 8), func(how saying, voice, text string, pcm []int16) {
				a.ear.words, a.ear.heard = []string{readBack}, nil
				got := a.call(how.rate, hum(how.rate), pcm)
				s, heard, asked := count.of(how), a.ear.heard, strings.Contains(a.said, "Did you say")
				s.all++
				switch yes := part == "yes"; {
				case yes == (got.Booked != "") && (yes || !asked):
					s.right++
					return
				case got.Booked != "":
					s.wrong++
					t.Errorf("%s, %s: %q was heard as %v, and books", how.name, voice, text, heard)
				case !yes:
					s.asked++
				case strings.Contains(a.said, "Did you say yes?"):
					a.ear.words = []string{readBack}
					if a.call(how.rate, hum(how.rate), pcm, pcm).Booked != "" {
						s.asked++
					}
				}
				t.Logf("%s, %s: %q was heard as %v, and asked: %v", how.name, voice, text, heard, asked)
			})
			count.log(t, least, 0)
		})
	}
}

// typedExamples returns the English sentences of the tests of package booking.
func typedExamples(t *testing.T) (all []string) {
	data, err := os.ReadFile("booking/testdata/heard.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		if f := strings.Split(line, "|"); f[0] == "en" && !strings.Contains(f[1], ">") {
			all = append(all, f[1])
		}
	}
	return all
}

// documentsExamples returns the sentences of callers in README.md and sound.md.
func documentsExamples(t *testing.T) (all []string) {
	for _, page := range []string{"README.md", "cmd/cabrank/docs/sound.md"} {
		data, err := os.ReadFile("../../" + page)
		require.NoError(t, err)
		found := regexp.MustCompile(`[“"]((?:[a-z][^“”"\n:{}|]* )?(?:from|at) [^“”"\n:{}|]* to [^“”"\n:{}|]*)[”"]`).FindAllStringSubmatch(string(data), -1)
		require.NotEmpty(t, found, page)
		for _, one := range found {
			all = append(all, one[1])
		}
	}
	return all
}

// TestSaidCalls checks that whole spoken calls book the trip that the caller wants. A caller who hears another trip
// read back says no and repeats the route, and one who is asked again answers in other words. WHOLE=1 makes more
// calls.
func TestSaidCalls(t *testing.T) {
	speaker, listener := programs(t)
	a := newAloud(t)
	a.ear.aloud = listener
	a.wait = 3 // after "When?" nobody waits longer than five seconds
	const mostTurns = 14
	for _, how := range sayings(t, speaker)[:2] {
		s := share{}
		for i, text := range sample(sentencesOf(t, "first", 24), 24) {
			if os.Getenv("WHOLE") == "" && i%8 != 0 || i >= 48 {
				continue
			}
			a.ear.words = []string{text}
			want := trip(t, a.call(how.rate, voice.Beep(300, time.Second).At(how.rate)))
			if want[0] == "" || want[1] == "" {
				continue
			}
			nth := (i + i/8) % len(fourVoices) // of every eighth sentence, too, each has another one
			name, turns, booked, log := fourVoices[nth], 0, "", []string{}
			route := "from " + want[0] + " to " + strings.TrimSpace(want[1])
			a.ear.heard = nil
			a.talk(how.rate, func(o outcome) []int16 {
				if booked = o.Booked; booked != "" || turns == mostTurns || strings.HasPrefix(o.State, "X") {
					return nil
				}
				next, is := text, trip(t, o)
				switch {
				case turns == 0:
				case strings.HasSuffix(strings.TrimSpace(a.said), "Did you say yes?"):
					next = "yes"
				case strings.Contains(o.Asks, "confirm") && is[0] == want[0] && is[1] == want[1]:
					next = []string{"yes please", "yes book it please", "okay"}[turns%3]
				case strings.Contains(o.Asks, "confirm"):
					next = "no " + route
				case strings.Contains(o.Asks, "time"):
					next = []string{"now please", "as soon as possible"}[turns%2]
				case strings.Contains(o.Asks, "dropoff"):
					next = "to " + want[1]
				case strings.Contains(o.Asks, "which"):
					next = want[0]
				case turns > 2:
					next = "a taxi " + route + " please"
				}
				turns++
				log = append(log, next)
				return spoken(t, speaker, next, name, how.rate)
			})
			s.all++
			switch {
			case booked == "":
				t.Logf("%s, %s: %q is not booked after %d turns %q: %v", how.name, name, text, turns, log, a.ear.heard)
			case strings.Contains(booked, want[0]) && strings.Contains(booked, strings.TrimSpace(want[1])):
				s.right++
			default:
				s.wrong++
				t.Errorf("%s, %s: %q books %s", how.name, name, text, booked)
			}
		}
		t.Logf("%s: %d of %d whole calls booked right, %d wrong", how.name, s.right, s.all, s.wrong)
		require.GreaterOrEqual(t, 10*s.right, 8*s.all)
	}
}

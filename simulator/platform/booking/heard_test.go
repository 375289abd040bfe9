package booking_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// heard is a line of testdata/heard.txt.
type heard struct{ language, said, from, to, when, people, hears string }

// TestRecognisedSpeechFillsTheTrip checks what the sentences of testdata/heard.txt fill in a trip: each part is as it was meant, or is asked
// for.
func TestRecognisedSpeechFillsTheTrip(t *testing.T) {
	text, err := os.ReadFile("testdata/heard.txt")
	require.NoError(t, err)
	third := newParty(t, nil)
	var now time.Time
	rows, asked := 0, 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if clock, ok := strings.CutPrefix(line, "now "); ok {
			now, err = time.Parse("2006-01-02 15:04", clock)
			require.NoError(t, err)
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "|")
		require.True(t, len(f) == 6 || len(f) == 7, line)
		want := heard{f[0], f[1], f[2], f[3], f[4], f[5], append(f, "")[6]}
		step := sentences(t, third, want.language, strings.Split(want.said, " > "), now)
		wrong, left := want.differs(step, now)
		if !strings.Contains(strings.Join(step.Said, " "), want.hears) {
			wrong += " did not hear " + strconv.Quote(want.hears)
		}
		rows++
		if left != "" {
			asked++
			t.Logf("asked %s: %s: %s", left, want.said, strings.Join(step.Said, " "))
		}
		if wrong != "" {
			t.Errorf("%s: %s\n\t%s", want.said, wrong, strings.Join(step.Said, " "))
		}
	}
	t.Logf("%d sentences, %d with a part that is asked for although it could be read", rows, asked)
}

// sentences lets a known caller say something, turn by turn. A plus after the language means that they have a taxi
// booked: tomorrow at ten, from the town hall to the museum.
func sentences(t testing.TB, third *party, language string, said []string, now time.Time) booking.Step {
	language, booked := strings.CutSuffix(language, "+")
	answers := knowing()
	if booked {
		answers = knowing((&wanted{"Town Hall", "Otterbridge Museum", now.Truncate(24 * time.Hour).Add(34 * time.Hour).Format("2006-01-02 15:04")}).journey())
	}
	third.answer(answers)
	desk := deskOf(third.url, func(o *booking.Options, s *booking.Settings) {
		o.Now = func() time.Time { return now }
		s.Language = map[string]string{"en": "en-GB", "de": "de-DE"}[language]
	})
	defer desk.Close()
	s, step := rings(t, desk, callerNumber)
	for _, words := range said {
		step = s.Hear(t.Context(), booking.Input{Words: words, Confidence: 0.9})
	}
	return step
}

// differs returns which parts of a trip are wrong, and which are still to be asked for.
func (h heard) differs(step booking.Step, now time.Time) (wrong, asked string) {
	check := func(what, got, want string) {
		switch {
		case got != "" && got != want:
			wrong += " " + what + " " + got + ", not " + strconv.Quote(want)
		case got != want:
			asked += " " + what
		}
	}
	f := step.Frame
	from, to, when, people := "", "", "", ""
	if f.Pickup != nil {
		from = f.Pickup.Name
	}
	if n := len(f.Dropoffs); n > 0 {
		to = f.Dropoffs[n-1].Name
	}
	if at, err := time.Parse(time.RFC3339, f.PickupTime); err == nil {
		if when = at.Format("2006-01-02 15:04"); f.Now {
			when = "now"
		}
	}
	if f.People > 0 {
		people = strconv.Itoa(f.People)
	}
	want := h.when
	if in, ok := strings.CutPrefix(want, "+"); ok {
		d, _ := time.ParseDuration(in)
		want = now.Add(d).Format("2006-01-02 15:04")
	}
	check("from", from, h.from)
	check("to", to, h.to)
	check("when", when, want)
	check("people", people, h.people)
	return wrong, asked
}

package booking_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// aloud lets a known caller say things as a recogniser of sound returns them: the alternatives follow after slashes,
// and what the witness recognised after a bar. A leading minus means much noise, and empty words mean speech that was
// not recognised. The confidence is that of programs that report none. It returns the last step, and whether a taxi
// is booked.
func aloud(t *testing.T, said ...string) (step booking.Step, booked bool) {
	third := newParty(t, knowing())
	desk := deskOf(third.url, func(o *booking.Options, _ *booking.Settings) { o.Sound = func() bool { return true } })
	defer desk.Close()
	s, _ := rings(t, desk, callerNumber)
	for _, one := range said {
		one, loud := strings.CutPrefix(one, "-")
		words, witness, _ := strings.Cut(one, "|")
		words, others, _ := strings.Cut(words, "/")
		in := booking.Input{Words: words, Noise: words == "", Confidence: 0.7, Sound: &booking.Sound{Witness: witness, Loud: loud}}
		if others != "" {
			in.Sound.Others = strings.Split(others, "/")
		}
		step = s.Hear(t.Context(), in)
	}
	return step, third.last("/book") != nil
}

// TestSpokenYes checks that a spoken yes books if all of it is agreement and the witness has recognised some, too. If
// only one of the two has, the caller is asked whether they said yes, and the same again counts as yes.
func TestSpokenYes(t *testing.T) {
	const trip = "from the town hall to the museum now"
	for _, c := range []struct {
		said   string
		booked bool
		hears  string
	}{
		{"yes please|yes please", true, "booked"},
		{"yes that's right|yes that's right", true, "booked"},
		{"yes i'd like that|yes i'd like that", true, "booked"},
		{"yes i told him that|yes i told him that", false, "Did you say yes?"},
		{"yes|us", false, "Did you say yes?"},
		{"us|yes", false, "Did you say yes?"},
		{"yes|us > yes|us", true, "booked"},
		{"us|yes > us|yes", true, "booked"},
		{"yes|us > no|no", false, "Shall I book it?"},
		{"yes|us > to the station|to the station", false, "Otterbridge Station"},
		{"good head and|good head and", false, "Sorry?"},
		{"i will be right back|i will be right back", false, "Of course."},
		{"good have and should|good heavens", false, "Sorry?"},
		{"no|yes", false, "What shall I change?"},
		{"quay street|where are my keys", false, "Did you say quay street?"},
		{"quay street|quay street > yes|yes", false, "Which number"},
		{"to the harbour|to the harbour", false, "Otterbridge Harbour"},
		{"cancel it|cancel it", false, "Did you say cancel it?"},
		{"cancel it|cancel it > yes|yes", false, "nothing is booked"},
		{"cancel it|put the kettle on > no|no", false, "Shall I book it?"},
		{"Yes, please.|Yes, please.", true, "booked"}, // as programs of others write
		{"That’s right!|That’s right!", true, "booked"},
		{"No.|No.", false, "What shall I change?"},
		{"To the harbour.|To the harbour.", false, "Otterbridge Harbour"},
		{"Quay Street.|Quay Street.", false, "Did you say Quay Street?"},
		{"Quay Street.|Quay Street. > quay street|quay street", false, "Which number"},
		{"-Yes, please.|Yes, please.", true, "booked"}, // the noise hides none of it
		{"-yes please|", false, "It is loud where you are."},
	} {
		step, booked := aloud(t, append([]string{trip}, strings.Split(c.said, " > ")...)...)
		require.Equal(t, c.booked, booked, c.said)
		require.Contains(t, strings.Join(step.Said, " "), c.hears, c.said)
	}
}

// TestMisunderstoodCallerGetsMoreHelpEachTime checks that a caller who is not understood is asked briefly first, then hears an example or that
// the line is loud, and then the keys.
func TestMisunderstoodCallerGetsMoreHelpEachTime(t *testing.T) {
	const nonsense = "|"
	var heard []string
	for n := range 4 {
		step, _ := aloud(t, append([]string{"hello i need a taxi"}, strings.Fields(strings.Repeat(nonsense+" ", n+1))...)...)
		require.True(t, step.Strange)
		heard = append(heard, strings.Join(step.Said, " "))
	}
	require.Contains(t, heard[0], "Sorry?")
	require.NotContains(t, heard[0], "press")
	require.Contains(t, heard[1], "Say, for example: from")
	require.Contains(t, heard[2], "press 1")
	require.Contains(t, heard[3], "Please hold.")
	step, _ := aloud(t, "hello i need a taxi", "-"+nonsense)
	require.Contains(t, strings.Join(step.Said, " "), "It is loud where you are.")
	require.True(t, step.Listen.Firm && step.Strange)
	for _, said := range [][]string{{"a taxi to the harbour", "gurgle|gurgle"}, {"from the town hall to the museum now", "gurgle|gurgle"}} {
		step, _ = aloud(t, said...)
		require.True(t, step.Strange, "%s: %q", said, step.Said)
	}

	third := newParty(t, knowing())
	desk := deskOf(third.url)
	defer desk.Close()
	turn := desk.Turn("a")
	_, err := turn(t.Context(), voice.TurnRequest{Info: voice.Info{ID: "c1", From: callerNumber}, Action: voice.ActionStart})
	require.NoError(t, err)
	document, err := turn(t.Context(), voice.TurnRequest{Action: "taxi.answer", Reason: voice.ReasonNoMatch, Loud: true})
	require.NoError(t, err)
	require.Contains(t, fmt.Sprintf("%+v", document), "It is loud where you are.", "of which nothing was recognised")
}

// TestUncertainTripIsReadBackAsAQuestion checks that a trip that may have been misheard is read back as a question, and which of its parts
// are reported as unsure.
func TestUncertainTripIsReadBackAsAQuestion(t *testing.T) {
	step, _ := aloud(t, "from the town hall to the museum now|")
	require.Contains(t, strings.Join(step.Said, " "), "Town Hall to Otterbridge Museum, now.")
	step, _ = aloud(t, "from the town hall to the museum now/from the town hall to the museum how/from the harbour to the museum now/from the station to the museum|")
	require.Contains(t, strings.Join(step.Said, " "), "From Town Hall, to Otterbridge Museum, now? Shall I book it?")
	require.Equal(t, "Town Hall", step.Frame.Pickup.Name)
	ends := []booking.Question{booking.AsksPickup, booking.AsksDropoff}
	require.Equal(t, append(ends, booking.AsksTime), step.Frame.Unsure)

	const unsure = "from the town hall to the museum/from the harbour to the museum/from the station to the museum/from the hospital|"
	step, _ = aloud(t, unsure, "now|")
	require.Contains(t, strings.Join(step.Said, " "), "From Town Hall, to Otterbridge Museum, now? Shall I book it?", "a time that is sure makes no place so")
	require.Equal(t, ends, step.Frame.Unsure)
	step, _ = aloud(t, unsure, "now|", "no from the station to the harbour|")
	require.Contains(t, strings.Join(step.Said, " "), "Otterbridge Station to Otterbridge Harbour, now.")
	require.Empty(t, step.Frame.Unsure)
}

// TestContradictedNumbersAreAskedAgain checks that a number that neither the alternatives nor the witness contain is
// asked for again, and that the likeliest alternative with both ends of a trip is used.
func TestContradictedNumbersAreAskedAgain(t *testing.T) {
	const trip = " from the town hall to the museum"
	for said, asks := range map[string]string{
		"it at eight" + trip + "/a taxi" + trip + "|attack the" + trip:                                                            "What time shall we pick you up?",
		"a taxi at eight" + trip + "/a taxi at nine" + trip + "|a taxi at eight" + trip:                                           "today at eight",
		"a taxi at eight" + trip + "|a taxi ate" + trip:                                                                           "today at eight",
		"a taxi at eight" + trip + "/a taxi at nine" + trip + "|":                                                                 "today at eight",
		"a taxi for eight people" + trip + " now/a taxi for the people" + trip + " now|for it":                                    "How many of you",
		"from one three three quay street to the museum now/one taxi from quay street to the museum now|what affects quay street": "Which number",
		"a taxi" + trip[:len(trip)-len("museum")] + "mews zoom now/a taxi" + trip + " now|it":                                     "Town Hall to Otterbridge Museum, now",
		"cancel the taxi from the town hall/a taxi" + trip + " now|it":                                                            "When?", // and not the other trip
	} {
		step, _ := aloud(t, said)
		require.Contains(t, strings.Join(step.Said, " "), asks, said)
	}
}

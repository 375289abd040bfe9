package spoken_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

func builtinText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("prompts/en-GB.tmpl")
	require.NoError(t, err)
	return string(text)
}

func folder(name, text string) fs.FS { return fstest.MapFS{name: {Data: []byte(text)}} }

// TestInvalidPromptFilesAreRefused checks that the error for an invalid prompt file says what is wrong, and where.
func TestInvalidPromptFilesAreRefused(t *testing.T) {
	good := builtinText(t)
	for name, row := range map[string]struct {
		file, text, want string
	}{
		"no file":            {"readme.txt", "", "no prompt files: want one a language"},
		"no language":        {"prompts_english.tmpl", good, "prompts_english.tmpl: want a name like en-GB.tmpl"},
		"missing prompt":     {"en-GB.tmpl", strings.Replace(good, `{{define "B3"}}`, `{{define "B4"}}`, 1), `en-GB.tmpl:`},
		"nothing":            {"en-GB.tmpl", "", `en-GB.tmpl:0: the prompt "S0" is missing`},
		"empty prompt":       {"en-GB.tmpl", strings.Replace(good, "Please try again soon.", "", 1), `the prompt "S0.again" is missing`},
		"unknown prompt":     {"en-GB.tmpl", good + "\n{{define \"S9\"}}\nHello.\n{{end}}\n", `: there is no prompt "S9"`},
		"unknown slot":       {"cy-GB.tmpl", "{{define \"S0\"}}\nHelo {{.enw}}.\n", "cy-GB.tmpl:2: there is no slot .enw; the slots are .anotherKey, .arrival, .badge"},
		"unknown slot in if": {"cy-GB.tmpl", "{{define \"S0\"}}\nHelo{{if .enw}} chi{{end}}.\n", "cy-GB.tmpl:2: there is no slot .enw"},
		"broken template":    {"cy-GB.tmpl", "{{define \"S0\"}}\nHelo.\nHelo {{.name.\n", "cy-GB.tmpl:3: "},
		"unclosed if":        {"cy-GB.tmpl", "{{define \"S0\"}}\nHelo{{if .name}}\n", "(a sentence stands on one line)"},
		"unknown function":   {"cy-GB.tmpl", "{{define \"S0\"}}\nHelo {{shout .name}}\n", `function "shout" not defined`},
		"a loop":             {"cy-GB.tmpl", "{{define \"S0\"}}\nHelo {{range .name}}x{{end}}.\n{{end}}\n", "cy-GB.tmpl:2: {{range .name}}x{{end}} is not understood: want a slot"},
		"a variable":         {"cy-GB.tmpl", "{{define \"S0\"}}\nHelo {{$x := .name}}.\n{{end}}\n", "cy-GB.tmpl:2: $x := .name is not understood"},
		"a pipeline":         {"cy-GB.tmpl", "{{define \"S0\"}}\nHelo {{.name | not}}.\n{{end}}\n", "cy-GB.tmpl:2: .name | not is not understood"},
		"part of a slot":     {"cy-GB.tmpl", "{{define \"S0\"}}\nHelo {{.name.first}}.\n{{end}}\n", "cy-GB.tmpl:2: there is no slot .name.first"},
		"not of two":         {"cy-GB.tmpl", "{{define \"S0\"}}\nHelo {{if not .name .keys}}x{{end}}.\n{{end}}\n", "cy-GB.tmpl:2: not .name .keys is not understood"},
		"and of a text":      {"cy-GB.tmpl", "{{define \"S0\"}}\nHelo {{if and .name 1}}x{{end}}.\n{{end}}\n", "cy-GB.tmpl:2: 1 is not understood"},
		"a prompt in it":     {"cy-GB.tmpl", "{{define \"S0\"}}\nHelo {{define \"S1\"}}x{{end}}.\n{{end}}\n", "cy-GB.tmpl:2: a prompt cannot be defined within another"},
		"no end":             {"cy-GB.tmpl", "{{define \"S0\"}}\nHelo.\n{{define \"S1\"}}\n", `cy-GB.tmpl:1: the prompt "S0" has no {{end}}`},
		"no end at the end":  {"cy-GB.tmpl", "\n{{define \"S0\"}}\nHelo.\n", `cy-GB.tmpl:2: the prompt "S0" has no {{end}}`},
		"outside":            {"cy-GB.tmpl", "Helo.\n", `cy-GB.tmpl:1: a sentence stands between {{define "…"}} and {{end}}`},
		"too large":          {"cy-GB.tmpl", strings.Repeat("x", 1<<19), "is larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := spoken.Load(folder(row.file, row.text))
			require.ErrorContains(t, err, row.want)
		})
	}
}

// TestPromptFilesReplaceALanguage checks that prompt files can replace a built-in language and add another.
func TestPromptFilesReplaceALanguage(t *testing.T) {
	text := strings.ReplaceAll(builtinText(t), "Goodbye.", "Hwyl fawr.")
	own, err := spoken.Load(fstest.MapFS{"cy-GB.tmpl": {Data: []byte("\ufeff" + text)}, "de-DE.tmpl": {Data: []byte(text)}})
	require.NoError(t, err)
	require.Equal(t, []string{"cy-GB", "de-DE"}, own.Languages())
	require.Equal(t, "cy-GB", own.Speaker("en-GB", spoken.SpeakerOptions{}).Language(), "the first, where there is no default")
	all := spoken.Builtin().With(own)
	require.Equal(t, []string{"cy-GB", "de-DE", "en-GB"}, all.Languages())
	for language, want := range map[string]string{"cy-GB": "Hwyl fawr.", "de": "Hwyl fawr.", "en": "Goodbye."} {
		require.Equal(t, []string{want}, all.Speaker(language, spoken.SpeakerOptions{}).Say(spoken.Goodbye, spoken.Slots{}))
	}
	require.Equal(t, []string{"de-DE", "en-GB"}, spoken.Builtin().Languages(), "the built-in ones stay as they are")
	welsh := all.Speaker("cy", spoken.SpeakerOptions{Now: func() time.Time { return noon }})
	require.Contains(t, welsh.Say(spoken.Confirm, everything()), "The fare is ± 12.40 GBP.")
	require.Contains(t, welsh.Say(spoken.StatusArrived, everything()), "The registration is Z T 2 1 K B D.")
}

// TestSinglePromptsCanBeReplaced checks that single prompts can be replaced, while the others of the language stay built-in.
func TestSinglePromptsCanBeReplaced(t *testing.T) {
	own, err := spoken.Read(map[string]string{"de-AT": "{{define \"X2\"}}\nPfiat di.\n{{end}}\n", "en-GB": ""})
	require.NoError(t, err)
	austrian := own.Speaker("de-AT", spoken.SpeakerOptions{})
	require.Equal(t, []string{"Pfiat di."}, austrian.Say(spoken.Goodbye, spoken.Slots{}))
	require.Equal(t, spoken.Builtin().Speaker("de-DE", spoken.SpeakerOptions{}).Say(spoken.Down, spoken.Slots{}), austrian.Say(spoken.Down, spoken.Slots{}))
	_, err = spoken.Read(map[string]string{"cy-GB": "{{define \"X2\"}}\nHwyl fawr.\n{{end}}\n"})
	require.ErrorContains(t, err, `is missing`, "nothing is built in for Welsh")
}

// TestEmptySlotsAreNotReadOut checks that no prompt contains the remains of an empty slot, or of one with a text such as
// "null".
func TestEmptySlotsAreNotReadOut(t *testing.T) {
	for _, language := range spoken.Builtin().Languages() {
		s := speaker(t, language)
		for _, nothing := range []string{"", "null", "undefined", "<nil>", "NaN", "None", "  ", "\x00"} {
			slots := spoken.Slots{
				Firm: nothing, Name: nothing, Pickup: nothing, Dropoff: nothing, House: nothing, Vehicle: nothing,
				Registration: nothing, Driver: nothing, Badge: nothing, Places: []string{nothing, nothing},
				Taxis: []spoken.Taxi{{Pickup: nothing}}, Keys: everything().Keys,
			}
			for _, id := range spoken.PromptIDs() {
				for _, said := range append(s.Say(id, slots), s.Write(id, slots)...) {
					for _, bad := range []string{"null", "undefined", "nil", "NaN", "None", "  ", " .", " ,", "..", "from .", "from,", "<", "{"} {
						require.NotContains(t, said, bad, "%s %s with %q", language, id, nothing)
					}
				}
			}
		}
	}
}

// TestMenusAreShort checks that each option of a menu comes before its key, and that there are not too many of them.
func TestMenusAreShort(t *testing.T) {
	keyed := map[string]string{"en-GB": "press ", "de-DE": ": Taste "}
	for language, press := range keyed {
		s := speaker(t, language)
		for _, id := range spoken.PromptIDs() {
			offers := 0
			for _, said := range s.Say(id, everything()) {
				before, key, found := strings.Cut(said, press)
				if !found || key == "hash." {
					continue
				}
				offers++
				require.Greater(t, len(before), 5, said)
				require.Regexp(t, `^[0-9]\.$`, key, said)
				require.NotContains(t, join(s.Write(id, everything())), press, "a chat has buttons")
			}
			most := spoken.MostChoices
			if id == spoken.SomeBooked {
				most++ // and a person
			}
			require.LessOrEqual(t, offers, most, "%s %s", language, id)
			for _, short := range s.Short(id, everything()) {
				require.Contains(t, s.Say(id, everything()), short)
			}
		}
	}
}

// TestPromptsOfABookingAreShort checks that the prompts of a booking by a known caller take at most 45 seconds at 150 words a minute,
// and at most 30 without the question for the drop-off.
func TestPromptsOfABookingAreShort(t *testing.T) {
	for _, language := range spoken.Builtin().Languages() {
		s := speaker(t, language)
		slots := everything()
		keys := func(choices ...spoken.Choice) spoken.Slots {
			slots.Keys = map[spoken.Choice]string{}
			for _, c := range choices {
				slots.Keys[c] = "1"
			}
			return slots
		}
		slots.ForNow = true
		slots.Places = slots.Places[:2]
		greeting := s.Say(spoken.Known, keys(spoken.ChooseBook, spoken.ChooseOther, spoken.ChoosePerson))
		where := s.Say(spoken.WhereTo, keys(spoken.ChooseElsewhere, spoken.ChooseTellDriver))
		confirm := s.Say(spoken.Confirm, keys(spoken.ChooseYes, spoken.ChooseChange))
		booked := append(s.Say(spoken.Booked, slots), s.Say(spoken.Goodbye, slots)...)
		short := length(greeting) + length(confirm) + length(booked)
		t.Log(language, length(greeting), length(where), length(confirm), length(booked), short, short+length(where))
		require.LessOrEqual(t, short+length(where), 45*time.Second, language)
		slots.Dropoff, slots.Fare = "", nil // nobody knows the fare before the booking
		short = length(greeting) + length(s.Say(spoken.Confirm, keys(spoken.ChooseYes, spoken.ChooseChange))) + length(booked)
		require.LessOrEqual(t, short, 30*time.Second, language)
	}
}

// length returns how long sentences take at 150 words a minute.
func length(sentences []string) time.Duration {
	return time.Duration(len(strings.Fields(strings.Join(sentences, " ")))) * time.Minute / 150
}

// TestEveryStatusHasAPrompt checks the prompt for known and unknown statuses.
func TestEveryStatusHasAPrompt(t *testing.T) {
	require.Equal(t, spoken.StatusArrived, spoken.StatusPrompt("ARRIVED"))
	require.Equal(t, spoken.StatusOther, spoken.StatusPrompt("LOST"))
	require.Equal(t, spoken.StatusOther, spoken.StatusPrompt("newdriver"))
	require.Equal(t, spoken.StatusOther, spoken.StatusPrompt(""))
	require.Equal(t, "Cancel the taxi", speaker(t, "en").Label(spoken.ChooseCancel))
}

// FuzzPromptFile checks that a prompt file with any text in one prompt is either refused with its name, or can be
// spoken and written.
func FuzzPromptFile(f *testing.F) {
	whole, err := os.ReadFile("prompts/en-GB.tmpl")
	require.NoError(f, err)
	const mark = "{{define \"M1\"}}\n"
	before, after, found := strings.Cut(string(whole), mark)
	require.True(f, found)
	_, after, _ = strings.Cut(after, "{{end}}\n")
	for _, seed := range []string{
		"The map shows it.", "{{if .phone}}Press {{.key}}.{{end}}", "{{.nothing}}", "{{if}}", "{{end}}", "{{define \"M1\"}}", "{{range .x}}{{end}}",
		"{{/* a comment */}}", "{{if and .place1 (not .keys)}}{{.place1}}{{end}}", "{{template \"M1\"}}", "{{.when | printf \"%d\"}}", "\xff", "{{",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, prompt string) {
		prompts, err := spoken.Load(folder("en-GB.tmpl", before+mark+prompt+"\n{{end}}\n"+after))
		if err != nil {
			require.Contains(t, err.Error(), "en-GB.tmpl:")
			return
		}
		s := prompts.Speaker("en-GB", spoken.SpeakerOptions{Now: func() time.Time { return time.Unix(0, 0) }})
		for _, id := range spoken.PromptIDs() {
			_, _, _ = s.Say(id, spoken.Slots{}), s.Short(id, spoken.Slots{}), s.Write(id, spoken.Slots{})
		}
	})
}

package booking

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// Conversation returns the state table, by which all calls run, as a Markdown document with a diagram.
func Conversation() string {
	var b strings.Builder
	b.WriteString(`# The conversation of the taxi plugin

This page is generated from the table in ` + "`simulator/platform/booking`" + ` that every call uses.
` + "`go test ./simulator/platform/booking -run Conversation -update`" + ` regenerates it.

While a call rings, the plugin calls /config and /user, and /status for each active booking. Keys are offered after a silence, after an answer that
was not understood, and to a caller who has pressed a key before. A caller who speaks hears prompts without keys: the second block of each state.
Who is heard by a recogniser of sound ([sound](sound.md)) and is not understood hears the question again, then an example, then keys.

A caller can say any part of the trip at any time and in any order; the plugin asks for what is missing. From every state that listens, words can
therefore lead to any of ` + list(inWords) + `. Only agreement leads from B3 to B4: "yes", also with politeness,
or the trip repeated as it was read back. If the answer contains anything else, the plugin applies it and reads the trip back again.

A part that was said and is not certain stays empty, and is asked for with what may have been meant: a place with an unknown word in front of or behind
it, a street without its number, a day that no calendar has, a time of which a part was not understood, how many people there are if somebody is named
besides those who were counted. A time by which the caller has to be somewhere, or that is said in a sentence of which nothing else was understood,
is no pickup; the plugin proposes one. A caller who names no time is asked, even for "a taxi from the station to the airport": four callers of the sets
say so who want it later, and would agree to "now". After "What shall I change?" a yes has the trip read back once more. Two cars, more than eight people and a taxi every Monday go to a person; of there and back the way there is booked.

In every state that listens, 0 or "person" leads to X0, and ` + "`*`" + ` repeats the prompt. After a silence, or an answer that is not understood, the
plugin offers the choices, then repeats the whole prompt, then goes to X0. It hangs up on a caller who has not said a word in the whole call. A
sentence about something that the third party did not send, or that is switched off, is left out. The [glossary](glossary.md) defines the words
of the project.

The prompts of a conversation have one language: that of the account, or the ` + "`language`" + ` that the third party returned for the user. Words of another
language that are understood do not change it: one foreign word would, and the caller has heard a greeting in the first.

## The states

`)
	for _, state := range order {
		conversation[state].write(&b)
	}
	b.WriteString("## Diagram\n\nEvery state that listens can lead to X0; the diagram leaves these lines out.\n\n```mermaid\nstateDiagram-v2\n")
	draw(&b)
	b.WriteString("```\n")
	return b.String()
}

// write writes the section of a state.
func (r row) write(b *strings.Builder) {
	fmt.Fprintf(b, "### %s\n\n%s.\n\n", r.state, capital(r.about))
	speaker := spoken.Builtin().Speaker(spoken.DefaultLanguage, spoken.SpeakerOptions{})
	keyed, aloud := r.example(), r.example()
	aloud.Aloud = true
	for _, slots := range []spoken.Slots{keyed, aloud} {
		said := 0
		for _, id := range r.says {
			for _, sentence := range speaker.Say(id, slots) {
				fmt.Fprintf(b, "> %s\n", sentence)
				said++
			}
		}
		if said > 0 {
			b.WriteString("\n")
		}
	}
	switch r.then {
	case ThenReject:
		b.WriteString("The call is refused before it is answered.\n")
	case ThenPerson:
		b.WriteString("The call goes to a person.\n")
	case ThenDriver:
		b.WriteString("The call goes to the driver.\n")
	case ThenEnd:
		b.WriteString("The platform hangs up.\n")
	}
	b.WriteString(r.answers())
	b.WriteString("\n")
}

// answers returns the table of a state's answers.
func (r row) answers() string {
	var b strings.Builder
	line := func(answer, when string, next []State) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", answer, when, list(next))
	}
	for _, w := range r.ways {
		key := "in words"
		if w.key != "" {
			key = w.key
		}
		line(key+": "+string(w.choice), w.when, w.next)
	}
	if r.takes != "" {
		line(r.takes, "", r.leads)
	}
	if len(r.passes) > 0 {
		line("none; the plugin decides", "", r.passes)
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n| Answer | When | Next |\n| --- | --- | --- |\n" + b.String()
}

// example returns slots with a value for everything that a prompt may contain.
func (r row) example() spoken.Slots {
	s := spoken.Slots{
		Firm: "the firm", Name: "NAME", Pickup: "PICKUP", Dropoff: "DROPOFF", ForNow: true, House: "14", Streets: true, Count: spoken.MostTaxis,
		Places: []string{"PLACE 1", "PLACE 2"}, Keys: map[spoken.Choice]string{spoken.ChoosePerson: "0"},
	}
	for _, w := range r.ways {
		if w.key != "" {
			s.Keys[w.choice] = w.key
		}
	}
	return s
}

// inWords are the states that words lead to from any state that listens.
var inWords = []State{
	AskName, AskPickup, WherePick, WhichPlace, When, WhichTime, IsTime, WhereTo, Elsewhere, HowMany, Confirm, Booked, NotBooked, Edit, AskCancel, Cancellation,
	OneBooked, Known, TellingDriver, CallingDriver, Over,
}

// draw writes the transitions of the diagram.
func draw(b *strings.Builder) {
	drawn := map[string]bool{}
	name := func(s State) string { return strings.NewReplacer(".", "_").Replace(string(s)) }
	line := func(from string, next []State) {
		for _, to := range next {
			text := fmt.Sprintf("    %s --> %s\n", from, name(to))
			if !drawn[text] && to != Person {
				drawn[text] = true
				b.WriteString(text)
			}
		}
	}
	line("[*]", []State{Down, Barred, Disabled, Welcome, Known, OneBooked, SomeBooked})
	for _, state := range order {
		r := conversation[state]
		for _, w := range r.ways {
			line(name(state), w.next)
		}
		line(name(state), r.leads)
		line(name(state), r.passes)
		if r.then == ThenEnd || r.then == ThenReject {
			fmt.Fprintf(b, "    %s --> [*]\n", name(state))
		}
	}
}

func list(states []State) string {
	var names []string
	for _, s := range states {
		if !slices.Contains(names, string(s)) {
			names = append(names, string(s))
		}
	}
	return strings.Join(names, ", ")
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

package booking

import (
	"slices"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// mostSpoken is how many places a program that recognises speech is told of.
const mostSpoken = 300

// rules are what a caller may answer in a state, as rules of JSGF: for a program that
// recognises only what a grammar has. Everything may be said at any question, as
// [grammar.Hear] understands it; a bare time, name or number of a list only where it is
// asked for. In another language than English there are none yet.
func (s *form) rules(r row) string {
	if !strings.HasPrefix(s.visit.speaker.Language(), "en") {
		return ""
	}
	answers := []string{"<yes> [<please>]", "<no> [<please>]", "<act> [<please>]", "[<yes> | <no>] <trip> [<please>]", "<wish> [<trip>] [<please>]", "<place> [<please>]"}
	switch r.asks {
	case AsksTime:
		answers = append(answers, "<time> [<please>]")
	case AsksPeople:
		answers = append(answers, "[just] (one | two | three | four | five | six | seven | eight)", "just me", "<people> [<please>]")
	case AsksName:
		answers = append(answers, "[my name is | it is | it's | i'm] <name> [<please>]", "skip", "i'd rather not")
	case AsksWhich:
		answers = append(answers, "[the] <ordinal> [one] [<please>]", "the other one")
	case AsksPickup, AsksDropoff:
		answers = append(answers, "[from | to] <house> <place>")
	}
	return "<answer> = " + strings.Join(answers, " | ") + ";\n" + s.placeRules() + englishRules
}

// placeRules are the places that the caller may name.
func (s *form) placeRules() string {
	var names []string
	add := func(name string) {
		words := voice.Phrase(name)
		for _, article := range []string{"the ", "my "} {
			words = strings.TrimPrefix(words, article)
		}
		if words != "" && !slices.Contains(names, words) && len(names) < mostSpoken {
			names = append(names, words)
		}
	}
	for _, p := range append(slices.Clone(s.list), s.places()...) {
		name, _, _ := strings.Cut(p.called(), ",")
		add(name)
		for _, short := range s.gazetteer().Short(name, p.Kind) {
			add(short)
		}
	}
	return "<place> = [the | my] (" + strings.Join(append(names, "home", "work"), " | ") + ");\n"
}

// englishRules are the same for every caller. <yes> has no yep and no sure, which a telephone makes of
// yet and shoe.
const englishRules = `
<please> = please | thanks | thank you;
<yes> = yes | yeah | okay | correct | (that's right) | (yes that's right) | that's fine | yes that's fine | yes book it | go ahead;
<no> = no | nope | no thanks | no thank you | that's wrong | no that's wrong;
<wish> = (can i | could i) (have | get | book | order) <taxi> | (i need | i want | i'd like | i would like | send me | i'd like to book | i want to book) <taxi> | <taxi>;
<taxi> = (a | another) (taxi | cab | car);
<trip> = [<from>] <to> [<when> | <people>] | <from> [<when>] | <when> [<to>] | <people> [<to>] | (take me | i'm going | i need to go | i want to go) <to>;
<from> = (from | pick me up at | pick me up from | i'm at) <place>;
<to> = to <place>;
<when> = now | right now | as soon as possible | straight away | [<day>] (at | for) <time> | <day> [at <time>] | in <span>;
<day> = today | tonight | tomorrow [morning | afternoon | evening] | this (morning | afternoon | evening) | on <weekday> [morning | afternoon | evening];
<weekday> = monday | tuesday | wednesday | thursday | friday | saturday | sunday;
<time> = <hour> [o'clock | fifteen | thirty | forty five] [<part>] | (half past | quarter past | quarter to | ten past | twenty past | ten to | twenty to | five past | five to) <hour> [<part>] | noon | midday | midnight;
<part> = in the morning | in the afternoon | in the evening | at night | tonight | tomorrow;
<hour> = one | two | three | four | five | six | seven | eight | nine | ten | eleven | twelve;
<span> = (five | ten | fifteen | twenty | thirty | forty | forty five) minutes | half an hour | an hour | (two | three) hours;
<people> = [for] (two | three | four | five | six | seven | eight) (people | of us | passengers) | for one person;
<act> = cancel [it | my taxi | my booking | the taxi | the booking | my cab] | change (it | the time | the pickup | the destination | the drop off | my booking) | keep it | (where is | where's) (my | the) (taxi | cab | driver) | how long will it be | how much is it [<to>] | how much will it be | i'm coming now | coming now | call the driver | say that again | repeat that | can you repeat that | can i speak to a person | speak to a person | talk to a person | operator | help | another taxi | goodbye;
<ordinal> = first | second | third | last;
<house> = <digit> | <teen> | <ten> [<digit>] | one hundred [and] [<digit> | <teen> | <ten>];
<digit> = one | two | three | four | five | six | seven | eight | nine;
<teen> = ten | eleven | twelve | thirteen | fourteen | fifteen | sixteen | seventeen | eighteen | nineteen;
<ten> = twenty | thirty | forty | fifty | sixty | seventy | eighty | ninety;
<name> = adam | alan | alex | alice | amy | andrew | anna | anne | ben | carol | charlotte | chris | claire | daniel | dave | david | emily | emma | george | grace | hannah | harry | helen | ian | jack | james | jane | jessica | joe | john | julie | karen | kate | laura | linda | lucy | margaret | mark | martin | mary | michael | mike | nick | olivia | paul | peter | rachel | richard | robert | ruth | sam | sarah | simon | sophie | stephen | steve | sue | susan | thomas | tim | tom | tony | william;
`

package voice

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// document reads an array of at most so many verbs.
func (p *parser) document(at jsontext.Pointer, value jsontext.Value, most int) Document {
	list := p.elements(at, value, 0, most)
	document := make(Document, 0, len(list))
	for i, element := range list {
		if verb := p.verb(at.AppendToken(strconv.Itoa(i)), element); verb != nil {
			document = append(document, verb)
		}
	}
	return document
}

// verb reads one step of a document.
func (p *parser) verb(at jsontext.Pointer, value jsontext.Value) Verb {
	step, ok := p.object(at, value)
	if !ok {
		return nil
	}
	if len(step.members) != 1 {
		p.wrong(at, "must have exactly one key, the name of its verb")
		return nil
	}
	name := step.members[0].name
	verb := verbNamed(name)
	if verb == nil {
		p.wrong(step.at(name), "is not a verb; the verbs are "+verbNames())
		return nil
	}
	fields, ok := p.object(step.at(name), step.members[0].value)
	if !ok {
		return nil
	}
	defer fields.done()
	return verb.read(fields)
}

// verbNamed returns the verb of a name, without fields; nil: there is none.
func verbNamed(name string) Verb {
	for _, verb := range verbs {
		if verb.Name() == name {
			return verb
		}
	}
	return nil
}

func verbNames() string {
	var names []string
	for _, verb := range verbs {
		names = append(names, verb.Name())
	}
	return strings.Join(names, ", ")
}

func (Say) read(o *object) Verb {
	say := Say{Voice: o.optionalText("voice", 1, 64), Loop: o.loop()}
	if value, ok := o.require("text"); ok {
		say.Text = o.p.texts(o.at("text"), value, 1, 20, 1000)
	}
	return say
}

func (Play) read(o *object) Verb {
	play := Play{URL: o.requiredText("url", 2048), Loop: o.loop()}
	if u, err := url.Parse(play.URL); play.URL != "" && (err != nil || !onWeb(u)) {
		o.p.wrong(o.at("url"), "must be an http or https address")
	}
	return play
}

func (Hangup) read(o *object) Verb { return Hangup{Reason: o.optionalText("reason", 0, 128)} }

func (Reject) read(o *object) Verb {
	reason := o.choice("reason", "rejected", "decline", "busy")
	if reason == "decline" {
		reason = string(RejectRejected)
	}
	return Reject{RejectReason(reason)}
}

func (Redirect) read(o *object) Verb {
	r := Redirect{URL: o.requiredText("url", 2048)}
	u, err := url.Parse(r.URL)
	if r.URL != "" && (err != nil || (u.Scheme != "" || u.Host != "") && !onWeb(u)) {
		o.p.wrong(o.at("url"), "must be an http or https address, or relative to the address of the hook")
	}
	return r
}

func onWeb(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// loop reads how often something is played: an integer, or a string that holds
// one. 0 is as often as there is.
func (o *object) loop() int {
	value, ok := o.take("loop")
	if !ok {
		return 0
	}
	digits := string(value)
	if value.Kind() == '"' {
		digits = unquoted(value)
	}
	n, err := strconv.Atoi(digits)
	if err != nil || digits != strconv.Itoa(n) || n < 0 || n > maxLoop {
		o.p.wrong(o.at("loop"), "must be an integer from 0 to 1000, which may be written as a string")
		return 0
	}
	if n == 0 {
		return maxLoop
	}
	return n
}

const maxLoop = 1000

// texts reads an array of strings, or one string that stands alone.
func (p *parser) texts(at jsontext.Pointer, value jsontext.Value, least, most, length int) []string {
	if value.Kind() == '"' {
		return []string{p.text(at, value, 1, length)}
	}
	list := p.elements(at, value, least, most)
	var texts []string
	for i, element := range list {
		texts = append(texts, p.text(at.AppendToken(strconv.Itoa(i)), element, 1, length))
	}
	return texts
}

func (Gather) read(o *object) Verb {
	g := Gather{
		Action: o.optionalText("action", 1, 64), Timeout: o.number("timeout", 1, 60),
		NumDigits: o.number("numDigits", 1, MaxDigits), MinDigits: o.number("minDigits", 1, MaxDigits),
		MaxDigits: o.number("maxDigits", 1, MaxDigits), InterDigit: o.number("interDigitTimeout", 1, 20),
		SpeechEnd: o.number("speechTimeout", 1, 10), BargeIn: o.flag("bargeIn"), Language: o.optionalText("language", 2, 35),
	}
	if g.NumDigits > 0 && (g.MinDigits > 0 || g.MaxDigits > 0) {
		o.p.wrong(o.at("numDigits"), "stands for minDigits and maxDigits: give it, or them")
	}
	if g.MaxDigits > 0 && g.MinDigits > g.MaxDigits {
		o.p.wrong(o.at("minDigits"), "must not be more than maxDigits")
	}
	if g.Language != "" && !languageTag.MatchString(g.Language) {
		o.p.wrong(o.at("language"), "must be a BCP 47 language tag such as en-GB")
	}
	if value, ok := o.take("finishOnKey"); ok {
		key := o.p.text(o.at("finishOnKey"), value, 0, 1)
		if strings.Trim(key, keys) != "" {
			o.p.wrong(o.at("finishOnKey"), `must be one of 0 to 9, * and #, or ""`)
		}
		g.FinishOnKey = &key
	}
	if value, ok := o.take("hints"); ok {
		g.Hints = o.p.hints(o.at("hints"), value)
	}
	if value, ok := o.take("input"); ok {
		g.Input = o.p.inputs(o.at("input"), value)
	}
	g.Verbs = o.prompts()
	return g
}

// keys are those of a telephone.
const keys = "0123456789*#"

var languageTag = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// hints reads an array of phrases, or one string of phrases with commas between.
func (p *parser) hints(at jsontext.Pointer, value jsontext.Value) []string {
	if value.Kind() != '"' {
		return p.texts(at, value, 0, 100, 100)
	}
	var hints []string
	for hint := range strings.SplitSeq(unquoted(value), ",") {
		if hint = strings.TrimSpace(hint); hint != "" {
			hints = append(hints, hint)
		}
		if len(hint) > 400 {
			p.wrong(at, "must have at most 100 characters in each phrase")
		}
	}
	if len(hints) > 100 {
		p.wrong(at, "must have at most 100 phrases")
	}
	return hints
}

func (p *parser) inputs(at jsontext.Pointer, value jsontext.Value) []Input {
	var inputs []Input
	for i, element := range p.elements(at, value, 1, 2) {
		input := Input("")
		if element.Kind() == '"' {
			input = Input(unquoted(element))
		}
		if input != InputDigits && input != InputSpeech || slices.Contains(inputs, input) {
			p.wrong(at.AppendToken(strconv.Itoa(i)), "must be digits or speech, each at most once")
			continue
		}
		inputs = append(inputs, input)
	}
	return inputs
}

// prompts reads what is heard while a gather listens: an array of say and play,
// or a single one of them under its own name.
func (o *object) prompts() Document {
	var prompts Document
	given := 0
	if value, ok := o.take("verbs"); ok {
		given++
		prompts = o.p.document(o.at("verbs"), value, MaxVerbs)
		for i, verb := range prompts {
			if name := verb.Name(); name != VerbSay && name != VerbPlay {
				o.p.wrong(o.at("verbs").AppendToken(strconv.Itoa(i)).AppendToken(name), "must be say or play inside a gather")
			}
		}
	}
	for _, alias := range []string{VerbSay, VerbPlay} {
		value, ok := o.take(alias)
		if !ok {
			continue
		}
		given++
		if fields, ok := o.p.object(o.at(alias), value); ok {
			prompts = append(prompts, verbNamed(alias).read(fields))
			fields.done()
		}
	}
	if given > 1 {
		o.p.wrong(o.pointer, fmt.Sprintf("must have one of %s, %s and %s", "verbs", VerbSay, VerbPlay))
	}
	if len(prompts) == 0 {
		return nil
	}
	return prompts
}

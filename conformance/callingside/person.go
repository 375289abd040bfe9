package callingside

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// Person is an [Actor] that asks a person to make the calls, and what was heard. Checks whose
// questions are not answered are not verified.
type Person struct {
	Out io.Writer
	in  chan string

	turn sync.Mutex // one person makes one call at a time
	gone bool       // the input has ended
}

// NewPerson returns a Person that writes instructions to out and reads the person's answers from in.
func NewPerson(in io.Reader, out io.Writer) *Person {
	p := &Person{Out: out, in: make(chan string)}
	go func() { // ends with in: a read from a terminal cannot be cancelled
		defer close(p.in)
		for s := bufio.NewScanner(in); s.Scan(); {
			p.in <- s.Text()
		}
	}()
	return p
}

// Name names the judged side in reports.
func (p *Person) Name() string { return "whoever calls" }

// deeds are the instructions for each goal of a caller.
var deeds = map[rules.Want]string{
	rules.WantBook: "ask for a taxi", rules.WantEdit: "change the pickup of your taxi", rules.WantCancel: "cancel your taxi",
	rules.WantStatus: "ask where your taxi is", rules.WantComingNow: "press the key for Coming Now", rules.WantCallDriver: "ask to be put through to the driver",
	rules.WantOffer: "listen to the first menu, and hang up",
}

// Act writes an instruction, waits for the Enter key and asks what was heard. Concurrent requests
// are made one after the other. A skipped request is Unsupported.
func (p *Person) Act(ctx context.Context, task rules.Task) Acted {
	p.turn.Lock()
	defer p.turn.Unlock()
	if p.gone || ctx.Err() != nil {
		return Acted{Unsupported: true}
	}
	fmt.Fprintf(p.Out, "\n%s (%s)\n%s\n", task.Scene, strings.Join(task.Checks, " "), p.instruction(task))
	fmt.Fprint(p.Out, "Press Enter when the call has ended, or s and Enter to skip it: ")
	line, ok := p.line(ctx)
	if p.gone = !ok; p.gone || strings.HasPrefix(strings.ToLower(strings.TrimSpace(line)), "s") {
		return Acted{Unsupported: true}
	}
	answer := &rules.Answer{Outcome: rules.OutcomeCompleted}
	for _, q := range questions {
		if !slices.ContainsFunc(q.checks, func(id string) bool { return slices.Contains(task.Checks, id) }) {
			continue
		}
		if yes, known := p.yes(ctx, q.text); known {
			q.take(answer, yes)
		}
	}
	return Acted{Answer: answer}
}

// instruction returns the text that tells a person how to make the call: number, goal, places, time, name and settings.
func (p *Person) instruction(task rules.Task) string {
	from := "call from " + task.From
	if task.Withheld {
		from = "call with your number withheld"
	}
	if task.Channel == rules.ChannelMessaging {
		from = "send a message from " + task.From
	}
	text := from + " and " + deeds[task.Want]
	if task.PickupTime.IsZero() {
		text += " now"
	}
	if task.Pickup != nil {
		text += ", from " + task.Pickup.Address
	}
	if len(task.Dropoffs) > 0 {
		text += ", to " + task.Dropoffs[0].Address
	}
	if !task.PickupTime.IsZero() {
		text += ", at " + task.PickupTime.UTC().Format("15:04 on 2 January 2006 (UTC)")
	}
	if task.Name != "" {
		text += ", in the name of " + task.Name
	}
	if s := task.Settings; s != nil {
		text += fmt.Sprintf(".\nThe plugin settings before it: features %s; options %s; skipDropOff %t",
			orNone(s.Features), orNone(s.Options), s.SkipDropOff)
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

func orNone(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// line returns the next line of the input; ok is false if the input or ctx has ended.
func (p *Person) line(ctx context.Context) (line string, ok bool) {
	select {
	case line, ok = <-p.in:
		return line, ok
	case <-ctx.Done():
		return "", false
	}
}

// yes asks a question; known is false if the answer is neither y nor n.
func (p *Person) yes(ctx context.Context, question string) (is, known bool) {
	fmt.Fprintf(p.Out, "  %s (y, n, or Enter if you do not know) ", question)
	line, _ := p.line(ctx)
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true, true
	case "n", "no":
		return false, true
	}
	return false, false
}

// A question is asked after a call if its scene tests one of the checks.
type question struct {
	text   string
	checks []string
	take   func(a *rules.Answer, yes bool)
}

func offers(word string) func(*rules.Answer, bool) {
	return func(a *rules.Answer, yes bool) {
		if a.Offered == nil {
			a.Offered = []string{}
		}
		if yes {
			a.Offered = append(a.Offered, word)
		}
	}
}

// hears returns a function that records the sentence as heard if the answer is yes, and otherwise a neutral sentence.
func hears(sentence string) func(*rules.Answer, bool) {
	return func(a *rules.Answer, yes bool) {
		if !yes {
			sentence := "Nothing of that kind."
			a.Said = append(a.Said, sentence)
			return
		}
		a.Said = append(a.Said, sentence)
	}
}

// questions are the questions about facts that only the caller knows.
var questions = []question{
	{"Were you offered to book a taxi?", []string{"P-21", "P-24"}, offers("book")},
	{"Were you told the status of your taxi, or offered to hear it?", []string{"P-40"}, offers("status")},
	{"Were you offered to cancel it?", []string{"P-32", "P-40"}, offers("cancel")},
	{"Were you offered to change it?", []string{"P-40"}, offers("edit")},
	{"Were you offered Coming Now?", []string{"P-21", "P-22", "P-23", "P-30", "P-47", "P-48", "P-49", "P-50", "P-52"}, offers("comingNow")},
	{"Were you offered to call the driver?", []string{"P-31", "P-53"}, offers("callDriver")},
	{"Were you told that a taxi is booked?", []string{"P-54"}, hears("Your taxi is booked.")},
	{"Were you told that the taxi is cancelled?", []string{"P-55", "P-56"}, hears("Your taxi is cancelled.")},
	{"Did you hear \"undefined\", \"null\" or the like?", []string{"P-60"}, hears("undefined")},
	{"Were you told why you were not served?", []string{"P-38"}, hears("You are barred.")},
	{"Were you asked where you want to go?", []string{"P-34"}, func(a *rules.Answer, yes bool) {
		if a.Asked = []string{}; yes {
			a.Asked = []string{"dropoff"}
		}
	}},
	{"Were you put through to a person?", []string{"P-36", "P-56", "P-61", "P-62"}, func(a *rules.Answer, yes bool) {
		if yes {
			a.Outcome = rules.OutcomePerson
		}
	}},
}

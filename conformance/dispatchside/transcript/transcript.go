// Package transcript writes what a passenger would have heard during the calls of a probe, for reports.
package transcript

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// passenger is the name of the speaker who is the end user, in a line of a transcript.
const passenger = "passenger"

// Of returns a transcript of calls: what the passenger and the platform would say. The wording is
// this project's; the facts are from the replies.
func Of(calls []*conformance.Exchange) []conformance.Line {
	t := &script{}
	for _, x := range calls {
		if x.Request.Method != "POST" || x.Intent == conformance.IntentCleanUp {
			continue
		}
		switch x.Operation {
		case rules.OpConfig:
			t.config(x)
		case rules.OpUser:
			t.user(x)
		case rules.OpBook:
			t.book(x)
		case rules.OpCancel:
			t.cancel(x)
		case rules.OpStatus:
			t.status(x)
		}
	}
	return t.lines
}

type script struct {
	lines  []conformance.Line
	seen   *conformance.Exchange // the last /user call
	active int                   // bookings in its reply
	said   string                // the last sentence about a status
}

func (t *script) say(who, text string, x *conformance.Exchange) {
	t.lines = append(t.lines, conformance.Line{Who: who, User: who == passenger, Text: noNumbers(text), Call: x.ID})
}

// longDigits matches digits that may be a telephone number; transcripts omit them.
var longDigits = regexp.MustCompile(`\+?\d(?:[ ()-]?\d){8,}`)

func noNumbers(text string) string { return longDigits.ReplaceAllString(text, "…") }

func (t *script) config(x *conformance.Exchange) {
	if !rules.Served(x) {
		t.say("platform", "Our taxi partner cannot be reached at the moment.", x)
		return
	}
	t.say("", "The dispatch system says "+x.Reply().At("status").Show()+".", x)
	if eta := etaWords(x.Reply().At("eta")); eta != "" {
		t.say("platform", "A taxi would take "+eta+" at the moment.", x)
	}
}

func (t *script) user(x *conformance.Exchange) {
	active := len(x.Reply().At("activeBookings").Items())
	again, changed := t.seen != nil, active != t.active
	t.seen, t.active = x, active
	if again && !changed {
		return // a repeated lookup, which the passenger does not hear
	}
	if again {
		t.say("", "The caller rings again.", x)
	}
	switch name := x.Reply().At("name").Text(); {
	case !rules.Served(x):
		t.say("platform", "Welcome. I do not know your number yet. What name shall I book under?", x)
	case x.Reply().At("status").Text() == string(taxi.Disabled), x.Reply().At("status").Text() == string(taxi.Blacklisted):
		t.say("platform", "I am sorry, you cannot book a taxi with this number. Goodbye.", x)
	case active > 0:
		next := x.Reply().At("activeBookings").Items()[0]
		t.say("platform", fmt.Sprintf("Hello %s. You have a taxi booked%s.", name, whenWords(next.At("date"))), x)
	default:
		t.say("platform", "Hello "+name+".", x)
	}
}

func (t *script) book(x *conformance.Exchange) {
	asks := "I would like a taxi"
	if rules.IsEdit(x) {
		asks = "Please change my booking: a taxi"
	}
	t.say(passenger, asks+routeWords(x.Sent())+whenWords(x.Sent().At("pickupTime"))+".", x)
	switch {
	case x.Response == nil:
		t.say("", "Nothing is heard: the dispatch system did not answer.", x)
	case !rules.Served(x):
		t.say("platform", "I am sorry, I could not book that.", x)
	case rules.IsEdit(x):
		t.say("platform", "I have changed your booking."+t.extras(x.Reply()), x)
	default:
		when := x.Reply().At("date")
		if !when.Present() {
			when = x.Sent().At("pickupTime")
		}
		t.say("platform", "Your taxi is booked"+whenWords(when)+"."+t.extras(x.Reply()), x)
		t.note(x.Reply(), "eta", "price")
	}
}

func (t *script) cancel(x *conformance.Exchange) {
	t.say(passenger, "Please cancel my taxi.", x)
	switch status := x.Reply().At("status").Text(); {
	case rules.SaysCancelled(x):
		t.say("platform", "Your taxi has been cancelled.", x)
	case rules.Served(x):
		t.say("platform", "I could not cancel your taxi. "+statusWords(taxi.Status(status)), x)
	default:
		t.say("platform", "I am sorry, I could not cancel your taxi.", x)
	}
}

func (t *script) status(x *conformance.Exchange) {
	if !rules.Served(x) {
		t.say(passenger, "Where is my taxi?", x)
		t.say("platform", "I am sorry, I have no information about your taxi.", x)
		return
	}
	status := taxi.Status(x.Reply().At("status").Text())
	words := statusWords(status) + t.extras(x.Reply())
	if words == t.said {
		return
	}
	t.said = words
	t.say(passenger, "Where is my taxi?", x)
	t.say("platform", words, x)
	switch status {
	case taxi.Accepted, taxi.EnRoute:
		t.note(x.Reply(), "eta", "vehicle", "driver", "location")
	case taxi.Arrived:
		if x.Reply().At("driver").At("phoneNumber").HasText() {
			t.say("platform", "Press 1 to tell the driver that you are coming now.", x)
		}
		t.note(x.Reply(), "vehicle", "driver")
	}
}

// note adds to the last line a note with the wanted members that a reply lacks.
func (t *script) note(reply jsonvalue.Value, wanted ...string) {
	var missing []string
	for _, key := range wanted {
		if !reply.At(key).Given() {
			missing = append(missing, key)
		}
	}
	if len(missing) > 0 {
		t.lines[len(t.lines)-1].Note = "the reply has no " + conformance.WordList(missing)
	}
}

// extras describes the driver, the vehicle, the time of arrival and the price of a journey in sentences, as far as it has them.
func (t *script) extras(j jsonvalue.Value) string {
	var b strings.Builder
	if d, v := j.At("driver").At("name").Text(), j.At("vehicle").At("description").Text(); d != "" && v != "" {
		fmt.Fprintf(&b, " %s comes in a %s, registration %s, badge %s.", d, v,
			j.At("vehicle").At("registration").Text(), j.At("driver").At("badgeNumber").Text())
	}
	if eta := etaWords(j.At("eta")); eta != "" {
		fmt.Fprintf(&b, " That takes %s.", eta)
	}
	if p := j.At("price"); p.At("value").IsNumber() {
		kind := map[string]string{"FIXED": "costs", "MINIMUM": "costs at least", "MAXIMUM": "costs at most"}[p.At("type").Text()]
		if kind == "" {
			kind = "will cost about"
		}
		fmt.Fprintf(&b, " It %s %s.", kind, moneyWords(p))
	}
	return b.String()
}

func moneyWords(price jsonvalue.Value) string {
	currency := price.At("currency").Text()
	if sign := map[string]string{"GBP": "£", "EUR": "€"}[currency]; sign != "" {
		return fmt.Sprintf("%s%.2f", sign, price.At("value").Number())
	}
	return price.At("value").Scalar() + " " + currency
}

func statusWords(s taxi.Status) string {
	switch s {
	case taxi.Held:
		return "Your booking is safe. A driver will be found nearer the time."
	case taxi.Waiting:
		return "We are finding you a driver."
	case taxi.Accepted:
		return "A driver has accepted your booking."
	case taxi.EnRoute:
		return "Your taxi is on its way."
	case taxi.Arrived:
		return "Your taxi has arrived."
	case taxi.POB:
		return "You are on your way."
	case taxi.Complete:
		return "Your journey is complete."
	case taxi.Cancelled:
		return "Your taxi has been cancelled."
	}
	return "I am not sure where your taxi is."
}

func etaWords(eta jsonvalue.Value) string {
	if !eta.At("value").IsNumber() || !eta.At("unit").HasText() {
		return ""
	}
	return "about " + eta.At("value").Scalar() + " " + eta.At("unit").Text()
}

func routeWords(booking jsonvalue.Value) string {
	text := " from " + booking.At("pickup").At("address").Text()
	var stops []string
	for _, d := range booking.At("dropoffs").Items() {
		stops = append(stops, d.At("address").Text())
	}
	if len(stops) > 0 {
		text += " to " + conformance.WordList(stops)
	}
	return text
}

func whenWords(at jsonvalue.Value) string {
	when, err := taxi.ParseTime(at.Text())
	if err != nil {
		return ""
	}
	return when.Format(" on Monday 2 January at 15:04")
}

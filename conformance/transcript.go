package conformance

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// transcript tells the calls of a probe as the passenger would hear them. The
// words are this project's; the facts are from the replies.
func transcript(calls []*Exchange) []Line {
	t := &teller{}
	for _, x := range calls {
		if x.Request.Method != "POST" || x.Intent == intentCleanUp {
			continue
		}
		switch x.Operation {
		case OpConfig:
			t.config(x)
		case OpUser:
			t.user(x)
		case OpBook:
			t.book(x)
		case OpCancel:
			t.cancel(x)
		case OpStatus:
			t.status(x)
		}
	}
	return t.lines
}

type teller struct {
	lines  []Line
	seen   *Exchange // the last /user call
	active int       // bookings in its reply
	said   string    // the last thing said of a status
}

func (t *teller) say(who, text string, x *Exchange) {
	t.lines = append(t.lines, Line{Who: who, Text: noNumbers(text), Call: x.ID})
}

// longDigits matches what may be a telephone number, which is never spoken.
var longDigits = regexp.MustCompile(`\+?\d(?:[ ()-]?\d){8,}`)

func noNumbers(text string) string { return longDigits.ReplaceAllString(text, "…") }

func (t *teller) config(x *Exchange) {
	if !served(x) {
		t.say("platform", "Our taxi partner cannot be reached at the moment.", x)
		return
	}
	t.say("", "The dispatch system says "+x.Reply().at("status").show()+".", x)
	if eta := etaWords(x.Reply().at("eta")); eta != "" {
		t.say("platform", "A taxi would take "+eta+" at the moment.", x)
	}
}

func (t *teller) user(x *Exchange) {
	active := len(x.Reply().at("activeBookings").items())
	again, changed := t.seen != nil, active != t.active
	t.seen, t.active = x, active
	if again && !changed {
		return // looked up again, which nobody hears
	}
	if again {
		t.say("", "The caller rings again.", x)
	}
	switch name := x.Reply().at("name").text(); {
	case !served(x):
		t.say("platform", "Welcome. I do not know your number yet. What name shall I book under?", x)
	case x.Reply().at("status").text() == string(taxi.Disabled), x.Reply().at("status").text() == string(taxi.Blacklisted):
		t.say("platform", "I am sorry, you cannot book a taxi with this number. Goodbye.", x)
	case active > 0:
		next := x.Reply().at("activeBookings").items()[0]
		t.say("platform", fmt.Sprintf("Hello %s. You have a taxi booked%s.", name, whenWords(next.at("date"))), x)
	default:
		t.say("platform", "Hello "+name+".", x)
	}
}

func (t *teller) book(x *Exchange) {
	asks := "I would like a taxi"
	if isEdit(x) {
		asks = "Please change my booking: a taxi"
	}
	t.say("passenger", asks+routeWords(x.Sent())+whenWords(x.Sent().at("pickupTime"))+".", x)
	switch {
	case x.Response == nil:
		t.say("", "Nothing is heard: the dispatch system did not answer.", x)
	case !served(x):
		t.say("platform", "I am sorry, I could not book that.", x)
	case isEdit(x):
		t.say("platform", "I have changed your booking."+t.extras(x.Reply()), x)
	default:
		when := x.Reply().at("date")
		if !when.present() {
			when = x.Sent().at("pickupTime")
		}
		t.say("platform", "Your taxi is booked"+whenWords(when)+"."+t.extras(x.Reply()), x)
		t.note(x.Reply(), "eta", "price")
	}
}

func (t *teller) cancel(x *Exchange) {
	t.say("passenger", "Please cancel my taxi.", x)
	switch status := x.Reply().at("status").text(); {
	case saysCancelled(x):
		t.say("platform", "Your taxi has been cancelled.", x)
	case served(x):
		t.say("platform", "I could not cancel your taxi. "+statusWords(taxi.Status(status)), x)
	default:
		t.say("platform", "I am sorry, I could not cancel your taxi.", x)
	}
}

func (t *teller) status(x *Exchange) {
	if !served(x) {
		t.say("passenger", "Where is my taxi?", x)
		t.say("platform", "I am sorry, I have no news of your taxi.", x)
		return
	}
	status := taxi.Status(x.Reply().at("status").text())
	words := statusWords(status) + t.extras(x.Reply())
	if words == t.said {
		return
	}
	t.said = words
	t.say("passenger", "Where is my taxi?", x)
	t.say("platform", words, x)
	switch status {
	case taxi.Accepted, taxi.EnRoute:
		t.note(x.Reply(), "eta", "vehicle", "driver", "location")
	case taxi.Arrived:
		if x.Reply().at("driver").at("phoneNumber").hasText() {
			t.say("platform", "Press 1 to tell the driver that you are coming now.", x)
		}
		t.note(x.Reply(), "vehicle", "driver")
	}
}

// note says on the last line what was not in a reply.
func (t *teller) note(reply value, wanted ...string) {
	var missing []string
	for _, key := range wanted {
		if !reply.at(key).given() {
			missing = append(missing, key)
		}
	}
	if len(missing) > 0 {
		t.lines[len(t.lines)-1].Note = "the reply has no " + wordList(missing)
	}
}

// extras says what a journey carries beyond its status.
func (t *teller) extras(j value) string {
	var b strings.Builder
	if d, v := j.at("driver").at("name").text(), j.at("vehicle").at("description").text(); d != "" && v != "" {
		fmt.Fprintf(&b, " %s comes in a %s, registration %s, badge %s.", d, v,
			j.at("vehicle").at("registration").text(), j.at("driver").at("badgeNumber").text())
	}
	if eta := etaWords(j.at("eta")); eta != "" {
		fmt.Fprintf(&b, " That takes %s.", eta)
	}
	if p := j.at("price"); p.at("value").isNumber() {
		kind := map[string]string{"FIXED": "costs", "MINIMUM": "costs at least", "MAXIMUM": "costs at most"}[p.at("type").text()]
		if kind == "" {
			kind = "will cost about"
		}
		fmt.Fprintf(&b, " It %s %s.", kind, moneyWords(p))
	}
	return b.String()
}

func moneyWords(price value) string {
	currency := price.at("currency").text()
	if sign := map[string]string{"GBP": "£", "EUR": "€"}[currency]; sign != "" {
		return fmt.Sprintf("%s%.2f", sign, price.at("value").number())
	}
	return price.at("value").scalar() + " " + currency
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

func etaWords(eta value) string {
	if !eta.at("value").isNumber() || !eta.at("unit").hasText() {
		return ""
	}
	return "about " + eta.at("value").scalar() + " " + eta.at("unit").text()
}

func routeWords(booking value) string {
	text := " from " + booking.at("pickup").at("address").text()
	var stops []string
	for _, d := range booking.at("dropoffs").items() {
		stops = append(stops, d.at("address").text())
	}
	if len(stops) > 0 {
		text += " to " + wordList(stops)
	}
	return text
}

func whenWords(at value) string {
	when, err := taxi.ParseTime(at.text())
	if err != nil {
		return ""
	}
	return when.Format(" on Monday 2 January at 15:04")
}

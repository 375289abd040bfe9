package mutants

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// call is one customer request while it goes on.
type call struct {
	*Platform
	ctx      context.Context
	ask      rules.Ask
	answer   rules.Answer
	features []string
	options  []string
	skip     bool
	config   any // the data that /config returned
	user     object
	journey  object
}

// act acts out one request.
func (p *Platform) act(ctx context.Context, ask rules.Ask) (rules.Answer, error) {
	c := &call{Platform: p, ctx: ctx, ask: ask}
	c.answer = rules.Answer{Offered: []string{}, Asked: []string{}, Said: []string{}, Shown: []rules.Shown{}, Legs: []rules.Leg{}}
	if ask.Channel == rules.ChannelMessaging && p.is("no messaging") || ask.Want == rules.WantEdit && p.is("no edits at all") {
		return c.answer, errUnsupported
	}
	c.static()
	c.talk()
	return c.told(), nil
}

// told is the answer at the drive address, without what this platform cannot tell.
func (c *call) told() rules.Answer {
	a := c.answer
	if c.is("cannot tell asked") {
		a.Asked = nil
	}
	if c.is("cannot tell offered") {
		a.Offered = nil
	}
	if c.is("cannot tell said") {
		a.Said, a.Shown = nil, nil
	}
	if c.is("cannot tell legs") {
		a.Legs = nil
	}
	return a
}

// static starts from the settings of the request, or from everything.
func (c *call) static() {
	c.features, c.options = rules.AllFeatures(), rules.AllOptions()
	if s := c.ask.Settings; s != nil {
		c.features, c.options, c.skip = s.Features, s.Options, s.SkipDropOff
	}
}

// talk is the whole conversation.
func (c *call) talk() {
	if c.is("/user before the greeting") && !c.is("no /config") {
		c.say("Welcome.")
	}
	if c.is("/user before /config") && !c.ask.Withheld {
		_, _ = c.post(c.ctx, "user", object{"phoneNumber": c.number()})
	}
	if !c.configure() || !c.identify() {
		return
	}
	if !c.read() {
		return
	}
	c.menu()
	switch c.ask.Want {
	case rules.WantBook:
		c.book()
	case rules.WantEdit:
		c.edit()
	case rules.WantCancel:
		c.cancel()
	case rules.WantStatus:
		c.status()
	case rules.WantComingNow:
		c.comingNow()
	case rules.WantCallDriver:
		c.callDriver()
	}
	if c.answer.Outcome == "" {
		c.answer.Outcome = rules.OutcomeCompleted
	}
}

// person puts the caller through to a person.
func (c *call) person(why string) bool {
	c.say(why)
	c.answer.Outcome = rules.OutcomePerson
	c.answer.Legs = append(c.answer.Legs, rules.Leg{To: "person", CallerID: mainNumber})
	return false
}

// mainNumber is the platform's own, which everybody is called from.
const mainNumber = "+441134960000"

// configure calls /config and lays what it returns over the settings.
func (c *call) configure() bool {
	if c.is("no /config") {
		return true
	}
	body := object{"data": object{"features": c.features, "options": c.options, "skipDropOff": c.skip}}
	switch {
	case c.is("data a list"):
		body["data"] = c.options
	case c.is("features a string"):
		body["data"] = object{"features": strings.Join(c.features, ",")}
	case c.is("skipDropOff as text"):
		body["data"] = object{"skipDropOff": "false"}
	case c.is("no data for /config"):
		delete(body, "data")
	}
	got, err := c.post(c.ctx, "config", body)
	if err != nil && c.is("retries /config once") {
		got, err = c.post(c.ctx, "config", body)
	}
	if err == nil && c.is("/config twice") {
		got, err = c.post(c.ctx, "config", body)
	}
	status, _ := got.object["status"].(string)
	switch {
	case err != nil && c.is("silence when /config fails"):
		c.answer.Outcome = rules.OutcomeFailed
		return false
	case err != nil && c.is("static settings when /config fails"):
	case err != nil, c.is("an odd system status taken for down") && status != "" && !slices.Contains([]string{"OK", "BUSY"}, status):
		return c.person("Sorry, we cannot take automatic bookings right now.")
	}
	c.config = got.object["data"]
	c.overlay(c.config, "/config")
	if !slices.Contains(c.features, "voice") && c.ask.Channel == rules.ChannelVoice && !c.is("books with voice off") {
		return c.person("I will put you through to a person.")
	}
	return true
}

// overlay lays the data of an answer over the settings, field by field.
func (c *call) overlay(data any, from string) {
	if c.is("overrides ignored") {
		return
	}
	if c.is("an override kept for ever") && from == "/config" {
		c.mu.Lock()
		if data == nil {
			data = c.kept["data"+c.ask.From]
		}
		c.kept["data"+c.ask.From] = data
		c.mu.Unlock()
	}
	o, is := data.(object)
	if !is {
		return
	}
	if c.is("an override replaces everything") && from == "/config" {
		c.features, c.options, c.skip = []string{"voice", "messaging"}, nil, false
	}
	if list, is := o["features"].([]any); is {
		c.features = c.names(list)
	}
	if list, is := o["options"].([]any); is {
		c.options = c.names(list)
		unknown := slices.ContainsFunc(c.options, func(o string) bool { return !slices.Contains(rules.AllOptions(), o) })
		if unknown && c.is("an unknown option makes all the rest go") {
			c.options = nil
		}
	}
	if skip, is := o["skipDropOff"].(bool); is {
		c.skip = skip
	}
}

func (c *call) names(list []any) []string {
	all := []string{}
	for _, v := range list {
		name, _ := v.(string)
		if c.is("unknown options refused") && !slices.Contains(append(rules.AllOptions(), rules.AllFeatures()...), name) {
			panic(http.ErrAbortHandler)
		}
		all = append(all, name)
	}
	return all
}

// on reports an option.
func (c *call) on(option string) bool {
	return slices.Contains(c.options, option) || c.is("option "+option+" ignored")
}

// number is the caller's, in E.164 digits.
func (c *call) number() any {
	from := c.ask.From
	switch {
	case c.is("a plus in front of the number"):
		return "+" + digits(from)
	case c.is("the number as a JSON number"):
		n, _ := strconv.Atoi(digits(from))
		return n
	case c.is("the number as the network gave it"):
		return from
	case c.is("00 left in front"):
		return strings.TrimPrefix(from, "+")
	}
	return digits(from)
}

func digits(from string) string {
	d := jsonvalue.Digits(from)
	switch {
	case strings.HasPrefix(d, "00"):
		return d[2:]
	case strings.HasPrefix(d, "0"):
		return "44" + d[1:]
	}
	return d
}

// identify calls /user and looks at who it is.
func (c *call) identify() bool {
	if c.ask.Withheld {
		switch {
		case c.is("an empty number sent"):
			_, _ = c.post(c.ctx, "user", object{"phoneNumber": ""})
		case c.is("anonymous sent"):
			_, _ = c.post(c.ctx, "user", object{"phoneNumber": "anonymous"})
		case c.is("books for a withheld number"):
			c.user = object{}
			return true
		}
		return c.person("I will put you through to a person.")
	}
	got, err := c.post(c.ctx, "user", object{"phoneNumber": c.number()})
	for err != nil && got.code == 429 && c.is("retries 429 at once") {
		if got, err = c.post(c.ctx, "user", object{"phoneNumber": c.number()}); err != nil {
			break
		}
	}
	switch {
	case got.code == 404, c.is("without a userId nobody is known") && got.object["userId"] == nil && err == nil:
		c.user = object{}
	case err != nil:
		return c.person("Sorry, I could not find out who is calling.")
	default:
		c.user = got.object
	}
	c.mix()
	if !c.is("data of /user ignored") {
		c.overlay(c.user["data"], "/user")
	}
	if c.is("/config wins over /user") {
		c.overlay(c.config, "/config again")
	}
	return c.mayGoOn()
}

// mix is for platforms that remember the wrong things.
func (c *call) mix() {
	id, _ := c.user["userId"].(string)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.is("the first userId kept for all") && id != "" {
		if c.kept["userId"] == nil {
			c.kept["userId"] = id
		}
		c.user["userId"] = c.kept["userId"]
	}
}

func (c *call) mayGoOn() bool {
	name, _ := c.user["name"].(string)
	switch status := c.user["status"]; {
	case status == "DISABLED" && !c.is("DISABLED books"):
		return c.person("Automatic booking is switched off for your account.")
	case status == "BLACKLISTED" && c.is("tells of the list"):
		c.say("You are barred from our service.")
		c.answer.Outcome = rules.OutcomeRejected
		return false
	case status == "BLACKLISTED" && !c.is("BLACKLISTED books"):
		c.say("We cannot help on this line.")
		c.answer.Outcome = rules.OutcomeRejected
		return false
	case c.is("a user without ENABLED is refused") && len(c.user) > 0 && status != "ENABLED":
		return c.person("I will put you through to a person.")
	case len(c.user) > 0 && name == "" && c.is("says undefined"):
		c.say("Hello undefined.")
	case name != "":
		c.say(c.words("hello", name))
	}
	if list, _ := c.user["activeBookings"].([]any); c.is("many active bookings are too many") && len(list) > 10 {
		panic(http.ErrAbortHandler)
	}
	if v, there := c.user["activeBookings"]; c.is("activeBookings must be a list") && there && v == nil {
		panic(http.ErrAbortHandler)
	}
	return true
}

// ref names the journey in a request.
func (c *call) ref(op string) object {
	ref := object{"userId": c.user["userId"], "journeyId": c.id()}
	if list, _ := c.user["activeBookings"].([]any); c.is("the first of many bookings in /"+op) && len(list) > 1 {
		first, _ := list[0].(object)
		ref["journeyId"] = first["journeyId"]
	}
	if c.is("no userId in /" + op) {
		delete(ref, "userId")
	}
	return ref
}

// id is the journey's, in the way of this platform.
func (c *call) id() any {
	id := c.ask.JourneyID
	if c.is("a foreign journeyId adopted") && c.journey["journeyId"] != nil {
		id, _ = c.journey["journeyId"].(string)
	}
	switch {
	case c.is("ids as numbers"):
		if n, err := strconv.Atoi(id); err == nil {
			return n
		}
	case c.is("ids in small letters"):
		return strings.ToLower(id)
	case c.is("ids in capitals"):
		return strings.ToUpper(id)
	case c.is("ids trimmed"):
		return strings.TrimSpace(id)
	case c.is("ids cut at 64"):
		return id[:min(64, len(id))]
	case c.is("ids without leading zeros"):
		return strings.TrimLeft(id, "0")
	case c.is("ids escaped"):
		return strings.ReplaceAll(id, "/", "%2F")
	}
	return id
}

// read reads the journey that the caller has, if it is about one.
func (c *call) read() bool {
	if c.ask.JourneyID == "" || c.is("active bookings not looked at") {
		return true
	}
	got, err := c.post(c.ctx, "status", c.ref("status"))
	switch {
	case err != nil && c.is("crashes without an answer of /status"):
		panic(http.ErrAbortHandler)
	case err != nil:
		return c.person("Sorry, I cannot find your taxi right now.")
	case got.object["journeyId"] != c.ask.JourneyID && !c.is("a foreign journeyId adopted") && !c.is("a stranger's journey told") && got.object["journeyId"] != nil:
		return c.person("Sorry, I cannot find your taxi right now.")
	}
	c.journey = got.object
	return true
}

// at returns a member of a member of the journey.
func (c *call) at(name, inner string) string {
	o, _ := c.journey[name].(object)
	text, _ := o[inner].(string)
	return text
}

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

// call is one customer request that the platform carries out.
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
	follows  bool // the caller follows the journey
}

// act carries out one customer request and returns its outcome. The error is errUnsupported if the platform does not offer what
// is requested.
func (p *Platform) act(ctx context.Context, ask rules.Ask) (rules.Answer, error) {
	c := &call{Platform: p, ctx: ctx, ask: ask}
	c.answer = rules.Answer{Offered: []string{}, Asked: []string{}, Said: []string{}, Shown: []rules.Shown{}, Legs: []rules.Leg{}}
	if ask.Channel == rules.ChannelMessaging && p.is(noMessaging) || ask.Want == rules.WantEdit && p.is(noEditsAtAll) {
		return c.answer, errUnsupported
	}
	c.applyStaticSettings()
	c.talk()
	return c.told(), nil
}

// told returns the answer for the drive address, without the parts that this platform cannot report.
func (c *call) told() rules.Answer {
	a := c.answer
	if c.is(cannotTellAsked) {
		a.Asked = nil
	}
	if c.is(cannotTellOffered) {
		a.Offered = nil
	}
	if c.is(cannotTellSaid) {
		a.Said, a.Shown = nil, nil
	}
	if c.is(cannotTellLegs) {
		a.Legs = nil
	}
	return a
}

// applyStaticSettings applies the settings of the request. A request without settings has every feature and option on.
func (c *call) applyStaticSettings() {
	c.features, c.options = rules.AllFeatures(), rules.AllOptions()
	if c.is(theSettingsOfOneCallKeptForTheNext) {
		c.keepSettings()
	}
	if s := c.ask.Settings; s != nil {
		c.features, c.options, c.skip = s.Features, s.Options, s.SkipDropOff
	}
}

// keepSettings remembers the settings of a caller's request, and uses them for a next request without settings.
func (c *call) keepSettings() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ask.Settings == nil {
		c.ask.Settings, _ = c.kept["settings"+c.ask.From].(*rules.Settings)
	}
	c.kept["settings"+c.ask.From] = c.ask.Settings
}

// talk carries out the whole conversation.
func (c *call) talk() {
	if c.is(userBeforeTheGreeting) && !c.is(noConfig) {
		c.say("Welcome.")
	}
	if c.is(userBeforeConfig) && !c.ask.Withheld {
		_, _ = c.post(c.ctx, "user", object{"phoneNumber": c.number()})
	}
	if !c.configure() || !c.identify() {
		return
	}
	if !c.recall() && !c.read() {
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

// transferToPerson tells the caller why, transfers the caller to a person and returns false: the request ends there.
func (c *call) transferToPerson(why string) bool {
	c.say(why)
	c.answer.Outcome = rules.OutcomePerson
	c.answer.Legs = append(c.answer.Legs, rules.Leg{To: "person", CallerID: mainNumber})
	return false
}

// mainNumber is the platform's own telephone number, from which it places every call.
const mainNumber = "+441134960000"

// configure calls /config and overrides the settings with its answer. It returns false if the request ends there.
func (c *call) configure() bool {
	if c.is(noConfig) {
		return true
	}
	body := object{"data": object{"features": c.features, "options": c.options, "skipDropOff": c.skip}}
	switch {
	case c.is(dataAList):
		body["data"] = c.options
	case c.is(featuresAString):
		body["data"] = object{"features": strings.Join(c.features, ",")}
	case c.is(skipDropOffAsText):
		body["data"] = object{"skipDropOff": "false"}
	case c.is(noDataForConfig):
		delete(body, "data")
	}
	got, err := c.post(c.ctx, "config", body)
	if err != nil && c.is(retriesConfigOnce) {
		got, err = c.post(c.ctx, "config", body)
	}
	if err == nil && c.is(configTwice) {
		got, err = c.post(c.ctx, "config", body)
	}
	status, _ := got.object["status"].(string)
	switch {
	case err != nil && c.is(silenceWhenConfigFails):
		c.answer.Outcome = rules.OutcomeFailed
		return false
	case err != nil && c.is(staticSettingsWhenConfigFails):
	case err != nil, c.is(anOddSystemStatusTakenForDown) && status != "" && !slices.Contains([]string{"OK", "BUSY"}, status):
		return c.transferToPerson("Sorry, we cannot take automatic bookings right now.")
	}
	c.config = got.object["data"]
	c.overlay(c.config, "/config")
	if !slices.Contains(c.features, "voice") && c.ask.Channel == rules.ChannelVoice && !c.is(booksWithVoiceOff) {
		return c.transferToPerson("I will put you through to a person.")
	}
	return true
}

// overlay overrides the settings with the data of an answer, member by member.
func (c *call) overlay(data any, from string) {
	if c.is(overridesIgnored) {
		return
	}
	if c.is(anOverrideKeptForEver) && from == "/config" {
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
	if c.is(anOverrideReplacesEverything) && from == "/config" {
		c.features, c.options, c.skip = []string{"voice", "messaging"}, nil, false
	}
	if c.is(nullsClearTheSettings) && from == "/config" {
		if v, there := o["features"]; there && v == nil {
			c.features = nil
		}
	}
	if list, is := o["features"].([]any); is {
		c.features = c.names(list)
	}
	if list, is := o["options"].([]any); is {
		c.options = c.names(list)
		unknown := slices.ContainsFunc(c.options, func(o string) bool { return !slices.Contains(rules.AllOptions(), o) })
		if unknown && c.is(anUnknownOptionMakesAllTheRestGo) {
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
		if c.is(unknownOptionsRefused) && !slices.Contains(append(rules.AllOptions(), rules.AllFeatures()...), name) {
			panic(http.ErrAbortHandler)
		}
		all = append(all, name)
	}
	return all
}

// on reports whether an option is on; it always is on a platform that ignores the option.
func (c *call) on(option string) bool {
	return slices.Contains(c.options, option) || c.is(ignores(option))
}

// number returns the caller's number as E.164 digits, or as a faulty platform sends it.
func (c *call) number() any {
	from := c.ask.From
	switch {
	case c.is(aPlusInFrontOfTheNumber):
		return "+" + digits(from)
	case c.is(theNumberAsAJSONNumber):
		n, _ := strconv.Atoi(digits(from))
		return n
	case c.is(theNumberAsTheNetworkGaveIt):
		return from
	case c.is(zerosLeftInFront):
		return strings.TrimPrefix(from, "+")
	case c.is(fortyFourInFrontOfEachNumber):
		return "44" + strings.TrimPrefix(digits(from), "44")
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

// identify looks the caller up with /user, unless the number is withheld. It returns false if the request ends there.
func (c *call) identify() bool {
	if c.ask.Withheld {
		switch {
		case c.is(anEmptyNumberSent):
			_, _ = c.post(c.ctx, "user", object{"phoneNumber": ""})
		case c.is(anonymousSent):
			_, _ = c.post(c.ctx, "user", object{"phoneNumber": "anonymous"})
		}
		return c.transferToPerson("I will put you through to a person.")
	}
	if c.is(theUserOfTheLastCallKept) {
		c.mu.Lock()
		c.user, _ = c.kept["user"+c.ask.From].(object)
		c.mu.Unlock()
		if c.user != nil {
			return c.mayGoOn()
		}
	}
	got, err := c.post(c.ctx, "user", object{"phoneNumber": c.number()})
	for err != nil && got.code == 429 && (c.is(retries429AtOnce) || got.dated && c.is(aDateInRetryAfterNotRead)) {
		if got, err = c.post(c.ctx, "user", object{"phoneNumber": c.number()}); err != nil {
			break
		}
	}
	switch {
	case got.code == 404, c.is(withoutAUserIdNobodyIsKnown) && got.object["userId"] == nil && err == nil:
		c.user = object{}
	case err != nil:
		return c.transferToPerson("Sorry, I could not find out who is calling.")
	default:
		c.user = got.object
	}
	c.mu.Lock()
	c.kept["user"+c.ask.From] = c.user
	c.mu.Unlock()
	c.useEarlierCaller()
	if !c.is(dataOfUserIgnored) {
		c.overlay(c.user["data"], "/user")
	}
	if c.is(configWinsOverUser) {
		c.overlay(c.config, "/config again")
	}
	return c.mayGoOn()
}

// useEarlierCaller applies the faults of platforms that use the name or the userId of an earlier caller.
func (c *call) useEarlierCaller() {
	id, _ := c.user["userId"].(string)
	c.mu.Lock()
	defer c.mu.Unlock()
	if name, _ := c.user["name"].(string); c.is(theLastNameForTheNameless) {
		if name == "" && c.kept["name"] != nil {
			c.user["name"] = c.kept["name"]
		} else {
			c.kept["name"] = name
		}
	}
	if c.is(theFirstUserIdKeptForAll) && id != "" {
		if c.kept["userId"] == nil {
			c.kept["userId"] = id
		}
		c.user["userId"] = c.kept["userId"]
	}
}

func (c *call) mayGoOn() bool {
	name, _ := c.user["name"].(string)
	switch status := c.user["status"]; {
	case status == "DISABLED" && !c.is(disabledBooks):
		return c.transferToPerson("Automatic booking is switched off for your account.")
	case status == "BLACKLISTED" && c.is(tellsOfTheList):
		c.say("You are barred from our service.")
		c.answer.Outcome = rules.OutcomeRejected
		return false
	case status == "BLACKLISTED" && !c.is(blacklistedBooks):
		c.say("We cannot help on this line.")
		c.answer.Outcome = rules.OutcomeRejected
		return false
	case c.is(aUserWithoutENABLEDIsRefused) && len(c.user) > 0 && status != "ENABLED":
		return c.transferToPerson("I will put you through to a person.")
	case len(c.user) > 0 && name == "" && c.is(saysUndefined):
		c.say("Hello undefined.")
	case name != "":
		c.say(c.words("hello", name))
	}
	if list, _ := c.user["activeBookings"].([]any); c.is(manyActiveBookingsAreTooMany) && len(list) > 10 {
		panic(http.ErrAbortHandler)
	}
	if v, there := c.user["activeBookings"]; c.is(activeBookingsMustBeAList) && there && v == nil {
		panic(http.ErrAbortHandler)
	}
	return true
}

// ref returns the ids of the user and the journey for the body of a request.
func (c *call) ref(op string) object {
	ref := object{"userId": c.user["userId"], "journeyId": c.id()}
	first := c.is(firstOfMany(op)) || op == "status" && c.follows && c.is(followsTheFirstOfMany)
	if list, _ := c.user["activeBookings"].([]any); first && len(list) > 1 {
		one, _ := list[0].(object)
		ref["journeyId"] = one["journeyId"]
	}
	if c.is(withoutUserID(op)) {
		delete(ref, "userId")
	}
	return ref
}

// id returns the id of the journey, or what a faulty platform makes of it.
func (c *call) id() any {
	id := c.ask.JourneyID
	if c.is(aForeignJourneyIdAdopted) && c.journey["journeyId"] != nil {
		id, _ = c.journey["journeyId"].(string)
	}
	switch {
	case c.is(idsAsNumbers):
		if n, err := strconv.Atoi(id); err == nil {
			return n
		}
	case c.is(idsInSmallLetters):
		return strings.ToLower(id)
	case c.is(idsInCapitals):
		return strings.ToUpper(id)
	case c.is(idsTrimmed):
		return strings.TrimSpace(id)
	case c.is(idsCutAt64):
		return id[:min(64, len(id))]
	case c.is(idsWithoutLeadingZeros):
		return strings.TrimLeft(id, "0")
	case c.is(idsEscaped):
		return strings.ReplaceAll(id, "/", "%2F")
	}
	return id
}

// recall uses the journey that an earlier call of the same caller read, on a platform with that fault. It
// reports whether the journey is known.
func (c *call) recall() bool {
	if !c.is(howAJourneyStandsRemembered) || c.ask.JourneyID == "" {
		return false
	}
	key := "journey" + c.ask.From + c.ask.JourneyID
	c.mu.Lock()
	kept, known := c.kept[key].(object)
	c.mu.Unlock()
	if known {
		c.journey = kept
		return true
	}
	if !c.read() {
		return false
	}
	c.mu.Lock()
	c.kept[key] = c.journey
	c.mu.Unlock()
	return true
}

// read calls /status if the request is about a journey. It returns false if the request ends there.
func (c *call) read() bool {
	if c.ask.JourneyID == "" || c.is(activeBookingsNotLookedAt) {
		return true
	}
	got, err := c.post(c.ctx, "status", c.ref("status"))
	for range 3 {
		if err != nil && c.is(failedReadingsRepeatedAtOnce) {
			got, err = c.post(c.ctx, "status", c.ref("status"))
		}
	}
	switch {
	case err != nil && c.is(crashesWithoutAnAnswerOfStatus):
		panic(http.ErrAbortHandler)
	case err != nil:
		return c.transferToPerson("Sorry, I cannot find your taxi right now.")
	case c.follows && c.is(followsTheFirstOfMany):
	case got.object["journeyId"] != c.ask.JourneyID && !c.is(aForeignJourneyIdAdopted) && !c.is(aStrangersJourneyTold) && got.object["journeyId"] != nil:
		return c.transferToPerson("Sorry, I cannot find your taxi right now.")
	}
	c.journey = got.object
	return true
}

// at returns the text of a member of an object in the journey, such as the driver's name; "" if there is none.
func (c *call) at(name, inner string) string {
	o, _ := c.journey[name].(object)
	text, _ := o[inner].(string)
	return text
}

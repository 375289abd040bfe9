package mutants

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// menu records the actions that the journey and the options allow as offered, and reads them out.
func (c *call) menu() {
	status, _ := c.journey["status"].(string)
	phone := c.at("driver", "phoneNumber")
	offer := func(what string, may bool) {
		if may {
			c.answer.Offered = append(c.answer.Offered, what)
		}
	}
	soon := slices.Contains([]string{"HELD", "WAITING", "ACCEPTED"}, status)
	live := soon || slices.Contains([]string{"EN_ROUTE", "ARRIVED"}, status)
	offer("book", true)
	offer("status", c.journey != nil && !c.is(neverOffersTheStatus))
	offer("edit", (soon || c.is(editsBeyondACCEPTED) && live) && !c.is(neverOffersAnEdit) && !c.is(noEditsAtAll))
	offer("cancel", live && c.on("cancel") && !c.is(neverOffersToCancel))
	offer("comingNow", c.mayComeNow(status, phone))
	offer("callDriver", !c.is(neverOffersToCallTheDriver) && (status == "ARRIVED" || status == "EN_ROUTE") && (phone != "" || c.is(callsADriverWithoutANumber)) && c.on("callDriver"))
	c.say(c.words("menu", strings.Join(c.answer.Offered, ", ")))
}

func (c *call) mayComeNow(status, phone string) bool {
	at := status == "ARRIVED" || c.is(comingNowAtEnRoute) && status == "EN_ROUTE" || c.is(comingNowInEveryStatus) || c.is(comingNowOnceOnBoard) && status == "POB"
	return at && (phone != "" || c.is(comingNowWithoutANumber)) && c.on("comingNow") && !c.is(comingNowNeverOffered)
}

// comingNow handles each press of Coming Now by the caller.
func (c *call) comingNow() {
	for range max(c.ask.Times, 1) {
		status, _ := c.journey["status"].(string)
		if !slices.Contains(c.answer.Offered, "comingNow") && (!c.is(comingNowWheneverItIsPressed) || status == "") {
			c.say("That is not possible now.")
			return
		}
		c.mu.Lock()
		pressed := c.ask.JourneyID
		if c.is(comingNowRememberedForTheCaller) {
			pressed = c.ask.From
		}
		c.pressed[pressed]++
		n := c.pressed[pressed]
		c.mu.Unlock()
		if n == 1 || c.is(eachPressCallsTheDriver) {
			c.leg("driver")
		}
		c.say(c.words("told the driver", ""))
	}
}

// leg records a telephone call to somebody, with the number that is shown to them.
func (c *call) leg(to string) {
	shown := mainNumber
	if c.is(theDriverSeesTheCallersNumber) {
		shown = "+" + digits(c.ask.From)
	}
	c.answer.Legs = append(c.answer.Legs, rules.Leg{To: to, CallerID: shown})
}

func (c *call) callDriver() {
	if !slices.Contains(c.answer.Offered, "callDriver") {
		c.say("That is not possible now.")
		return
	}
	c.say("Connecting you now.")
	c.leg("driver")
}

// later waits for a duration on the platform's clock.
func (c *call) later(d time.Duration) { c.Wait(c.ctx, d) }

// plainJSON returns a value as the maps and lists that its JSON is decoded to.
func plainJSON(v any) any {
	text, _ := json.Marshal(v) // of this package's own types, which can be written
	var o any
	_ = json.Unmarshal(text, &o) // it was just written
	return o
}

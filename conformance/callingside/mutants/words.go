package mutants

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// say records a text that the caller hears or, by message, reads; "" is skipped.
func (c *call) say(text string) {
	if text == "" {
		return
	}
	c.answer.Said = append(c.answer.Said, text)
	if c.ask.Channel == rules.ChannelMessaging {
		c.answer.Shown = append(c.answer.Shown, rules.Shown{Kind: "text", Text: text})
	}
}

// phrases are the sentences of this platform, by language and by name; %s stands for a fact.
var phrases = map[string]map[string]string{
	"en": {
		"hello": "Hello %s.", "menu": "You can choose: %s.", "booked": "Your taxi is booked. Goodbye.", "job": "Your job number is %s.",
		"not booked": "Sorry, your taxi is not booked.", "cancelled": "Your taxi is cancelled.", "not cancelled": "Sorry, your taxi was not cancelled.", "unknown": "Sorry, I do not know what became of it.",
		"told the driver": "I have told the driver.%s", "vehicle": "It is a %s.", "reg": "Its registration is %s.", "eta": "It comes in about %s.", "driver": "Your driver is %s.",
	},
	"de": {
		"hello": "Guten Tag, %s.", "menu": "Sie können wählen: %s.", "booked": "Ihr Taxi ist gebucht. Auf Wiederhören.", "job": "Ihre Auftragsnummer lautet %s.",
		"not booked": "Ihr Taxi konnte leider nicht gebucht werden.", "cancelled": "Ihr Taxi wurde storniert.", "not cancelled": "Ihr Taxi wurde leider nicht storniert.", "unknown": "Ich weiß leider nicht, was daraus geworden ist.",
		"told the driver": "Ich habe es dem Fahrer gesagt.%s", "vehicle": "Es ist ein %s.", "reg": "Das Kennzeichen ist %s.", "eta": "Es kommt in etwa %s.", "driver": "Ihr Fahrer heißt %s.",
	},
	"digits": {
		"hello": "Hello %s.", "menu": "Options: %s.", "booked": "Your taxi has been booked.", "job": "%s.", "not booked": "That did not work. The taxi couldn't be booked.", "cancelled": "I've cancelled it.",
		"not cancelled": "That did not work. It could not be cancelled.", "unknown": "I do not know what became of it.", "told the driver": "Done.%s", "vehicle": "%s.", "reg": "%s.", "eta": "%s.", "driver": "%s.",
	},
	"finnish": {
		"hello": "Hei %s.", "menu": "Valitse: %s.", "booked": "Taksi on varattu.", "job": "Numero on %s.", "not booked": "Taksia ei varattu.", "cancelled": "Taksi on peruttu.",
		"not cancelled": "Taksia ei peruttu.", "unknown": "En tiedä.", "told the driver": "Kerroin kuljettajalle.%s", "vehicle": "Auto on %s.", "reg": "Rekisteri on %s.", "eta": "Se tulee: %s.", "driver": "Kuljettaja on %s.",
	},
}

// words returns a sentence of [phrases] in the platform's language, with the fact in it.
func (c *call) words(which, fact string) string {
	language := "en"
	for _, l := range []string{"de", "digits", "finnish"} {
		if c.is(speaks(l)) {
			language = l
		}
	}
	form := phrases[language][which]
	if !strings.Contains(form, "%s") {
		return form
	}
	return fmt.Sprintf(form, fact)
}

// speak describes the journey to the caller, as far as the options allow.
func (c *call) speak() {
	told, _ := c.journey["status"].(string)
	c.say(c.standing(told))
	if text := c.at("vehicle", "description"); text != "" && c.mentions("vehicle") {
		c.say(c.words("vehicle", text))
	}
	if text := c.at("vehicle", "registration"); text != "" && c.mentions("vehicleReg") {
		c.say(c.words("reg", spelled(text)))
	}
	switch eta, is := c.journey["eta"].(object); {
	case is && c.mentions("eta"):
		c.say(c.eta(eta))
	case c.is(aMissingTimeOfArrivalIsZero) && !c.over():
		c.say(c.words("eta", "0 minutes"))
	}
	name := c.at("driver", "name")
	if name != "" && c.mentions("driverName") {
		c.say(c.words("driver", c.plainName(name)))
	}
	if c.is(theBadgeWhateverIsOn) {
		c.say("Badge " + c.at("driver", "badgeNumber") + ".")
	}
	c.speakPrice(c.journey, everyPriceInPounds)
	if c.is(saysNull) && name == "" {
		c.say("Your driver is null.")
	}
	c.leak(c.at("driver", "phoneNumber"))
	c.locate()
}

// mentions reports whether the platform speaks the fact that an option switches.
func (c *call) mentions(option string) bool {
	return c.on(option) && !c.is(saysLittle) && !c.is(neverTells(option))
}

// speakPrice speaks the price of a journey in the way of a faulty platform. A correct one does not speak it.
func (c *call) speakPrice(journey object, inPounds Switch) {
	price, _ := journey["price"].(object)
	switch {
	case price["value"] == nil || price["currency"] == nil:
	case c.is(theRawPrice):
		c.say(fmt.Sprintf("%v %v %v", price["value"], price["currency"], price["type"]))
	case c.is(anEstimateToldAsFixed):
		c.say(fmt.Sprintf("The price is fixed, %v %v.", price["value"], price["currency"]))
	case c.is(everyPriceInPence):
		if value, is := price["value"].(float64); is {
			c.say(fmt.Sprintf("It costs %.2f pounds.", value/100))
		}
	case c.is(inPounds):
		c.say(fmt.Sprintf("It costs %v pounds.", price["value"]))
	}
}

// plainName returns a name without markup, or as a faulty platform speaks it.
func (c *call) plainName(name string) string {
	switch {
	case c.is(markupInterpreted):
		return interpreted.ReplaceAllString(name, "$1")
	case c.is(markupReadAloud):
		return name
	}
	return strings.TrimSpace(markup.ReplaceAllString(name, ""))
}

var markup = regexp.MustCompile(`<[^>]*>`)

// interpreted matches markup that replaces text with an alias, which a speech engine would speak.
var interpreted = regexp.MustCompile(`<sub alias="([^"]*)">[^<]*</sub>.*`)

func (c *call) standing(status string) string {
	known := map[string]string{
		"HELD": "Your taxi is held for its time.", "WAITING": "We are finding a driver.", "ACCEPTED": "A driver has it.", "EN_ROUTE": "Your taxi is on its way.",
		"ARRIVED": "Your taxi is outside.", "POB": "Your journey has started.", "COMPLETE": "Your journey has finished.", "CANCELLED": "That journey was called off.",
	}
	if c.is(whatWaitsIsOnItsWay) && status == "WAITING" {
		return known["EN_ROUTE"]
	}
	if c.is(saysUndefined) && status == "" {
		return "Your taxi is undefined."
	}
	if known[status] == "" && c.is(anUnknownStatusIsTheEnd) {
		return known["COMPLETE"]
	}
	return known[status]
}

func (c *call) eta(eta object) string {
	value, isNumber := eta["value"].(float64)
	unit, isText := eta["unit"].(string)
	if !isNumber || !isText {
		return ""
	}
	switch {
	case c.is(everyTimeInMinutes), c.is(unitsThatNobodyKnowsAreMinutes) && unit == "blocks":
		unit = "minutes"
	case c.is(everyTimeInHoursAndMinutes) && value > 120:
		value, unit = value/60, "hours"
	}
	if c.is(wholeNumbersWithAFraction) {
		return c.words("eta", fmt.Sprintf("%.1f %s", value, unit))
	}
	return c.words("eta", fmt.Sprintf("%.0f %s", value, unit))
}

// spelled returns the characters of a registration, separated by spaces.
func spelled(reg string) string {
	var all []string
	for _, r := range reg {
		if r != ' ' {
			all = append(all, string(r))
		}
	}
	return strings.Join(all, " ")
}

// leak tells the caller the driver's number, in the form that a switch of this platform asks for.
func (c *call) leak(phone string) {
	d := jsonvalue.Digits(phone)
	if d == "" {
		return
	}
	switch {
	case c.is(theDriversNumberInFigures):
		c.say("Call " + phone + ".")
	case c.is(theDriversNumberSpaced):
		c.say("Call 0 " + strings.Join(strings.Split(d[2:], ""), " ") + ".")
	case c.is(theDriversNumberInWords):
		c.say("Call oh " + strings.Join(inWords(d[2:]), " ") + ".")
	case c.is(theDriversNumberWithDouble):
		c.say("Call " + doubled(d[2:]) + ".")
	case c.is(theDriversNumberInGerman):
		c.say("Rufen Sie null " + inGerman(d[2:]) + ".")
	case c.is(theEndOfTheDriversNumber):
		c.say("The driver's number ends in " + strings.Join(strings.Split(d[len(d)-6:], ""), " ") + ".")
	case c.is(theDriversNumberInAMessage):
		c.answer.Shown = append(c.answer.Shown, rules.Shown{Kind: "text", Text: "tel:" + phone})
	}
}

var (
	english = strings.Fields("oh one two three four five six seven eight nine")
	german  = strings.Fields("null eins zwo drei vier fünf sechs sieben acht neun")
)

func inWords(d string) []string {
	var all []string
	for _, r := range d {
		all = append(all, english[r-'0'])
	}
	return all
}

func inGerman(d string) string {
	var all []string
	for _, r := range d {
		all = append(all, german[r-'0'])
	}
	return strings.Join(all, " ")
}

// doubled returns the digits as words; two equal digits in a row become "double" and one word.
func doubled(d string) string {
	var all []string
	for i := 0; i < len(d); i++ {
		word := english[d[i]-'0']
		if i+1 < len(d) && d[i] == d[i+1] {
			word = "double " + word
			i++
		}
		all = append(all, word)
	}
	return strings.Join(all, " ")
}

// locate sends the location of the vehicle on a channel with a screen.
func (c *call) locate() {
	where, _ := c.journey["location"].(object)
	lon, hasLon := where["longitude"].(float64)
	lat, hasLat := where["latitude"].(float64)
	if c.ask.Channel != rules.ChannelMessaging || !hasLon || !hasLat || c.is(noLocationMessage) {
		return
	}
	if c.is(theLocationExchanged) {
		lon, lat = lat, lon
	}
	c.answer.Shown = append(c.answer.Shown, rules.Shown{Kind: "location", Longitude: &lon, Latitude: &lat})
}

package dispatchside

import (
	"fmt"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside/rules"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func userProbes() []probe {
	return []probe{
		{name: rules.ProbeTwentyLooks, checks: ids("USR-04 USR-18"), run: twentyLooks},
		{name: rules.ProbeTenBookings, checks: ids("USR-13 BOK-04"), run: tenBookings},
		{name: rules.ProbePhoneForms, checks: ids("USR-17 USR-19"), users: 2, run: phoneForms},
		{name: rules.ProbeCountries, checks: ids("USR-21"), run: countries},
		{name: rules.ProbeSameEnding, checks: ids("USR-05"), run: sameEnding},
		{name: rules.ProbeUserData, checks: ids("USR-20 USR-06 USR-07"), run: userData},
		{name: rules.ProbeBarredUsers, checks: ids("USR-14 BOK-38"), run: barredUsers, aid: conformance.AidFixtures},
	}
}

func twentyLooks(c *testUser) {
	j := c.book()
	for range 20 {
		c.lookUp()
	}
	j.status()
}

// tenBookings books thirteen journeys, since limited lists often end after ten or twelve.
func tenBookings(c *testUser) {
	for range 13 {
		c.book()
	}
	c.lookUp()
}

// user calls /user with a body and an intent that mark the call as unusual.
func (c *testUser) user(body object, intent conformance.Intent) *conformance.Exchange {
	return c.post(rules.OpUser, body, intent)
}

func phoneForms(c *testUser) {
	c.anotherUser().ensureKnown() // another user, whose account must not be returned
	c.ensureKnown()
	national := strings.TrimPrefix(c.phone, "44")
	for _, form := range []string{"+" + c.phone, "00" + c.phone, "0" + national, c.phone[:4] + " " + c.phone[4:]} {
		c.user(object{"phoneNumber": form}, rules.IntentPhoneForm)
	}
	for _, digits := range []int{7, 15, 16} {
		c.user(object{"phoneNumber": fmt.Sprintf("44%0*d", digits-2, c.IntN(9000))}, rules.IntentPhoneLength)
	}
	c.lookUp()
}

// countries books for new callers of several countries, with a plus and without, and looks them up
// by the digits. A server may refuse numbers of other countries.
func countries(c *testUser) {
	if len(c.target.Phones) > 0 {
		return // nobody is new
	}
	for i, block := range abroad {
		one := *c
		one.phone, one.userID, one.known = block.number(c.marks), "", false
		body := with(one.booking(), object{"phoneNumber": []string{"+", ""}[i%2] + one.phone})
		if x := one.tryBook(body, rules.IntentCountry); rules.Served(x) {
			one.lookUp()
			(&bookedJourney{id: x.Reply().At("journeyId").Scalar(), user: &one}).status()
		}
	}
}

// sameEnding looks up two numbers of different countries with the same last ten digits:
// the first is reserved for fiction in North America, the second is unassigned.
func sameEnding(c *testUser) {
	if len(c.target.Phones) > 0 {
		c.block(conformance.NotApplicable, "the target names the numbers that may be used")
	}
	subscriber := fmt.Sprintf("20255501%02d", c.IntN(100))
	for _, phone := range []string{"1" + subscriber, "44" + subscriber} {
		one := *c
		one.phone, one.userID, one.known = phone, "", false
		look := object{"phoneNumber": phone}
		if x := one.user(look, rules.IntentSameEnding); rules.Served(x) {
			continue
		}
		one.tryBook(one.booking(), rules.IntentSameEnding)
		one.user(look, rules.IntentSameEnding)
	}
}

func userData(c *testUser) {
	c.ensureKnown()
	for _, data := range []any{nil, object{}, object{"unknown": object{"nested": []int{1}}}} {
		body := object{"phoneNumber": c.phone, "data": data}
		c.send(client.Call{Op: rules.OpUser, Body: encode(body), Intent: rules.IntentUserData, Sound: c.known})
	}
	c.lookUp()
}

// barredUsers looks up, and tries to book for, the users whom the target names
// as barred.
func barredUsers(c *testUser) {
	if c.target.Disabled == "" && c.target.Blacklisted == "" {
		c.blockFor(conformance.Needs(conformance.AidFixtures, "the numbers of a DISABLED and a BLACKLISTED user"))
	}
	for _, barred := range []struct {
		intent conformance.Intent
		phone  taxi.E164
	}{{rules.IntentDisabled, c.target.Disabled}, {rules.IntentBlacklisted, c.target.Blacklisted}} {
		intent, phone := barred.intent, barred.phone
		if phone == "" {
			continue
		}
		x := c.user(object{"phoneNumber": phone.Digits()}, intent)
		body := with(c.booking(), object{"phoneNumber": phone.Digits()})
		if id := x.Reply().At("userId").Scalar(); id != "" {
			body["userId"] = id
		}
		c.tryBook(body, intent)
	}
}

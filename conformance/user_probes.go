package conformance

import (
	"fmt"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

func userProbes() []probe {
	return []probe{
		{name: probeTwentyLooks, checks: ids("USR-04 USR-18"), run: twentyLooks},
		{name: probeTenBookings, checks: ids("USR-13 BOK-04"), run: tenBookings},
		{name: probePhoneForms, checks: ids("USR-17 USR-19"), users: 2, run: phoneForms},
		{name: probeUserData, checks: ids("USR-20"), run: userData},
		{name: probeBarredUsers, checks: ids("USR-14 BOK-38"), run: barredUsers, aid: AidFixtures},
	}
}

func twentyLooks(c *testUser) {
	j := c.book()
	for range 20 {
		c.lookUp()
	}
	j.status()
}

func tenBookings(c *testUser) {
	for range 10 {
		c.book()
	}
	c.lookUp()
}

// user makes a call of /user that is out of the ordinary.
func (c *testUser) user(body object, intent Intent) *Exchange {
	return c.post(OpUser, body, intent)
}

func phoneForms(c *testUser) {
	c.anotherUser().ensureKnown() // somebody to be mistaken for
	c.ensureKnown()
	national := strings.TrimPrefix(c.phone, "44")
	for _, form := range []string{"+" + c.phone, "00" + c.phone, "0" + national, c.phone[:4] + " " + c.phone[4:]} {
		c.user(object{"phoneNumber": form}, intentPhoneForm)
	}
	for _, digits := range []int{7, 15, 16} {
		c.user(object{"phoneNumber": fmt.Sprintf("44%0*d", digits-2, c.IntN(9000))}, intentPhoneLength)
	}
	c.lookUp()
}

func userData(c *testUser) {
	c.ensureKnown()
	for _, data := range []any{nil, object{}, object{"unknown": object{"nested": []int{1}}}} {
		body := object{"phoneNumber": c.phone, "data": data}
		c.send(call{op: OpUser, body: encode(body), intent: intentUserData, sound: c.known})
	}
	c.lookUp()
}

// barredUsers looks up, and tries to book for, the users whom the target names
// as barred.
func barredUsers(c *testUser) {
	if c.target.Disabled == "" && c.target.Blacklisted == "" {
		c.blockFor(needs(AidFixtures, "the numbers of a DISABLED and a BLACKLISTED user"))
	}
	for _, barred := range []struct {
		intent Intent
		phone  taxi.E164
	}{{intentDisabled, c.target.Disabled}, {intentBlacklisted, c.target.Blacklisted}} {
		intent, phone := barred.intent, barred.phone
		if phone == "" {
			continue
		}
		x := c.user(object{"phoneNumber": phone.Digits()}, intent)
		body := with(c.booking(), object{"phoneNumber": phone.Digits()})
		if id := x.Reply().at("userId").scalar(); id != "" {
			body["userId"] = id
		}
		c.tryBook(body, intent)
	}
}

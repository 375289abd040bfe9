package calls

import (
	"errors"
	"fmt"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Check validates a request before a call is placed: it refuses targets that the account
// does not have, invalid numbers, and emergency numbers, with a specific error.
func (c *Calls) Check(a *records.Account, req voice.Request) error {
	check := checker{calls: c, account: a, errs: &api.Errors{}}
	check.target("/target", req.Target.Target)
	check.verbs("/verbs", req.Verbs)
	if check.emergency != "" {
		return api.Refuse(api.CodeEmergency, "%s %s", check.emergency, api.ErrEmergency)
	}
	return check.errs.Err()
}

type checker struct {
	calls     *Calls
	account   *records.Account
	errs      *api.Errors
	emergency string // pointer of the first emergency number
}

func (c *checker) verbs(at string, list voice.Document) {
	for i, verb := range list {
		if dial, ok := verb.(voice.Dial); ok {
			for j, target := range dial.Targets {
				c.target(fmt.Sprintf("%s/%d/dial/targets/%d", at, i, j), target)
			}
		}
	}
}

func (c *checker) target(at string, t voice.Target) {
	switch {
	case t.PhoneNumber != nil:
		at += "/phoneNumber/number"
		_, err := c.calls.opts.Numbers.Read(t.PhoneNumber.Number, c.account.Country)
		if errors.Is(err, api.ErrEmergency) && c.emergency == "" {
			c.emergency = at
		}
		if err != nil {
			c.errs.Add(at, "%s", err)
		}
	case t.Extension != nil:
		_, known := c.calls.deviceOf(c.account.ID, t.Extension.Extension)
		if !known && !c.calls.isPhone(c.account.ID, t.Extension.Extension) {
			c.errs.Add(at+"/extension/extension", "is no extension of this account")
		}
	case t.Device != nil:
		if _, known := c.calls.opts.Records.Devices.Get(c.account.ID, t.Device.ID); !known {
			c.errs.Add(at+"/device/id", "is no device of this account")
		}
	}
}

package platform

import (
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// longest is how many characters a line of text may have.
const longest = 256

func (p *Platform) listAccounts(r *request) (reply, error) {
	list := []api.Named{}
	for _, a := range p.records.Accounts(r.who.Organisation) {
		list = append(list, api.Named{ID: a.ID, Name: a.Name})
	}
	return ok(list), nil
}

func (p *Platform) getAccount(r *request) (reply, error) { return ok(r.account.Account), nil }

func (p *Platform) getAddress(r *request) (reply, error) { return ok(r.account.Address), nil }

func (p *Platform) putAddress(r *request) (reply, error) {
	o, errs, err := jsonBody(r.c)
	if err != nil {
		return reply{}, err
	}
	address := readAddress(o)
	if err := errs.Err(); err != nil {
		return reply{}, err
	}
	ctx := r.c.Request.Context()
	return noContent, p.records.Write(ctx, func(tx *records.Tx) error {
		a, known := p.records.Account(r.account.ID)
		if !known {
			return api.Refuse(api.CodeNotFound, "no such account")
		}
		changed := *a
		changed.Address = address
		return p.records.PutAccount(ctx, tx, changed)
	})
}

// readAddress reads all six fields of an address; each must be there, and may be
// empty.
func readAddress(o *api.Object) api.Address {
	defer o.Done()
	return api.Address{
		Line1:      o.Given("line1", longest),
		Line2:      o.Given("line2", longest),
		Level1:     o.Given("level1", longest),
		Level2:     o.Given("level2", longest),
		PostalCode: o.Given("postalCode", longest),
		Country:    o.Given("country", longest),
	}
}

func (p *Platform) listDDIs(r *request) (reply, error) {
	list := []api.DDI{}
	for _, n := range p.records.DDIs(r.account.ID) {
		list = append(list, n.DDI)
	}
	return ok(list), nil
}

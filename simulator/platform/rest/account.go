package rest

import (
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

func (p *API) listAccounts(r *Request) (Reply, error) {
	list := []api.Named{}
	for _, a := range p.Records.Accounts(r.Who.Organisation) {
		list = append(list, api.Named{ID: a.ID, Name: a.Name})
	}
	return OK(list), nil
}

func (p *API) getAccount(r *Request) (Reply, error) { return OK(r.Account.Account), nil }

func (p *API) getAddress(r *Request) (Reply, error) { return OK(r.Account.Address), nil }

func (p *API) putAddress(r *Request) (Reply, error) {
	var address api.Address
	if err := r.Bind(&address).Err(); err != nil {
		return Reply{}, err
	}
	ctx := r.C.Request.Context()
	return NoContent, p.Records.Write(ctx, func(tx *records.Tx) error {
		a, known := p.Records.Account(r.Account.ID)
		if !known {
			return api.Refuse(api.CodeNotFound, "no such account")
		}
		changed := *a
		changed.Address = address
		return p.Records.PutAccount(ctx, tx, changed)
	})
}

func (p *API) listDDIs(r *Request) (Reply, error) {
	return OK(records.Numbers(p.Records.DDIs(r.Account.ID))), nil
}

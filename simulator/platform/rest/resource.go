package rest

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// resource implements the four operations of trunks, hooks and devices on a table.
type resource[T any] struct {
	name  string // in its path
	table *records.Table[T]
	read  func(a *records.Account, errs *api.Errors, members api.Members) T // all but the id
	setID func(v *T, id string)
	// fit compares a new or changed record with the account's other records; earlier is
	// nil for a new one.
	fit func(a *records.Account, v, earlier *T, errs *api.Errors) error
}

func serveResource[T any](p *API, g *gin.RouterGroup, res resource[T]) {
	path := "/" + res.name
	g.GET(path, p.account(adminOnly, func(r *Request) (Reply, error) { return listOf(res, r), nil }))
	g.GET(path+"/:id", p.account(adminOnly, func(r *Request) (Reply, error) {
		row, err := find(res, r)
		if err != nil {
			return Reply{}, err
		}
		return Reply{Status: http.StatusOK, Encoded: row.Shown}, nil
	}))
	g.POST(path, p.account(adminOnly, func(r *Request) (Reply, error) { return create(p, res, r) }))
	g.PUT(path+"/:id", p.account(adminOnly, func(r *Request) (Reply, error) { return update(p, res, r) }))
}

func listOf[T any](res resource[T], r *Request) Reply {
	rows := res.table.List(r.Account.ID)
	shown := make([][]byte, len(rows))
	for i, row := range rows {
		shown[i] = row.Shown
	}
	return Reply{Status: http.StatusOK, Encoded: slices.Concat([]byte("["), bytes.Join(shown, []byte(",")), []byte("]"))}
}

func find[T any](res resource[T], r *Request) (*records.Row[T], error) {
	row, known := res.table.Get(r.Account.ID, r.C.Param("id"))
	if !known {
		return nil, api.Refuse(api.CodeNotFound, "the account has no such %s", res.name)
	}
	return row, nil
}

func create[T any](p *API, res resource[T], r *Request) (Reply, error) {
	members, err := r.Members()
	if err != nil {
		return Reply{}, err
	}
	errs := &api.Errors{}
	if given, is := members["id"]; is && given.Kind() != 'n' {
		errs.Add("/id", "is given by the platform: leave it out")
	}
	delete(members, "id")
	v := res.read(r.Account, errs, members)
	id := p.Chance.UUID()
	res.setID(&v, id)
	err = p.save(r, res.name, func(ctx context.Context, tx *records.Tx) error {
		if len(res.table.List(r.Account.ID)) >= p.Limits.Resources {
			return api.Refuse(api.CodeLimit, "at most %d of a kind", p.Limits.Resources)
		}
		if err := errors.Join(res.fit(r.Account, &v, nil, errs), errs.Err()); err != nil {
			return err
		}
		return res.table.Put(ctx, tx, r.Account.ID, id, v)
	})
	return Reply{Status: http.StatusCreated, Body: api.Created{ID: id}, Location: r.C.Request.URL.Path + "/" + id}, err
}

func update[T any](p *API, res resource[T], r *Request) (Reply, error) {
	if _, err := find(res, r); err != nil {
		return Reply{}, err
	}
	members, err := r.Members()
	if err != nil {
		return Reply{}, err
	}
	errs, id := &api.Errors{}, r.C.Param("id")
	var given struct {
		ID string `json:"id" limit:"0..256"`
	}
	if errs.Take("", members, &given); given.ID != id && errs.Err() == nil {
		return Reply{}, api.Refuse(api.CodeIDMismatch, "the body's id is %q, the path's is %q", given.ID, id)
	}
	v := res.read(r.Account, errs, members)
	res.setID(&v, id)
	return NoContent, p.save(r, res.name, func(ctx context.Context, tx *records.Tx) error {
		earlier, err := find(res, r)
		if err != nil {
			return err
		}
		if err := errors.Join(res.fit(r.Account, &v, &earlier.Value, errs), errs.Err()); err != nil {
			return err
		}
		return res.table.Put(ctx, tx, r.Account.ID, id, v)
	})
}

// save runs a change that completes even if the client disconnects.
func (p *API) save(r *Request, what string, do func(context.Context, *records.Tx) error) error {
	ctx := context.WithoutCancel(r.C.Request.Context())
	err := p.Records.Write(ctx, func(tx *records.Tx) error { return do(ctx, tx) })
	if err == nil {
		p.Log.InfoContext(ctx, "saved", "what", what, "account", r.Account.ID)
	}
	return err
}

package platform

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

// resource is what trunks, hooks and devices have in common: four operations
// over a table.
type resource[T any] struct {
	name  string // of its path
	table *records.Table[T]
	read  func(a *records.Account, o *api.Object) T // all members but the id
	setID func(v *T, id string)
	// fit holds a new or changed record against everything else that the account
	// has; earlier is nil for a new one.
	fit func(a *records.Account, v, earlier *T, errs *api.Errors) error
}

func serveResource[T any](p *Platform, g *gin.RouterGroup, res resource[T]) {
	path := "/" + res.name
	g.GET(path, p.account(adminOnly, func(r *request) (reply, error) { return listOf(res, r), nil }))
	g.GET(path+"/:id", p.account(adminOnly, func(r *request) (reply, error) {
		row, err := find(res, r)
		if err != nil {
			return reply{}, err
		}
		return reply{status: http.StatusOK, encoded: row.Shown}, nil
	}))
	g.POST(path, p.account(adminOnly, func(r *request) (reply, error) { return create(p, res, r) }))
	g.PUT(path+"/:id", p.account(adminOnly, func(r *request) (reply, error) { return update(p, res, r) }))
}

func listOf[T any](res resource[T], r *request) reply {
	rows := res.table.List(r.account.ID)
	shown := make([][]byte, len(rows))
	for i, row := range rows {
		shown[i] = row.Shown
	}
	return reply{status: http.StatusOK, encoded: slices.Concat([]byte("["), bytes.Join(shown, []byte(",")), []byte("]"))}
}

func find[T any](res resource[T], r *request) (*records.Row[T], error) {
	row, known := res.table.Get(r.account.ID, r.c.Param("id"))
	if !known {
		return nil, api.Refuse(api.CodeNotFound, "the account has no such %s", res.name)
	}
	return row, nil
}

func create[T any](p *Platform, res resource[T], r *request) (reply, error) {
	o, errs, err := jsonBody(r.c)
	if err != nil {
		return reply{}, err
	}
	if o.Has("id") {
		o.Add("id", "is given by the platform: leave it out")
	}
	o.Raw("id")
	v := res.read(r.account, o)
	id := p.chance.UUID()
	res.setID(&v, id)
	err = p.save(r, res.name, func(ctx context.Context, tx *records.Tx) error {
		if len(res.table.List(r.account.ID)) >= p.opts.Limits.Resources {
			return api.Refuse(api.CodeLimit, "at most %d of a kind", p.opts.Limits.Resources)
		}
		if err := errors.Join(res.fit(r.account, &v, nil, errs), errs.Err()); err != nil {
			return err
		}
		return res.table.Put(ctx, tx, r.account.ID, id, v)
	})
	return reply{status: http.StatusCreated, body: api.Created{ID: id}, location: r.c.Request.URL.Path + "/" + id}, err
}

func update[T any](p *Platform, res resource[T], r *request) (reply, error) {
	if _, err := find(res, r); err != nil {
		return reply{}, err
	}
	o, errs, err := jsonBody(r.c)
	if err != nil {
		return reply{}, err
	}
	id := r.c.Param("id")
	if given := o.OptionalText("id", longest); given != id && errs.Err() == nil {
		return reply{}, api.Refuse(api.CodeIDMismatch, "the body's id is %q, the path's is %q", given, id)
	}
	v := res.read(r.account, o)
	res.setID(&v, id)
	return noContent, p.save(r, res.name, func(ctx context.Context, tx *records.Tx) error {
		earlier, err := find(res, r)
		if err != nil {
			return err
		}
		if err := errors.Join(res.fit(r.account, &v, &earlier.Value, errs), errs.Err()); err != nil {
			return err
		}
		return res.table.Put(ctx, tx, r.account.ID, id, v)
	})
}

// save runs a change that is made even if the caller does not wait for it.
func (p *Platform) save(r *request, what string, do func(context.Context, *records.Tx) error) error {
	ctx := context.WithoutCancel(r.c.Request.Context())
	err := p.records.Write(ctx, func(tx *records.Tx) error { return do(ctx, tx) })
	if err == nil {
		p.log.InfoContext(ctx, "saved", "what", what, "account", r.account.ID)
	}
	return err
}

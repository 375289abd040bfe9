package simapi

import (
	"cmp"
	"context"
	"net/http"
	"regexp"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/sip"
)

// RealPhone is a telephone that may log in, with its password, which is returned only once.
type RealPhone struct {
	User      string `json:"user"`
	Password  string `json:"password"`
	Extension string `json:"extension"`
	Number    string `json:"number,omitempty"`
	Server    string `json:"server,omitempty"` // address at which it logs in; left out if the platform has no real lines
}

var phoneUser = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$`)

// addPhone adds a telephone that may log in as an extension of an account, with a new password. A previous
// password becomes invalid.
func (p *API) addPhone(r *rest.Request) (rest.Reply, error) {
	var in struct {
		User      string `json:"user" limit:"0..32"`
		Extension string `json:"extension" limit:"required 1..32"`
		Number    string `json:"number" limit:"0..40"`
	}
	errs := r.Bind(&in)
	account := p.accountOf(r.C.Param("account"), errs)
	made := RealPhone{Password: p.Chance.Password(), Extension: in.Extension, User: cmp.Or(in.User, in.Extension), Server: p.SIPServer()}
	if in.Number != "" {
		made.Number = digits("/number", in.Number, errs)
	}
	for pointer, name := range map[string]string{"/extension": made.Extension, "/user": made.User} {
		if !phoneUser.MatchString(name) {
			errs.Add(pointer, "wants 1 to 32 letters, digits, dots, hyphens and underscores")
		}
	}
	if _, ours := p.Records.Number(made.Number); ours {
		errs.Add("/number", "is a number of this platform: a call to it enters its flow and rings nobody else")
	}
	if _, known := p.Records.Account(account); !known {
		return rest.Reply{}, api.Refuse(api.CodeNotFound, "no such account")
	}
	if err := errs.Err(); err != nil {
		return rest.Reply{}, err
	}
	ctx := context.WithoutCancel(r.C.Request.Context())
	kept := records.Phone{Extension: made.Extension, Number: made.Number, Secret: sip.Secret(made.User, made.Password)}
	err := p.Records.Write(ctx, func(tx *records.Tx) error {
		if err := p.freePhone(account, made); err != nil {
			return err
		}
		return p.Records.Phones.Put(ctx, tx, account, made.User, kept)
	})
	return rest.Reply{Status: http.StatusCreated, Body: made}, err
}

// freePhone returns an error if another telephone has the user, the extension or the number.
func (p *API) freePhone(account string, made RealPhone) error {
	if row, known := p.Records.Phone(made.User); known && row.Account != account {
		return api.Conflict("/user", "is a telephone of another account: name another user")
	}
	if row, known := p.Records.PhoneOf(account, made.Extension); known && row.ID != made.User {
		return api.Conflict("/extension", "is another telephone's: "+row.ID)
	}
	same := p.Records.Phones.Find(func(other records.Phone) bool { return made.Number != "" && other.Number == made.Number })
	if len(same) > 0 && same[0].ID != made.User {
		return api.Conflict("/number", "is another telephone's")
	}
	return nil
}

func (p *API) deletePhone(r *rest.Request) (rest.Reply, error) {
	account, user := p.accountOf(r.C.Param("account"), &api.Errors{}), r.C.Param("user")
	ctx := context.WithoutCancel(r.C.Request.Context())
	return rest.NoContent, p.Records.Write(ctx, func(tx *records.Tx) error {
		if _, known := p.Records.Phones.Get(account, user); !known {
			return api.Refuse(api.CodeNotFound, "no such telephone in the account")
		}
		return p.Records.Phones.Delete(ctx, tx, account, user)
	})
}

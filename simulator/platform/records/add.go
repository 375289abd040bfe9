package records

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// AddOrganisation adds an organisation.
func (r *Records) AddOrganisation(ctx context.Context, tx *Tx, o api.Organisation) error {
	_, err := tx.sql.ExecContext(ctx, "INSERT INTO organisations (id, name) VALUES (?, ?)", o.ID, o.Name)
	tx.then(func() { r.who.organisations = append(r.who.organisations, o) })
	return err
}

// PutUser adds a user or replaces the one with the same id; ErrTaken if another user has
// the name.
func (r *Records) PutUser(ctx context.Context, tx *Tx, u User) error {
	if old, ok := r.User(u.Username); ok && old.ID != u.ID || r.isAside("users", u.Username) {
		return ErrTaken
	}
	roles, err := json.Marshal(u.Roles)
	if err != nil {
		return err
	}
	_, err = tx.sql.ExecContext(ctx, "INSERT INTO users (id, organisation, username, password, roles, generation) VALUES (?, ?, ?, ?, ?, ?) "+
		"ON CONFLICT (id) DO UPDATE SET password = excluded.password, roles = excluded.roles, generation = excluded.generation",
		u.ID, u.Organisation, u.Username, u.Password, string(roles), u.Generation)
	tx.then(func() { r.who.placeUser(&u) })
	return err
}

// PutAccount adds an account or replaces the one with the same id.
func (r *Records) PutAccount(ctx context.Context, tx *Tx, a Account) error {
	address, err := json.Marshal(a.Address)
	if err != nil {
		return err
	}
	_, err = tx.sql.ExecContext(ctx, "INSERT INTO accounts (id, organisation, name, mbn, domain, client, country, address) "+
		"VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, mbn = excluded.mbn, "+
		"domain = excluded.domain, client = excluded.client, country = excluded.country, address = excluded.address",
		a.ID, a.Organisation, a.Name, a.MBN, a.Domain, a.Client, strings.ToLower(a.Country), string(address))
	tx.then(func() { r.who.placeAccount(&a) })
	return err
}

// AddDDI adds a number; ErrTaken if it exists.
func (r *Records) AddDDI(ctx context.Context, tx *Tx, n DDI) error {
	if _, ok := r.Number(n.Name); ok {
		return ErrTaken
	}
	_, err := tx.sql.ExecContext(ctx, "INSERT INTO ddis (id, account, name) VALUES (?, ?, ?)", n.ID, n.Account, n.Name)
	tx.then(func() { r.who.placeDDI(&n) })
	return err
}

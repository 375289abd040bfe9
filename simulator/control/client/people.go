package client

import (
	"context"
	"net/http"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
)

// UserQuery selects users. The zero value selects the first fifty, by id.
type UserQuery struct {
	Statuses []taxi.UserStatus // empty: all
	Limit    int               // maximum number, up to 500; 0: fifty
	After    string            // Next of the previous page
}

// Users lists the users, by id.
func (c *Client) Users(ctx context.Context, q UserQuery) (out control.UserList, err error) {
	err = c.do(ctx, http.MethodGet, page(at("users"), q.Limit, map[string]string{"status": listed(q.Statuses), "after": q.After}), nil, &out)
	return out, err
}

// User returns a user by id or phone number.
func (c *Client) User(ctx context.Context, key string) (out control.User, err error) {
	err = c.get(ctx, &out, "users", key)
	return out, err
}

// PutUser changes a user, or creates one for a number that nobody has. change is a
// dispatch.UserChange, or a value with the same JSON.
func (c *Client) PutUser(ctx context.Context, key string, change any) (out control.User, err error) {
	err = c.put(ctx, change, &out, "users", key)
	return out, err
}

// ForgetUser deletes a user, as if there had never been one.
func (c *Client) ForgetUser(ctx context.Context, key string) error {
	return c.del(ctx, "users", key)
}

// System returns the /config settings, without the ETA that is computed from the cars.
func (c *Client) System(ctx context.Context) (out taxi.ConfigResponse, err error) {
	err = c.get(ctx, &out, "system")
	return out, err
}

// SetSystem replaces the /config settings by a [taxi.ConfigResponse], or a value with the
// same JSON.
func (c *Client) SetSystem(ctx context.Context, to any) (out taxi.ConfigResponse, err error) {
	err = c.put(ctx, to, &out, "system")
	return out, err
}

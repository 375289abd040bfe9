package client

import (
	"context"
	"net/http"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
)

// UserQuery says which users are asked for. The zero value is the first fifty, by id.
type UserQuery struct {
	Statuses []taxi.UserStatus // none: any
	Limit    int               // at most so many, up to 500; 0: fifty
	After    string            // Next of the page before
}

// Users lists the users, by id.
func (c *Client) Users(ctx context.Context, q UserQuery) (out control.UserList, err error) {
	err = c.do(ctx, http.MethodGet, page(at("users"), q.Limit, map[string]string{"status": listed(q.Statuses), "after": q.After}), nil, &out)
	return out, err
}

// User tells of a user, by their id or phone number.
func (c *Client) User(ctx context.Context, key string) (out control.User, err error) {
	err = c.get(ctx, &out, "users", key)
	return out, err
}

// PutUser sets a user up, or makes one for a number that nobody has. The change is a
// dispatch.UserChange, or what is written as one in JSON.
func (c *Client) PutUser(ctx context.Context, key string, change any) (out control.User, err error) {
	err = c.put(ctx, change, &out, "users", key)
	return out, err
}

// ForgetUser forgets a user, as if there had never been one.
func (c *Client) ForgetUser(ctx context.Context, key string) error {
	return c.del(ctx, "users", key)
}

// System tells what /config answers, without the wait for a car.
func (c *Client) System(ctx context.Context) (out taxi.ConfigResponse, err error) {
	err = c.get(ctx, &out, "system")
	return out, err
}

// SetSystem replaces what /config answers: by a [taxi.ConfigResponse], or what is written as
// one in JSON.
func (c *Client) SetSystem(ctx context.Context, to any) (out taxi.ConfigResponse, err error) {
	err = c.put(ctx, to, &out, "system")
	return out, err
}

package client

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/tokens"
)

// Overview returns a summary of the world.
func (c *Client) Overview(ctx context.Context) (out control.Overview, err error) {
	err = c.do(ctx, http.MethodGet, "/", nil, &out)
	return out, err
}

// Document returns the OpenAPI document of the control API.
func (c *Client) Document(ctx context.Context) ([]byte, error) {
	return c.text(ctx, at("openapi.json"))
}

// Clock returns the state of the world's clock.
func (c *Client) Clock(ctx context.Context) (out control.Clock, err error) {
	err = c.get(ctx, &out, "clock")
	return out, err
}

// SetClock changes the speed or the time of the clock. Members that are left out stay
// unchanged.
func (c *Client) SetClock(ctx context.Context, o control.ClockOrder) (out control.Clock, err error) {
	err = c.put(ctx, o, &out, "clock")
	return out, err
}

// Advance moves the clock, and returns the changes on the way.
func (c *Client) Advance(ctx context.Context, a control.Advance) (out control.Advanced, err error) {
	err = c.post(ctx, a, &out, "clock", "advance")
	return out, err
}

// AdvanceJourney moves the clock until a journey has a status.
func (c *Client) AdvanceJourney(ctx context.Context, o control.Order) (out control.Outcome, err error) {
	err = c.post(ctx, o, &out, "advance")
	return out, err
}

// Reset resets the world.
func (c *Client) Reset(ctx context.Context, o control.ResetOrder) (out control.Overview, err error) {
	err = c.post(ctx, o, &out, "reset")
	return out, err
}

// Reseed resets the world with another seed.
func (c *Client) Reseed(ctx context.Context, seed uint64) (out control.Overview, err error) {
	err = c.post(ctx, control.SeedOrder{Seed: &seed}, &out, "seed")
	return out, err
}

// NewSandbox creates a sandbox. [Client.Sandbox] returns a client for it.
func (c *Client) NewSandbox(ctx context.Context, o control.SandboxOrder) (out control.Sandbox, err error) {
	err = c.Main().post(ctx, o, &out, "sandboxes")
	return out, err
}

// Sandboxes lists the sandboxes of the server, by name.
func (c *Client) Sandboxes(ctx context.Context) ([]control.Sandbox, error) {
	var list control.SandboxList
	err := c.Main().get(ctx, &list, "sandboxes")
	return list.Sandboxes, err
}

// SandboxesOf lists the sandboxes of an owner that have all of some labels, by name; "":
// of any owner.
func (c *Client) SandboxesOf(ctx context.Context, owner string, labels map[string]string) ([]control.Sandbox, error) {
	values := url.Values{}
	if owner != "" {
		values.Set("owner", owner)
	}
	for name, value := range labels {
		values.Add("label", name+"="+value)
	}
	var list control.SandboxList
	err := c.Main().do(ctx, http.MethodGet, at("sandboxes")+"?"+values.Encode(), nil, &list)
	return list.Sandboxes, err
}

// ReadSandbox returns a sandbox.
func (c *Client) ReadSandbox(ctx context.Context, name string) (out control.Sandbox, err error) {
	err = c.Main().get(ctx, &out, "sandboxes", name)
	return out, err
}

// DeleteSandbox removes a sandbox.
func (c *Client) DeleteSandbox(ctx context.Context, name string) error {
	return c.Main().del(ctx, "sandboxes", name)
}

// Tokens lists the tokens of persons and teams, by name.
func (c *Client) Tokens(ctx context.Context) ([]tokens.Token, error) {
	var list control.TokenList
	err := c.Main().get(ctx, &list, "tokens")
	return list.Tokens, err
}

// AddToken adds a token for a person or a team. Its secret is not shown again.
func (c *Client) AddToken(ctx context.Context, o control.TokenOrder) (out control.NewToken, err error) {
	err = c.Main().post(ctx, o, &out, "tokens")
	return out, err
}

// RemoveToken removes a token, which ends within a second.
func (c *Client) RemoveToken(ctx context.Context, name string) error {
	return c.Main().del(ctx, "tokens", name)
}

// Targets returns where the metrics of all worlds are, for Prometheus.
func (c *Client) Targets(ctx context.Context) (out []control.TargetGroup, err error) {
	err = c.Main().get(ctx, &out, "sd")
	return out, err
}

// Town returns the map of the town.
func (c *Client) Town(ctx context.Context) (out *control.FeatureCollection, err error) {
	err = c.get(ctx, &out, "town")
	return out, err
}

// Snapshots lists the snapshots of the world, by name.
func (c *Client) Snapshots(ctx context.Context) ([]control.Snapshot, error) {
	var list control.Snapshots
	err := c.get(ctx, &list, "snapshots")
	return list.Snapshots, err
}

// Snapshot returns one snapshot.
func (c *Client) Snapshot(ctx context.Context, name string) (out control.Snapshot, err error) {
	err = c.get(ctx, &out, "snapshots", name)
	return out, err
}

// TakeSnapshot saves the state of the world, replacing a snapshot of that name.
func (c *Client) TakeSnapshot(ctx context.Context, name string) (out control.Snapshot, err error) {
	err = c.put(ctx, nothing{}, &out, "snapshots", name)
	return out, err
}

// RestoreSnapshot restores a snapshot. It does not affect the journal and the faults.
func (c *Client) RestoreSnapshot(ctx context.Context, name string) (out control.Overview, err error) {
	err = c.post(ctx, nothing{}, &out, "snapshots", name, "restore")
	return out, err
}

// DownloadSnapshot writes the database of a snapshot, a SQLite file.
func (c *Client) DownloadSnapshot(ctx context.Context, name string, to io.Writer) error {
	resp, err := c.send(ctx, http.MethodGet, at("snapshots", name, "download"), nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(to, resp.Body)
	return err
}

// DeleteSnapshot removes a snapshot.
func (c *Client) DeleteSnapshot(ctx context.Context, name string) error {
	return c.del(ctx, "snapshots", name)
}

package client

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"github.com/paulmach/orb/geojson"

	"github.com/cabrank/cabrank/simulator/control"
)

// Clock tells how the world's clock stands.
func (c *Client) Clock(ctx context.Context) (control.Clock, error) {
	return ask[control.Clock](ctx, c, http.MethodGet, "/clock", nil)
}

// SetClock changes how the clock runs, or moves it. What the order leaves out stays.
func (c *Client) SetClock(ctx context.Context, o control.ClockOrder) (control.Clock, error) {
	return ask[control.Clock](ctx, c, http.MethodPut, "/clock", o)
}

// Advance moves the clock, and tells what happened on the way.
func (c *Client) Advance(ctx context.Context, a control.Advance) (control.Advanced, error) {
	return ask[control.Advanced](ctx, c, http.MethodPost, "/clock/advance", a)
}

// Reset lets the world begin anew.
func (c *Client) Reset(ctx context.Context, o control.ResetOrder) (control.Overview, error) {
	return ask[control.Overview](ctx, c, http.MethodPost, "/reset", o)
}

// NewSandbox makes a world beside the others. [Client.Sandbox] reaches it.
func (c *Client) NewSandbox(ctx context.Context, o control.SandboxOrder) (control.Sandbox, error) {
	return ask[control.Sandbox](ctx, c.Main(), http.MethodPost, "/sandboxes", o)
}

// Sandboxes lists the sandboxes of the server, by name.
func (c *Client) Sandboxes(ctx context.Context) ([]control.Sandbox, error) {
	list, err := ask[control.SandboxList](ctx, c.Main(), http.MethodGet, "/sandboxes", nil)
	return list.Sandboxes, err
}

// DeleteSandbox ends a sandbox.
func (c *Client) DeleteSandbox(ctx context.Context, name string) error {
	return c.Main().Do(ctx, http.MethodDelete, "/sandboxes/"+url.PathEscape(name), nil, nil)
}

// Town tells what a map of the town shows.
func (c *Client) Town(ctx context.Context) (*geojson.FeatureCollection, error) {
	return ask[*geojson.FeatureCollection](ctx, c, http.MethodGet, "/town", nil)
}

// Snapshots lists the snapshots of the world, by name.
func (c *Client) Snapshots(ctx context.Context) ([]control.Snapshot, error) {
	list, err := ask[control.Snapshots](ctx, c, http.MethodGet, "/snapshots", nil)
	return list.Snapshots, err
}

// Snapshot tells of one snapshot.
func (c *Client) Snapshot(ctx context.Context, name string) (control.Snapshot, error) {
	return ask[control.Snapshot](ctx, c, http.MethodGet, snapshotPath(name), nil)
}

// TakeSnapshot saves the world as it is, in the place of a snapshot of that name.
func (c *Client) TakeSnapshot(ctx context.Context, name string) (control.Snapshot, error) {
	return ask[control.Snapshot](ctx, c, http.MethodPut, snapshotPath(name), nothing{})
}

// RestoreSnapshot lets the world go on from a snapshot. The journal and the faults stay.
func (c *Client) RestoreSnapshot(ctx context.Context, name string) (control.Overview, error) {
	return ask[control.Overview](ctx, c, http.MethodPost, snapshotPath(name)+"/restore", nothing{})
}

// DownloadSnapshot writes the database of a snapshot, a file of SQLite.
func (c *Client) DownloadSnapshot(ctx context.Context, name string, to io.Writer) error {
	resp, err := c.Send(ctx, http.MethodGet, snapshotPath(name)+"/download", nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(to, resp.Body)
	return err
}

// DeleteSnapshot forgets a snapshot.
func (c *Client) DeleteSnapshot(ctx context.Context, name string) error {
	return c.Do(ctx, http.MethodDelete, snapshotPath(name), nil, nil)
}

func snapshotPath(name string) string { return "/snapshots/" + url.PathEscape(name) }

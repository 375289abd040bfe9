package client

import (
	"context"
	"net/http"

	"github.com/cabrank/cabrank/simulator/control"
)

// Scenarios lists what can be played.
func (c *Client) Scenarios(ctx context.Context) ([]control.ScenarioTitle, error) {
	var list control.ScenarioList
	err := c.get(ctx, &list, "scenarios")
	return list.Scenarios, err
}

// Scenario tells of a scenario, to be read or edited.
func (c *Client) Scenario(ctx context.Context, name string) (out control.Scenario, err error) {
	err = c.get(ctx, &out, "scenarios", name)
	return out, err
}

// StartScenario sets the world up for a scenario, and has it watched.
func (c *Client) StartScenario(ctx context.Context, name string) (out control.Run, err error) {
	err = c.post(ctx, nothing{}, &out, "scenarios", name, "start")
	return out, err
}

// StartOwnScenario plays a scenario of the caller's own.
func (c *Client) StartOwnScenario(ctx context.Context, s control.Scenario) (out control.Run, err error) {
	err = c.post(ctx, s, &out, "scenarios", "start")
	return out, err
}

// Runs lists the last twenty plays, the last first.
func (c *Client) Runs(ctx context.Context) ([]control.Run, error) {
	var list control.RunList
	err := c.get(ctx, &list, "scenarios", "runs")
	return list.Runs, err
}

// Run tells how a play stands; the last one, if id is "latest".
func (c *Client) Run(ctx context.Context, id string) (out control.Run, err error) {
	err = c.get(ctx, &out, "scenarios", "runs", id)
	return out, err
}

// FinishRun ends a play, and takes down what was set up for it.
func (c *Client) FinishRun(ctx context.Context, id string) (out control.Run, err error) {
	err = c.do(ctx, http.MethodDelete, at("scenarios", "runs", id), nil, &out)
	return out, err
}

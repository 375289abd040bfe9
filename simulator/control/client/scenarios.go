package client

import (
	"context"
	"net/http"

	"github.com/cabrank/cabrank/simulator/control"
)

// Scenarios lists the scenarios.
func (c *Client) Scenarios(ctx context.Context) ([]control.ScenarioTitle, error) {
	var list control.ScenarioList
	err := c.get(ctx, &list, "scenarios")
	return list.Scenarios, err
}

// Scenario returns a scenario, to be read or edited.
func (c *Client) Scenario(ctx context.Context, name string) (out control.Scenario, err error) {
	err = c.get(ctx, &out, "scenarios", name)
	return out, err
}

// StartScenario prepares the world for a scenario, and starts a run.
func (c *Client) StartScenario(ctx context.Context, name string) (out control.Run, err error) {
	err = c.post(ctx, nothing{}, &out, "scenarios", name, "start")
	return out, err
}

// StartOwnScenario starts a run of the given scenario.
func (c *Client) StartOwnScenario(ctx context.Context, s control.Scenario) (out control.Run, err error) {
	err = c.post(ctx, s, &out, "scenarios", "start")
	return out, err
}

// Runs lists the last twenty runs, newest first.
func (c *Client) Runs(ctx context.Context) ([]control.Run, error) {
	var list control.RunList
	err := c.get(ctx, &list, "scenarios", "runs")
	return list.Runs, err
}

// Run returns the state of a run; the id "latest" is the newest.
func (c *Client) Run(ctx context.Context, id string) (out control.Run, err error) {
	err = c.get(ctx, &out, "scenarios", "runs", id)
	return out, err
}

// FinishRun ends a run, and removes its settings.
func (c *Client) FinishRun(ctx context.Context, id string) (out control.Run, err error) {
	err = c.do(ctx, http.MethodDelete, at("scenarios", "runs", id), nil, &out)
	return out, err
}

package main

import (
	"encoding/json"
	"log/slog"
	"strconv"
	"time"

	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/town"
)

// options turns the flags into what the world and its server are given.
func (f *systemFlags) options(cmd *cobra.Command, out outside) (simulator.Options, dispatch.HTTPOptions, error) {
	var opts simulator.Options
	if f.speed < 1 || f.speed > simulator.MaxSpeed {
		return opts, dispatch.HTTPOptions{}, usageError("--speed is %d, want 1 to %d", f.speed, simulator.MaxSpeed)
	}
	if f.cars < 1 || f.cars > fixtures.FleetSize {
		return opts, dispatch.HTTPOptions{}, usageError("--cars is %d, want 1 to %d", f.cars, fixtures.FleetSize)
	}
	behaviour, err := simulator.ParseBehaviour(f.behaviour)
	if err != nil {
		return opts, dispatch.HTTPOptions{}, usageError("--behaviour: %w", err)
	}
	demand, err := simulator.ParseDemand(f.demand)
	if err != nil {
		return opts, dispatch.HTTPOptions{}, usageError("--demand: %w", err)
	}
	assign, err := simulator.ParseAssigner(f.assign)
	if err != nil {
		return opts, dispatch.HTTPOptions{}, usageError("--assign: %w", err)
	}
	config, err := f.system()
	if err != nil {
		return opts, dispatch.HTTPOptions{}, err
	}
	policy, err := f.policy()
	if err != nil {
		return opts, dispatch.HTTPOptions{}, err
	}
	log, err := f.logger(cmd, out)
	if err != nil {
		return opts, dispatch.HTTPOptions{}, err
	}
	credentials, err := taxi.ParseAuth(f.auth, secretFrom(out.getenv))
	if err != nil {
		return opts, dispatch.HTTPOptions{}, usageError("--auth: %w", err)
	}
	opts = simulator.Options{
		Seed: f.seed, Wall: now, Speed: f.speed, Cars: f.cars,
		Behaviour: behaviour, Demand: demand, Assigner: assign, Policy: &policy, System: config, Log: log,
	}
	return opts, dispatch.HTTPOptions{Credentials: credentials, RatePerSecond: f.rate, Version: versionString()}, nil
}

// lay lays the streets, which grow from the world's seed.
func (f *systemFlags) lay(opts *simulator.Options) error {
	size, err := strconv.Atoi(f.town)
	switch {
	case f.town == "none":
	case err != nil:
		if opts.Town, err = importTown(f.town, maxImport); err != nil {
			return usageError("--town: %w", err)
		}
	case size < smallestTown || size > largestTown:
		return usageError("--town is %d metres, want %d to %d, a file, or none", size, smallestTown, largestTown)
	default:
		opts.Town = town.Generate(town.Options{Seed: opts.Seed, Size: size})
	}
	return nil
}

// policy turns the flags into what the office decides for itself.
func (f *systemFlags) policy() (dispatch.Policy, error) {
	p := dispatch.DefaultPolicy()
	switch f.unknownUser {
	case "404":
	case "create":
		p.CreateUnknown = true
	default:
		return p, usageError("--unknown-user is %q, want 404 or create", f.unknownUser)
	}
	for _, flag := range []struct {
		name     string
		negative bool
	}{{"area", f.area < 0}, {"rate", f.rate < 0}, {"duplicate-window", f.duplicates < 0}} {
		if flag.negative {
			return p, usageError("--%s cannot be negative", flag.name)
		}
	}
	p.AreaRadius = f.area * 1000
	p.RefuseLate = f.refuseLate
	// Callers who try again do so by the wall, however fast the world's clock runs.
	p.DuplicateWindow = f.duplicates * time.Duration(f.speed)
	p.KeepReplies *= time.Duration(f.speed)
	return p, nil
}

// system reads what /config is to answer.
func (f *systemFlags) system() (taxi.ConfigResponse, error) {
	c := taxi.ConfigResponse{Status: taxi.SystemStatus(f.status)}
	switch c.Status {
	case taxi.SystemOK, taxi.SystemBusy, taxi.SystemClosed, taxi.SystemMaintenance:
	default:
		return c, usageError("--system is %q, want OK, BUSY, CLOSED or MAINTENANCE", f.status)
	}
	if f.configData != "" {
		c.Data = new(taxi.Settings)
		if err := json.Unmarshal([]byte(f.configData), c.Data); err != nil {
			return c, usageError("--config-data: want a JSON object of settings, such as {\"skipDropOff\":true}: %w", err)
		}
	}
	return c, nil
}

// logger makes the log that --log asks for.
func (f *systemFlags) logger(cmd *cobra.Command, out outside) (*slog.Logger, error) {
	switch f.logging {
	case "off":
		return slog.New(slog.DiscardHandler), nil
	case "json":
		return slog.New(slog.NewJSONHandler(out.stderr, nil)), nil
	case "text":
		colour, err := coloured(cmd, out, out.stderr)
		if err != nil {
			return nil, err
		}
		return slog.New(tint.NewTextHandler(out.stderr, &tint.Options{NoColor: !colour, TimeFormat: time.TimeOnly})), nil
	default:
		return nil, usageError("--log is %q, want text, json or off", f.logging)
	}
}

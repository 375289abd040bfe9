package main

import (
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"time"
	"unicode"

	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// deps turns the flags into what a host is handed, and completes its Config.
func (f *systemFlags) deps(cmd *cobra.Command, out outside) (d host.Deps, err error) {
	if f.config.Speed < 1 || f.config.Speed > simulator.MaxSpeed {
		return d, usageError("--speed is %d, want 1 to %d", f.config.Speed, simulator.MaxSpeed)
	}
	if f.rate < 0 {
		return d, usageError("--rate cannot be negative")
	}
	if f.configData != "" {
		f.config.System.Data = new(taxi.Settings)
		if err := json.Unmarshal([]byte(f.configData), f.config.System.Data); err != nil {
			return d, usageError("--config-data: want a JSON object of settings, such as {\"skipDropOff\":true}: %w", err)
		}
	}
	switch f.durability {
	case "full":
	case "normal":
		d.Durability = store.Normal
	default:
		return d, usageError("--durability is %q, want full or normal", f.durability)
	}
	credentials, err := taxi.ParseAuth(f.auth, secretFrom(out.getenv))
	if err != nil {
		return d, usageError("--auth: %w", err)
	}
	d.Now, d.AnySeed = now, !cmd.Flags().Changed("seed")
	d.HTTP = dispatch.HTTPOptions{Credentials: credentials, RatePerSecond: f.rate, Version: versionString()}
	d.Log, err = f.logger(cmd, out)
	return d, err
}

// configError turns what a host says of its Config into what the program says of
// its flags: they have the same names, but for how words are joined.
func configError(err error) error {
	wrong, ok := errors.AsType[*host.ConfigError](err)
	if !ok {
		return &exitError{exitUsage, err}
	}
	var flag strings.Builder
	for _, r := range wrong.Field {
		if unicode.IsUpper(r) {
			flag.WriteByte('-')
		}
		flag.WriteRune(unicode.ToLower(r))
	}
	return usageError("--%s%s", &flag, wrong.Says())
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

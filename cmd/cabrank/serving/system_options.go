package serving

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/host"
)

// deps turns the flags into the dependencies of a host, and completes its Config.
func (f *systemFlags) deps(cmd *cobra.Command, out cli.Outside) (d host.Deps, err error) {
	if f.config.Speed < 1 || f.config.Speed > simulator.MaxSpeed {
		return d, cli.UsageError("--speed is %d, want 1 to %d", f.config.Speed, simulator.MaxSpeed)
	}
	if math.IsNaN(f.rate) || math.IsInf(f.rate, 0) || f.rate < 0 {
		return d, cli.UsageError("--rate cannot be negative, and is a number")
	}
	if f.configData != "" {
		f.config.System.Data = new(taxi.Settings)
		if err := json.Unmarshal([]byte(f.configData), f.config.System.Data); err != nil {
			return d, cli.UsageError("--config-data: want a JSON object of settings, such as {\"skipDropOff\":true}: %w", err)
		}
	}
	credentials, err := taxi.ParseAuth(f.auth, cli.SecretFrom(out.Getenv))
	if err != nil {
		return d, cli.UsageError("--auth: %w", err)
	}
	if d.Log, err = cli.Logger(cmd, out, f.logging); err != nil {
		return d, err
	}
	if !cmd.Flags().Changed("auth") && out.Getenv("CABRANK_AUTH") != "" {
		fmt.Fprintln(f.warningWriter(out.Stderr, d.Log), "note: CABRANK_AUTH is what clients send; this server asks for no credentials. CABRANK_SERVE_AUTH or --auth sets those that it asks for.")
	}
	if f.config.Demand == "city" && !cmd.Flags().Changed("cars") {
		f.config.Cars = cityCars
	}
	d.People = f.people
	d.Now, d.AnySeed = cli.Now, !cmd.Flags().Changed("seed")
	if d.AnySeed && f.db != "" {
		d.FreshSeed = freshSeed
	}
	d.HTTP = dispatch.HTTPOptions{Credentials: credentials, RatePerSecond: f.rate, Version: cli.Version()}
	return d, nil
}

// freshSeed draws the seed of a database that is kept. Ids are derived from the seed, so
// a known seed would let anybody compute them. It has 53 bits, which every JSON parser
// preserves.
func freshSeed() uint64 {
	var random [8]byte
	_, _ = rand.Read(random[:]) // it never fails
	return binary.BigEndian.Uint64(random[:]) >> 11
}

// configError replaces the names of Config fields in an error with those of flags: they
// differ only in how words are joined.
func configError(err error) error {
	wrong, ok := errors.AsType[*host.ConfigError](err)
	if !ok {
		return cli.Exit(cli.ExitUsage, err)
	}
	var flag strings.Builder
	for _, r := range wrong.Field {
		if unicode.IsUpper(r) {
			flag.WriteByte('-')
		}
		flag.WriteRune(unicode.ToLower(r))
	}
	return cli.UsageError("--%s%s", &flag, wrong.Says())
}

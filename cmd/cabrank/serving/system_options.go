package serving

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control/tokens"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/vary"
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

// settingFiles store the settings of a server beside its database, each in a file of its
// own: FILE.tokens.
type settingFiles struct {
	db string
	mu sync.Mutex // held while a file is changed
}

// settingsOf returns the settings of a server; nil: in memory, as its database is
// temporary.
func settingsOf(db string) tokens.Settings {
	if db == "" {
		return nil
	}
	return &settingFiles{db: db}
}

// Setting implements [tokens.Settings].
func (s *settingFiles) Setting(_ context.Context, key string) (string, error) {
	text, err := os.ReadFile(s.db + "." + key)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

// ChangeSetting implements [tokens.Settings]. No other server changes the file, as none
// can open the database.
func (s *settingFiles) ChangeSetting(ctx context.Context, key string, change func(string) (string, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, err := s.Setting(ctx, key)
	if err == nil {
		text, err = change(text)
	}
	if err != nil {
		return err
	}
	return cli.Replace("--db", s.db+"."+key, []byte(text), 0o600)
}

// askFor generates a token for a server that has none, if its settings contain tokens of persons: the control API then
// demands one, and the console's checks need it, too.
func (c *openControl) askFor(ctx context.Context, settings tokens.Settings) error {
	if settings == nil || c.url == "" || c.token != "" {
		return nil
	}
	has, err := tokens.Exist(ctx, settings)
	if err != nil {
		return cli.Exit(cli.ExitUsage, fmt.Errorf("--db: %w; without its file of tokens, everybody on this machine may make all control calls", err))
	}
	if has {
		c.token, c.made = rand.Text(), true
	}
	return nil
}

// systemFlags describe a dispatch system to run.
type systemFlags struct {
	config          host.Config // the flags of the world
	listen, urlFile string
	publicURL       string   // the address that clients use, behind a proxy
	proxies         []string // whose X-Forwarded-For is trusted
	db              string
	keepSandboxes   bool
	replicaURL      string
	auth            string
	rate            float64
	configData      string
	logging         string
	journal         journalFlags
	faults          string
	noMagic         bool
	tls             tlsFlags
	controls        controlFlags
	console         consoleFlags

	overheard func(exchange)    // receives the exchanges of a voice platform; nil: not used
	people    []fixtures.Person // the users of a new database; nil: those of the fixtures
}

// cityCars is the number of cars that the demand of a city keeps busy.
const cityCars = 3500

// usual holds the defaults of flags that differ between commands.
type usual struct {
	speed           int
	demand, logging string
}

func (f *systemFlags) add(cmd *cobra.Command, u usual) {
	fs := cmd.Flags()
	c := &f.config
	*c = host.Default()
	fs.StringVar(&f.listen, "listen", "127.0.0.1:8080", "address to listen on; port 0 chooses a free port")
	fs.StringVar(&f.urlFile, "url-file", "", "write the address to this file when the server is ready")
	fs.StringVar(&f.publicURL, "public-url", "", "public address of the server behind an ingress or a proxy, such as https://taxis.example: the addresses of sandboxes, of the console and for Prometheus begin with it")
	fs.StringSliceVar(&f.proxies, "trusted-proxy", nil, "addresses of proxies, such as 10.0.0.0/8, whose X-Forwarded-For is trusted, for limits and the log")
	fs.StringVar(&f.db, "db", "", "SQLite file for the bookings, with FILE.tokens beside it for the tokens of persons; or a PostgreSQL database that several replicas share, such as postgres://cabrank@db/cabrank; env:NAME or @FILE instead of either, as for a URL with a password (default a temporary file)")
	fs.BoolVar(&f.keepSandboxes, "keep-sandboxes", false, "keep sandboxes and snapshots over a restart, in the folder FILE.sandboxes beside --db FILE")
	fs.StringVar(&f.replicaURL, "replica-url", "", "with --db postgres://…: address at which the other replicas reach this one, such as http://10.0.0.5:8080 (default that of --listen)")
	fs.IntVar(&c.Speed, "speed", u.speed, "how many times faster than real time the world's clock runs, 1 to 10000")
	fs.Uint64Var(&c.Seed, "seed", 1, "seed of everything random, including ids (default with a new --db a random one)")
	fs.IntVar(&c.Cars, "cars", c.Cars, fmt.Sprintf("cars in the fleet, 1 to %d (default with --demand city %d)", fixtures.FleetSize, cityCars))
	fs.StringVar(&c.Town, "town", host.DefaultTown, "streets: "+host.DefaultTown+", which is built in, a .geojson or .osm.pbf file, or none for straight lines")
	fs.StringVar(&c.Demand, "demand", u.demand, "how many journeys other people book: none, quiet, town or city")
	fs.StringVar(&c.Assign, "assign", "eta", "which driver is asked first: nearest, eta, batch, rank or clear")
	fs.StringVar(&c.Behaviour, "behaviour", "calm", "how drivers and passengers behave: calm, typical or stormy")
	fs.StringVar(&f.auth, "auth", "none", "credentials that clients must send: none, basic:USER:PASSWORD, bearer:TOKEN or header:NAME:VALUE; @FILE or env:NAME instead of a secret")
	fs.Float64Var(&f.rate, "rate", 0, "requests per second for one client (0 unlimited)")
	fs.StringVar((*string)(&c.System.Status), "system", string(taxi.SystemOK), "system status in /config: OK, BUSY, CLOSED or MAINTENANCE")
	fs.StringVar(&f.configData, "config-data", "", `plugin settings that /config overrides, a JSON object such as '{"skipDropOff":true}'`)
	fs.StringVar(&c.UnknownUser, "unknown-user", "404", "what /user does for an unknown number: 404 or create")
	fs.Float64Var(&c.Area, "area", 0, "radius in kilometres around the town in which pickups are accepted (0 anywhere)")
	fs.BoolVar(&c.RefuseLateCancel, "refuse-late-cancel", false, "refuse /cancel when the car is at the door")
	fs.DurationVar((*time.Duration)(&c.DuplicateWindow), "duplicate-window", time.Minute, "period in which a byte-identical booking is the same booking (0 never)")
	fs.IntVar((*int)(&c.Variation), "variation", int(vary.Mild), "how much responses vary within the limits of the interface: 0 not at all, 1 a little, 2 as much as possible")
	fs.StringVar(&f.faults, "faults", "", "start with the faults and settings of a scenario, such as flaky; 'cabrank scenario list' shows them")
	f.tls.add(fs)
	f.controls.add(fs)
	f.console.add(fs)
	fs.BoolVar(&f.noMagic, "no-magic", false, "turn off the callers' numbers that select faults ('cabrank magic' lists them)")
	f.journal.add(fs)
	fs.StringVar(&f.logging, "log", u.logging, "log of requests on standard error: text, json or off")
	for flag, words := range choices {
		cli.Offer(cmd, flag, words...)
	}
}

// choices maps flags to the words with which a shell completes them.
var choices = map[string][]string{
	"demand": {"none", "quiet", "town", "city"}, "behaviour": {"calm", "typical", "stormy"},
	"assign": {"nearest", "eta", "batch", "rank", "clear"}, "system": {"OK", "BUSY", "CLOSED", "MAINTENANCE"},
	"unknown-user": {"404", "create"}, "log": {"text", "json", "off"},
}

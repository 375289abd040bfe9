package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/lmittmann/tint"
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/town"
	"github.com/cabrank/cabrank/store"
)

// systemFlags describe a dispatch system to run.
type systemFlags struct {
	listen, urlFile  string
	db, durability   string
	speed, cars      int
	seed             uint64
	town             string
	behaviour        string
	demand, assign   string
	auth             string
	rate             float64
	status           string
	configData       string
	unknownUser      string
	area             float64
	refuseLate       bool
	duplicates       time.Duration
	journal, logging string
}

func (f *systemFlags) add(cmd *cobra.Command, speed int, logging string) {
	fs := cmd.Flags()
	fs.StringVar(&f.listen, "listen", "127.0.0.1:8080", "address to serve on; port 0 takes any free one")
	fs.StringVar(&f.urlFile, "url-file", "", "write the address served to this file, once ready")
	fs.StringVar(&f.db, "db", "", "SQLite file that keeps the bookings (default a temporary one)")
	fs.StringVar(&f.durability, "durability", "full", "what an acknowledged booking survives: full (loss of power) or normal (a crash)")
	fs.IntVar(&f.speed, "speed", speed, "how many times faster than the wall the world's clock runs, 1 to 10000")
	fs.Uint64Var(&f.seed, "seed", 1, "everything left to chance follows from it")
	fs.IntVar(&f.cars, "cars", 40, "cars in the fleet, 1 to 150")
	fs.StringVar(&f.town, "town", strconv.Itoa(town.SmallTown), "streets to drive on: the side in metres of a town that grows from the seed, a .geojson or .osm.pbf file, or none for straight lines")
	fs.StringVar(&f.demand, "demand", "none", "how much the people of the town book besides the callers: none, quiet, town or city")
	fs.StringVar(&f.assign, "assign", "eta", "which driver is asked first: nearest, eta, batch, rank or clear")
	fs.StringVar(&f.behaviour, "behaviour", "calm", "how drivers and passengers behave: calm, typical or stormy")
	fs.StringVar(&f.auth, "auth", "none", "credentials callers must show: none, basic:USER:PASSWORD, bearer:TOKEN or header:NAME:VALUE; @FILE or env:NAME in place of a secret")
	fs.Float64Var(&f.rate, "rate", 0, "requests a second that one client may make (0 unlimited)")
	fs.StringVar(&f.status, "system", string(taxi.SystemOK), "what /config says of the system: OK, BUSY, CLOSED or MAINTENANCE")
	fs.StringVar(&f.configData, "config-data", "", `settings that /config overrides, a JSON object such as '{"skipDropOff":true}'`)
	fs.StringVar(&f.unknownUser, "unknown-user", "404", "what /user does with an unknown number: 404 or create")
	fs.Float64Var(&f.area, "area", 0, "kilometres around the town that are served (0 anywhere)")
	fs.BoolVar(&f.refuseLate, "refuse-late-cancel", false, "refuse /cancel when the car is at the door")
	fs.DurationVar(&f.duplicates, "duplicate-window", time.Minute, "within it a byte-identical booking is the same booking (0 never)")
	fs.StringVar(&f.journal, "journal", "", "write every command and change to this file, for 'cabrank replay'; it holds what callers send")
	fs.StringVar(&f.logging, "log", logging, "log requests to the error output: text, json or off")
}

// system is a dispatch system that is being served.
type system struct {
	url      string
	database string // for the banner
	town     string // likewise
	world    *simulator.World
	records  *store.Store

	server *http.Server
	failed chan error // the server ended by itself
	lived  chan struct{}
	finish []func() error // what is to be closed, first opened first
}

// start opens the database, wakes the world and serves. What it started ends
// with [system.stop].
func (f *systemFlags) start(ctx context.Context, cmd *cobra.Command, out outside) (_ *system, err error) {
	opts, serving, err := f.options(cmd, out)
	if err != nil {
		return nil, err
	}
	s := &system{failed: make(chan error, 1), lived: make(chan struct{})}
	if err := f.withdraw(); err != nil {
		return nil, err
	}
	s.finish = append(s.finish, f.withdraw)
	defer func() {
		if err != nil {
			err = errors.Join(err, s.stop())
		}
	}()
	if err := f.openJournal(cmd, s, &opts); err != nil {
		return nil, err
	}
	if err := f.openRecords(ctx, cmd, s, &opts); err != nil {
		return nil, err
	}
	if err := f.lay(&opts); err != nil {
		return nil, err
	}
	s.town = "an open plane"
	if opts.Town != nil {
		s.town = opts.Town.Name
	}
	if s.world, err = simulator.New(ctx, s.records, opts); err != nil {
		return nil, &exitError{exitUsage, err}
	}
	if err := f.firstDay(ctx, s); err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.listen)
	if err != nil {
		return nil, &exitError{exitUsage, fmt.Errorf("cannot listen on %s: %w; choose another with --listen HOST:PORT such as 127.0.0.1:0, or stop what listens there", f.listen, err)}
	}
	s.url = "http://" + reachable(listener.Addr())
	s.serve(ctx, listener, serving, opts.Log)
	return s, f.announce(s.url)
}

// serve answers requests and lets the world live until stop.
func (s *system) serve(ctx context.Context, listener net.Listener, serving dispatch.HTTPOptions, log *slog.Logger) {
	handler := s.world.Service().Handler(now, serving)
	if loopback(listener.Addr()) {
		handler = localOnly(handler)
	}
	s.server = dispatch.Server(handler)
	s.server.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelWarn)
	living, die := context.WithCancel(context.WithoutCancel(ctx)) // requests under way still need it
	s.finish = append(s.finish, func() error {
		die()
		<-s.lived
		return nil
	}, s.shutDown)
	go func() {
		defer close(s.lived)
		s.world.Run(living)
	}()
	go func() {
		if err := s.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- err
		}
	}()
}

// stopWithin is how long requests under way have to be answered.
const stopWithin = 10 * time.Second

// shutDown answers the requests under way and takes no more.
func (s *system) shutDown() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	return s.server.Shutdown(ctx)
}

// stop ends what start began, the last first: requests under way are answered,
// the world stands still, and everything booked is on disk.
func (s *system) stop() error {
	var all error
	for _, finish := range slices.Backward(s.finish) {
		all = errors.Join(all, finish())
	}
	return all
}

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
	auth, err := withSecret(f.auth, out.getenv)
	if err != nil {
		return opts, dispatch.HTTPOptions{}, usageError("--auth: %w", err)
	}
	credentials, err := dispatch.ParseCredentials(auth)
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

func (f *systemFlags) policy() (dispatch.Policy, error) {
	p := dispatch.DefaultPolicy()
	switch f.unknownUser {
	case "404":
	case "create":
		p.CreateUnknown = true
	default:
		return p, usageError("--unknown-user is %q, want 404 or create", f.unknownUser)
	}
	for name, negative := range map[string]bool{"area": f.area < 0, "rate": f.rate < 0, "duplicate-window": f.duplicates < 0} {
		if negative {
			return p, usageError("--%s cannot be negative", name)
		}
	}
	p.AreaRadius = f.area * 1000
	p.RefuseLate = f.refuseLate
	// Callers who try again do so by the wall, however fast the world's clock runs.
	p.DuplicateWindow = f.duplicates * time.Duration(f.speed)
	p.KeepReplies *= time.Duration(f.speed)
	return p, nil
}

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

// openJournal begins the journal. It holds names and numbers, so nobody else may
// read it.
func (f *systemFlags) openJournal(cmd *cobra.Command, s *system, opts *simulator.Options) (err error) {
	if f.journal == "" {
		return nil
	}
	if opts.Recipe, err = recipe(cmd); err != nil {
		return err
	}
	file, err := os.OpenFile(f.journal, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return &exitError{exitUsage, fmt.Errorf("--journal: %w", err)}
	}
	s.finish = append(s.finish, file.Close)
	opts.Journal = io.Writer(file)
	return nil
}

// openRecords opens the database, a temporary one unless --db names a file.
func (f *systemFlags) openRecords(ctx context.Context, cmd *cobra.Command, s *system, opts *simulator.Options) (err error) {
	durable := store.Options{RecentWindow: max(f.duplicates, time.Second) * time.Duration(f.speed), Logger: opts.Log}
	switch f.durability {
	case "full":
	case "normal":
		durable.Durability = store.Normal
	default:
		return usageError("--durability is %q, want full or normal", f.durability)
	}
	path := f.db
	s.database = f.db
	if path == "" {
		dir, err := os.MkdirTemp("", "cabrank-")
		if err != nil {
			return fmt.Errorf("temporary database: %w", err)
		}
		s.finish = append(s.finish, func() error { return os.RemoveAll(dir) })
		path, s.database = filepath.Join(dir, "cabrank.db"), "temporary, gone at exit (--db FILE keeps it)"
	}
	if s.records, err = store.Open(ctx, path, durable); err != nil {
		return &exitError{exitUsage, err}
	}
	s.finish = append(s.finish, s.records.Close)
	return f.sameSeed(ctx, cmd, s, opts)
}

// sameSeed keeps a database with the seed it began with: ids and the town
// follow from it.
func (f *systemFlags) sameSeed(ctx context.Context, cmd *cobra.Command, s *system, opts *simulator.Options) error {
	kept, known := s.records.Meta("seed")
	if !known {
		return s.records.SetMeta(ctx, "seed", strconv.FormatUint(f.seed, 10))
	}
	seed, err := strconv.ParseUint(kept, 10, 64)
	if err != nil {
		return fmt.Errorf("the database's seed is %q: %w", kept, err)
	}
	if cmd.Flags().Changed("seed") && seed != f.seed {
		return usageError("%s was begun with --seed %d; leave --seed out, or begin another database", f.db, seed)
	}
	opts.Seed, f.seed = seed, seed
	return nil
}

// firstDay fills a new database with the people of the fixtures.
func (f *systemFlags) firstDay(ctx context.Context, s *system) error {
	if _, done := s.records.Meta("people"); done {
		return nil
	}
	if err := s.world.Populate(ctx, fixtures.People()); err != nil {
		return err
	}
	return s.records.SetMeta(ctx, "people", "fixtures")
}

// withdraw removes the address that an earlier server, or this one, announced:
// scripts must not call a server that is gone.
func (f *systemFlags) withdraw() error {
	if f.urlFile == "" {
		return nil
	}
	if err := os.Remove(f.urlFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &exitError{exitUsage, fmt.Errorf("--url-file: %w", err)}
	}
	return nil
}

// announce writes the address for scripts; they never see half of it.
func (f *systemFlags) announce(url string) error {
	if f.urlFile == "" {
		return nil
	}
	draft := f.urlFile + ".tmp"
	if err := os.WriteFile(draft, []byte(url+"\n"), 0o644); err != nil {
		return &exitError{exitUsage, fmt.Errorf("--url-file: %w", err)}
	}
	return os.Rename(draft, f.urlFile)
}

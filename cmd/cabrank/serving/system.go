package serving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/console"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/journals"
	"github.com/cabrank/cabrank/simulator/control/tokens"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/simulator/replica"
	"github.com/cabrank/cabrank/simulator/worlds"
	"github.com/cabrank/cabrank/store"
)

// system is a dispatch system that is being served, with its control API.
type system struct {
	control  *control.Server
	open     openControl        // address and token of the control API
	journals *journals.Journals // nil: no request is recorded
	replica  *replica.Replica   // nil: no other process shares the database
	console  *console.Console   // nil: the console is off

	url         string
	address     string         // that the server listens on
	local       bool           // only this machine reaches the address
	public      string         // the host of --public-url, which a proxy on this machine may pass on; "": none
	trusted     []netip.Prefix // proxies whose X-Forwarded-For is trusted
	credentials taxi.Credentials
	database    string             // for the banner
	keeps       bool               // the database remains after the run
	remembers   bool               // orders for later remain, too
	standing    simulator.Standing // orders for later that are lost at the end

	servers   []*http.Server
	failed    chan error     // an error of the server, or of a demo's platform, that ended by itself
	overheard func(exchange) // receives the exchanges of a voice platform; nil: not used
	cut       bool           // requests that were still being sent or read at the end were cut off
	finish    []func() error // functions to call at the end, in reverse order
	ballast   []byte
}

// start opens the worlds and serves them until [system.stop].
func (f *systemFlags) start(ctx context.Context, cmd *cobra.Command, out cli.Outside) (_ *system, err error) {
	deps, err := f.deps(cmd, out)
	if err != nil {
		return nil, err
	}
	s := &system{failed: make(chan error, 3), credentials: deps.HTTP.Credentials, overheard: f.overheard, ballast: newBallast()}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.stop())
		}
	}()
	out.Stderr = f.warningWriter(out.Stderr, deps.Log)
	if s.trusted, err = prefixes("--trusted-proxy", f.proxies); err != nil {
		return nil, err
	}
	if s.public, err = f.checkPublic(); err != nil {
		return nil, err
	}
	platform, err := f.console.elsewhere(out.Getenv)
	if err != nil {
		return nil, err
	}
	if err := cli.Announceable(f.urlFile); err != nil {
		return nil, err
	}
	if err := f.controls.check(cmd, f.listen, f.urlFile); err != nil {
		return nil, err
	}
	listener, err := f.listener(ctx, s)
	if err != nil {
		return nil, err
	}
	s.url = "http://" + cli.Reachable(listener.Addr())
	if f.tls.on() {
		s.url = "https://" + cli.Reachable(listener.Addr())
	}
	s.address, s.local = listener.Addr().String(), cli.Loopback(listener.Addr())
	if s.open, err = f.controls.open(ctx, cmd, out, s.url, s.local); err != nil {
		return nil, err
	}
	if s.open.listener != nil {
		s.finish = append(s.finish, func() error {
			_ = s.open.close() // the server closes it, if there is one
			return nil
		})
	}
	if err := f.openHost(ctx, s, deps); err != nil {
		return nil, err
	}
	if s.console = f.console.open(s); s.console != nil && platform != nil {
		s.console.Connect(platform)
	}
	if err := f.withdraw(); err != nil { // no other server uses our port or database
		return nil, err
	}
	s.finish = append(s.finish, f.withdraw)
	s.warn(out.Stderr)
	s.serve(listener, deps.Log)
	return s, f.announce(s)
}

// announce writes the addresses to their files: first that of control, since a script
// that finds the system's address may read that of control next.
func (f *systemFlags) announce(s *system) error {
	if err := cli.AnnounceAs(controlURLFile, f.controls.urlFile, s.open.url); err != nil {
		return err
	}
	return cli.Announce(f.urlFile, s.url)
}

// withdraw removes the address files that this system or an earlier one wrote.
func (f *systemFlags) withdraw() error {
	return errors.Join(cli.Withdraw(f.urlFile), cli.WithdrawAs(controlURLFile, f.controls.urlFile))
}

// warn reports bookings that cannot be read, and access from other machines.
func (s *system) warn(w io.Writer) {
	for _, d := range s.damaged() {
		fmt.Fprintf(w, "warning: a journey is set aside: %s; the others continue, and the row is unchanged in the database\n", d)
	}
	switch {
	case s.local:
	case s.credentials.Style == "" || s.credentials.Style == taxi.AuthNone:
		fmt.Fprintf(w, "warning: other machines can reach %s without credentials; use --auth, or --listen 127.0.0.1:PORT\n", s.address)
	case strings.HasPrefix(s.url, "http:"):
		fmt.Fprintf(w, "warning: other machines can reach %s, and credentials go over the network in clear text; put TLS in front of it\n", s.address)
	}
	s.open.warn(w)
}

// damaged returns the journeys of the main world that cannot be read.
func (s *system) damaged() []*store.Damage {
	if h := s.host(); h != nil {
		return h.Records().Damaged()
	}
	return nil
}

// listener listens on the address to serve, before files are opened that another server
// at this address may be using. Early requests wait until [system.serve].
func (f *systemFlags) listener(ctx context.Context, s *system) (net.Listener, error) {
	if err := f.tls.check(); err != nil {
		return nil, err
	}
	listener, err := cli.Listen(ctx, f.listen)
	if err != nil {
		return nil, err
	}
	s.finish = append(s.finish, func() error {
		_ = listener.Close() // the server closes it, if there is one
		return nil
	})
	return f.tls.secure(listener)
}

// openHost opens the worlds on the database of --db, by default a temporary one.
func (f *systemFlags) openHost(ctx context.Context, s *system, deps host.Deps) error {
	if err := f.checkTeam(s); err != nil {
		return err
	}
	if err := f.openRecords(ctx, s, &deps); err != nil {
		return err
	}
	s.remembers = f.keepSandboxes || f.shares()
	deps.Remember = s.remembers
	var err error
	if s.journals, err = f.journal.newJournals(deps.Log); err != nil {
		return err
	}
	settings := f.settings(s)
	if err := s.open.askFor(ctx, settings); err != nil {
		return err
	}
	towns := &host.Towns{} // shared with the sandboxes
	deps.Streets = towns.Streets
	if s.control, err = openUnlessDone(ctx, f.controlOptions(s, deps, settings)); err != nil {
		return configError(err)
	}
	s.finish = append(s.finish, s.control.Close)
	if s.replica != nil {
		s.replica.SetWorlds(s.control.Worlds())
	}
	return f.beginWithFaults(ctx, s.control)
}

// controlOptions returns the options of the worlds and their control API.
func (f *systemFlags) controlOptions(s *system, deps host.Deps, settings tokens.Settings) control.Options {
	o := control.Options{
		Config: f.config, Now: deps.Now, Log: deps.Log, Version: cli.Version(), NoMagic: f.noMagic,
		Token: s.open.token, Settings: settings, ThirdPartyURL: f.thirdPartyURL(s),
		ControlURL: f.controlURL(s), Remember: deps.Remember,
		Open: func(ctx context.Context, o worlds.Opening) (*host.Host, error) {
			return host.Open(ctx, o.Config, depsOf(o, deps))
		},
	}
	switch {
	case s.replica != nil:
		o.Directory, o.Elsewhere, o.Sandboxes = s.replica, s.replica.PassOn, mostShared
	case f.keepSandboxes:
		o.Directory = worlds.NewFolder(deps.Place, f.db+".sandboxes")
	}
	if s.journals != nil {
		o.Journal = s.journals.Of
	}
	return o
}

// thirdPartyURL returns the address of the operations that the control API gives, or "" for the one that the caller
// used: the server then listens on all addresses, and the caller may be on another machine.
func (f *systemFlags) thirdPartyURL(s *system) string {
	if f.publicURL != "" {
		return f.publicURL
	}
	at, err := netip.ParseAddrPort(s.address)
	if err == nil && at.Addr().IsUnspecified() && s.open.beside() && !f.tls.on() {
		return ""
	}
	return s.url
}

// controlURL returns the address that the control API gives for itself, or "" for the one that the caller used.
func (f *systemFlags) controlURL(s *system) string {
	if !s.open.beside() {
		return ""
	}
	return f.publicURL
}

// checkPublic returns the host of --public-url, or an error if that is not a valid address.
func (f *systemFlags) checkPublic() (host string, err error) {
	f.publicURL = strings.TrimRight(f.publicURL, "/")
	u, err := url.Parse(f.publicURL)
	if f.publicURL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "") {
		return "", cli.UsageError("--public-url is %q, want the address that platforms call, such as https://taxis.example", f.publicURL)
	}
	return strings.ToLower(u.Hostname()), nil
}

// depsOf returns the dependencies of a world. A sandbox lives in memory unless it has a place. The main world uses all of d.
func depsOf(o worlds.Opening, d host.Deps) host.Deps {
	if o.Place != nil {
		d.Place = o.Place
	}
	if o.Name == "" {
		return d
	}
	return host.Deps{Now: d.Now, Log: d.Log.With("sandbox", o.Name), HTTP: d.HTTP, Streets: d.Streets, Place: o.Place, AnySeed: true, Remember: d.Remember}
}

// beginWithFaults starts the scenario of --faults, if the flag is set.
func (f *systemFlags) beginWithFaults(ctx context.Context, s *control.Server) error {
	if f.faults == "" {
		return nil
	}
	var names []string
	for _, known := range control.Scenarios() {
		names = append(names, known.Name)
	}
	if !slices.Contains(names, f.faults) {
		return cli.UsageError("--faults is %q, want one of %s", f.faults, strings.Join(names, ", "))
	}
	return s.StartScenario(ctx, f.faults)
}

// host returns the main world, which a reset replaces; nil: another replica runs it.
func (s *system) host() *host.Host { return s.control.Host() }

// openUnlessDone opens a world, or returns early when ctx ends. A large map or database
// takes time to load; an operator who stops the program meanwhile need not wait, as no
// request has been accepted yet.
func openUnlessDone(ctx context.Context, o control.Options) (*control.Server, error) {
	type opened struct {
		server *control.Server
		err    error
	}
	done := make(chan opened, 1)
	go func() { // ends with ctx at the latest; after that nobody receives the server
		server, err := control.New(ctx, o)
		done <- opened{server, err}
	}()
	select {
	case o := <-done:
		return o.server, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done: // the goroutine has seen that ctx ended
		return o.server, o.err
	case <-time.After(time.Second):
		return nil, fmt.Errorf("ended before the world was made: %w", ctx.Err())
	}
}

// serve begins to answer requests; [system.stop] ends that.
func (s *system) serve(listener net.Listener, log *slog.Logger) {
	handler := s.withConsole(s.control)
	if !s.open.beside() {
		handler = s.control.Operations()
	}
	calls := s.withConsole(s.control.Calls())
	if s.replica != nil {
		metrics := s.control.Metrics(s.replica.Metrics())
		calls = s.replica.Handler(calls, s.control, metrics)
		if !s.open.beside() {
			metrics = http.NotFoundHandler()
		}
		handler = s.replica.Handler(handler, s.control, metrics)
	}
	if s.overheard != nil {
		handler = overhear(handler, s.overheard)
	}
	s.finish = append(s.finish, s.shutDown)
	if s.replica != nil {
		s.finish = append(s.finish, s.leave) // before shutDown, since it passes requests on meanwhile
	}
	s.finish = append(s.finish, s.endChecks) // before shutDown, so that a check of this server can cancel its bookings
	s.serveAt(listener, s.local, handler, log)
	if s.open.listener != nil {
		s.serveAt(s.open.listener, s.open.local, calls, log)
	}
}

// serveAt begins to answer requests at one address; local means that only this machine reaches it.
func (s *system) serveAt(listener net.Listener, local bool, handler http.Handler, log *slog.Logger) {
	if local {
		handler = cli.LocalOnly(handler, s.public)
	}
	server := dispatch.Server(behindProxies(handler, s.trusted))
	server.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelWarn)
	server.RegisterOnShutdown(s.control.Quit)
	if s.journals != nil {
		server.RegisterOnShutdown(s.journals.Release)
	}
	s.servers = append(s.servers, server)
	go func() { // ends when the server is shut down
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- err
		}
	}()
}

// stopWithin is the time for current requests to complete. After it, connections that no
// longer send or read are cut off.
const stopWithin = 1500 * time.Millisecond

// endChecks stops the checks that the console runs.
func (s *system) endChecks() error {
	if s.console == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	s.console.Close(ctx)
	return nil
}

// shutDown completes the current requests and accepts no new ones.
func (s *system) shutDown() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	ended := make([]error, len(s.servers))
	var all sync.WaitGroup
	for i, server := range s.servers {
		all.Go(func() { ended[i] = server.Shutdown(ctx) })
	}
	all.Wait()
	for i, server := range s.servers {
		if errors.Is(ended[i], context.DeadlineExceeded) {
			s.cut = true
			ended[i] = server.Close()
		}
	}
	if h := s.host(); h != nil && !s.remembers {
		s.standing = h.World().Standing() // no request can change the bookings any more
	}
	return errors.Join(ended...)
}

// stop ends what [systemFlags.start] started, in reverse order: current requests complete, the world stops, and all
// bookings are on disk.
func (s *system) stop() error {
	var all error
	defer runtime.KeepAlive(s.ballast)
	for _, finish := range slices.Backward(s.finish) {
		all = errors.Join(all, finish())
	}
	return all
}

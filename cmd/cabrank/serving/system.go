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
	"os"
	"path/filepath"
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
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
)

// system is a world that is being served, with the calls that control it.
type system struct {
	control  *control.Server
	open     openControl        // who may call that, and where
	journals *journals.Journals // nil: nobody keeps any
	console  *console.Console   // nil: there is none

	url         string
	address     string         // that it listens on
	local       bool           // only this machine reaches that
	trusted     []netip.Prefix // proxies that say who calls
	credentials taxi.Credentials
	database    string             // for the banner
	keeps       bool               // the database is there for the next time
	standing    simulator.Standing // what was ordered for later, at the end

	servers   []*http.Server
	failed    chan error     // a server, or the platform of a demo, ended by itself
	overheard func(exchange) // what a voice platform asks; nil: nobody listens
	cut       bool           // requests that took too long to arrive or to be taken were cut off at the end
	finish    []func() error // what is to be closed, first opened first
	ballast   []byte
}

// start opens a host and serves it. What it started ends with [system.stop].
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
	out.Stderr = f.saying(out.Stderr, deps.Log)
	if s.trusted, err = prefixes("--trusted-proxy", f.proxies); err != nil {
		return nil, err
	}
	if err := f.checkPublic(); err != nil {
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
	if f.tls.https() {
		s.url = "https://" + cli.Reachable(listener.Addr())
	}
	s.address, s.local = listener.Addr().String(), cli.Loopback(listener.Addr())
	if s.open, err = f.controls.open(ctx, cmd, out, s.url, s.local); err != nil {
		return nil, err
	}
	if s.open.listener != nil {
		s.finish = append(s.finish, func() error {
			_ = s.open.close() // the server has, if there was one
			return nil
		})
	}
	if err := f.openHost(ctx, s, deps, out); err != nil {
		return nil, err
	}
	if s.console, err = f.console.open(s, f.journal.mayReplayTo); err != nil {
		return nil, err
	}
	if err := f.withdraw(); err != nil { // no other server has our port, recording or database
		return nil, err
	}
	s.finish = append(s.finish, f.withdraw)
	s.warn(out.Stderr)
	s.serve(listener, deps.Log)
	return s, f.announce(s)
}

// announce writes down where the system is: control first, as whoever finds the address of
// the system may look for that of control.
func (f *systemFlags) announce(s *system) error {
	if err := cli.AnnounceAs(controlURLFile, f.controls.urlFile, s.open.url); err != nil {
		return err
	}
	return cli.Announce(f.urlFile, s.url)
}

// withdraw takes away what an earlier system, or this one, announced.
func (f *systemFlags) withdraw() error {
	return errors.Join(cli.Withdraw(f.urlFile), cli.WithdrawAs(controlURLFile, f.controls.urlFile))
}

// warn says which bookings cannot be read, and what is open to other machines.
func (s *system) warn(w io.Writer) {
	for _, d := range s.host().Records().Damaged() {
		fmt.Fprintf(w, "warning: a journey is set aside: %s; the others go on, and the row is left as it is for a person to read\n", d)
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

// listener takes the address to serve on, before anything is begun that a server
// which is there already may need. Who calls early waits until [system.serve].
func (f *systemFlags) listener(ctx context.Context, s *system) (net.Listener, error) {
	if err := f.tls.check(); err != nil {
		return nil, err
	}
	listener, err := cli.Listen(ctx, f.listen)
	if err != nil {
		return nil, err
	}
	s.finish = append(s.finish, func() error {
		_ = listener.Close() // the server has, if there was one
		return nil
	})
	return f.tls.secure(listener)
}

// openHost opens the recording, if one is named, and the host on its database, a
// temporary one unless --db names a file.
func (f *systemFlags) openHost(ctx context.Context, s *system, deps host.Deps, out cli.Outside) error {
	if err := cli.FolderOf("--db", f.db); err != nil {
		return err
	}
	recording, err := openRecording("--record", f.record, out)
	if err != nil {
		return err
	}
	if recording != nil {
		s.finish = append(s.finish, recording.Close)
		deps.Record = recording
	}
	deps.Database, s.database, s.keeps = f.db, f.db, f.db != ""
	if f.db == "" {
		dir, err := os.MkdirTemp("", "cabrank-")
		if err != nil {
			return fmt.Errorf("temporary database: %w", err)
		}
		s.finish = append(s.finish, func() error { return os.RemoveAll(dir) })
		deps.Database, s.database = filepath.Join(dir, "cabrank.db"), "temporary, gone at exit (--db FILE keeps it)"
	}
	f.journal.noChecks = f.console.off || s.open.url == ""
	if s.journals, err = f.journal.openJournals(s.url, deps.Log); err != nil {
		return err
	}
	towns := &host.Towns{} // sandboxes share them
	deps.Streets = towns.Streets
	options := control.Options{
		Config: f.config, Now: deps.Now, Log: deps.Log, Version: cli.Version(), NoMagic: f.noMagic, Bare: f.journal.bare,
		Token: s.open.token, ThirdPartyURL: f.thirdPartyURL(s),
		ControlURL: f.controlURL(s),
		Open: func(ctx context.Context, name string, c host.Config) (*host.Host, error) {
			return host.Open(ctx, c, depsOf(name, deps))
		},
	}
	if s.journals != nil {
		options.Journal = s.journals.Of
	}
	if s.control, err = openUnlessDone(ctx, options); err != nil {
		return configError(err)
	}
	s.finish = append(s.finish, s.control.Close)
	if err := f.beginWithFaults(s.control.Faults()); err != nil {
		return err
	}
	if s.host().Resumed() && recording != nil {
		fmt.Fprintln(out.Stderr, "cabrank: --record: the database is not empty, and the recording does not contain it: 'cabrank replay' cannot repeat this run")
	}
	return nil
}

// thirdPartyURL is what control calls the address of the operations. Who reaches all
// addresses of this machine is told the one that they asked, as they may be elsewhere.
func (f *systemFlags) thirdPartyURL(s *system) string {
	if f.publicURL != "" {
		return f.publicURL
	}
	at, err := netip.ParseAddrPort(s.address)
	if err == nil && at.Addr().IsUnspecified() && s.open.beside() && !f.tls.https() {
		return ""
	}
	return s.url
}

// controlURL is what control calls its own address; "": as whoever asks has reached it.
func (f *systemFlags) controlURL(s *system) string {
	if !s.open.beside() {
		return ""
	}
	return f.publicURL
}

// checkPublic refuses an address that --public-url cannot be.
func (f *systemFlags) checkPublic() error {
	f.publicURL = strings.TrimRight(f.publicURL, "/")
	u, err := url.Parse(f.publicURL)
	if f.publicURL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "") {
		return cli.UsageError("--public-url is %q, want the address that platforms call, such as https://taxis.example", f.publicURL)
	}
	return nil
}

// depsOf is what a sandbox is handed: it lives in memory and is not recorded. The main
// world has all of it.
func depsOf(name string, d host.Deps) host.Deps {
	if name == "" {
		return d
	}
	return host.Deps{Now: d.Now, Log: d.Log.With("sandbox", name), HTTP: d.HTTP, Streets: d.Streets}
}

// beginWithFaults adds the preset that a flag names.
func (f *systemFlags) beginWithFaults(set *fault.Set) error {
	if f.faults == "" {
		return nil
	}
	if _, err := set.AddPreset(f.faults, "", fault.Window{}); err != nil {
		var names []string
		for _, p := range fault.Presets() {
			names = append(names, p.Name)
		}
		return cli.UsageError("--faults is %q, want one of %s", f.faults, strings.Join(names, ", "))
	}
	return nil
}

// host is the dispatch system. A reset makes another.
func (s *system) host() *host.Host { return s.control.Host() }

// openUnlessDone opens a world. A large map or database takes its time: whoever ends
// the program meanwhile does not wait for it, and nothing has been promised yet.
func openUnlessDone(ctx context.Context, o control.Options) (*control.Server, error) {
	type opened struct {
		server *control.Server
		err    error
	}
	done := make(chan opened, 1)
	go func() { // ends with ctx at the latest; who has gone then takes no server
		server, err := control.New(ctx, o)
		done <- opened{server, err}
	}()
	select {
	case o := <-done:
		return o.server, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done: // it has noticed
		return o.server, o.err
	case <-time.After(time.Second):
		return nil, fmt.Errorf("ended before the world was made: %w", ctx.Err())
	}
}

// openRecording opens the file that a flag names for a recording; nil if it names
// none. The first failure to write is printed, as the run goes on without.
func openRecording(flag, path string, out cli.Outside) (*host.RecordingFile, error) {
	if path == "" {
		return nil, nil
	}
	file, err := host.OpenRecording(path, func(err error) {
		fmt.Fprintf(out.Stderr, "cabrank: %s: the recording ends here: %v\n", flag, err)
	})
	if err != nil {
		return nil, cli.Exit(cli.ExitUsage, fmt.Errorf("%s %s: %w", flag, path, err))
	}
	return file, nil
}

// openEmptied opens a file for a recording that begins at once; nil if the flag
// names none.
func openEmptied(flag, path string, out cli.Outside) (io.WriteCloser, error) {
	file, err := openRecording(flag, path, out)
	if file == nil || err != nil {
		return nil, err
	}
	if err := file.Empty(); err != nil {
		return nil, cli.Exit(cli.ExitUsage, errors.Join(fmt.Errorf("%s %s: %w", flag, path, err), file.Close()))
	}
	return file, nil
}

// serve answers requests until stop.
func (s *system) serve(listener net.Listener, log *slog.Logger) {
	handler := s.withConsole(s.control)
	if !s.open.beside() {
		handler = s.control.Operations()
	}
	if s.overheard != nil {
		handler = overhear(handler, s.overheard)
	}
	s.finish = append(s.finish, s.shutDown, s.endChecks) // while a check of this very server can cancel what it booked
	s.serveAt(listener, s.local, handler, log)
	if s.open.listener != nil {
		s.serveAt(s.open.listener, s.open.local, s.withConsole(s.control.Calls()), log)
	}
}

// serveAt answers requests at one address, which is local or not.
func (s *system) serveAt(listener net.Listener, local bool, handler http.Handler, log *slog.Logger) {
	if local {
		handler = cli.LocalOnly(handler)
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

// stopWithin is how long requests under way have to be answered. What sends and
// takes less than a byte in a while is cut off then.
const stopWithin = 1500 * time.Millisecond

// endChecks ends the checks that the console runs.
func (s *system) endChecks() error {
	if s.console == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	s.console.Close(ctx)
	return nil
}

// shutDown answers the requests under way and takes no more.
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
	s.standing = s.host().World().Standing() // nobody orders anything any more
	return errors.Join(ended...)
}

// stop ends what start began, the last first: requests under way are answered,
// the world stands still, and everything booked is on disk.
func (s *system) stop() error {
	var all error
	defer runtime.KeepAlive(s.ballast)
	for _, finish := range slices.Backward(s.finish) {
		all = errors.Join(all, finish())
	}
	return all
}

package serving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/simulator/host"
)

// system is a host that is being served.
type system struct {
	*host.Host

	url      string
	database string // for the banner

	server *http.Server
	failed chan error     // the server ended by itself
	finish []func() error // what is to be closed, first opened first
}

// start opens a host and serves it. What it started ends with [system.stop].
func (f *systemFlags) start(ctx context.Context, cmd *cobra.Command, out cli.Outside) (_ *system, err error) {
	deps, err := f.deps(cmd, out)
	if err != nil {
		return nil, err
	}
	s := &system{failed: make(chan error, 1)}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.stop())
		}
	}()
	listener, err := f.listener(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := f.openHost(ctx, s, deps, out); err != nil {
		return nil, err
	}
	if err := cli.Withdraw(f.urlFile); err != nil { // no other server has our port, recording or database
		return nil, err
	}
	s.finish = append(s.finish, func() error { return cli.Withdraw(f.urlFile) })
	s.url = "http://" + cli.Reachable(listener.Addr())
	s.serve(listener, deps.Log)
	return s, cli.Announce(f.urlFile, s.url)
}

// listener takes the address to serve on, before anything is begun that a server
// which is there already may need. Who calls early waits until [system.serve].
func (f *systemFlags) listener(ctx context.Context, s *system) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.listen)
	if err != nil {
		return nil, cli.Exit(cli.ExitUsage, fmt.Errorf("cannot listen on %s: %w; choose another with --listen HOST:PORT such as 127.0.0.1:0, or stop what listens there", f.listen, err))
	}
	s.finish = append(s.finish, func() error {
		_ = listener.Close() // the server has, if there was one
		return nil
	})
	return listener, nil
}

// openHost opens the recording, if one is named, and the host on its database, a
// temporary one unless --db names a file.
func (f *systemFlags) openHost(ctx context.Context, s *system, deps host.Deps, out cli.Outside) error {
	recording, err := openRecording("--record", f.record, out)
	if err != nil {
		return err
	}
	if recording != nil {
		s.finish = append(s.finish, recording.Close)
		deps.Record = recording
	}
	deps.Database, s.database = f.db, f.db
	if f.db == "" {
		dir, err := os.MkdirTemp("", "cabrank-")
		if err != nil {
			return fmt.Errorf("temporary database: %w", err)
		}
		s.finish = append(s.finish, func() error { return os.RemoveAll(dir) })
		deps.Database, s.database = filepath.Join(dir, "cabrank.db"), "temporary, gone at exit (--db FILE keeps it)"
	}
	if s.Host, err = host.Open(ctx, f.config, deps); err != nil {
		return configError(err)
	}
	s.finish = append(s.finish, s.Close)
	if s.Resumed() && recording != nil {
		fmt.Fprintln(out.Stderr, "cabrank: --record: the database holds something already, which the recording does not tell: this run cannot be repeated by 'cabrank replay'")
	}
	return nil
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
	handler := http.Handler(s.Host)
	if cli.Loopback(listener.Addr()) {
		handler = cli.LocalOnly(handler)
	}
	s.server = dispatch.Server(handler)
	s.server.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelWarn)
	s.finish = append(s.finish, s.shutDown)
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

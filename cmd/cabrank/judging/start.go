package judging

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
)

// startFlags start the server under test for the run, and stop it afterwards.
type startFlags struct{ command string }

func (f *startFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.command, "start", "", `start the server with this shell command, and stop it after the run, such as "php -S 127.0.0.1:9000 taxi.php"`)
}

// Time limits of a server that is started.
const (
	startWithin = 30 * time.Second // until it listens, unless --wait is longer
	endWithin   = 5 * time.Second  // until it is killed
	startPause  = 50 * time.Millisecond
)

// started is a server that was started for a run.
type started struct {
	cmd    *exec.Cmd
	log    *os.File
	exited chan struct{} // closed when the server has ended
	how    error         // why the server ended, once exited is closed
}

// start starts the server, if the flag is set, and waits up to within until it listens at
// the address. The function that it returns stops the server.
func (f *startFlags) start(ctx context.Context, address string, within time.Duration, out cli.Outside) (end func(), err error) {
	if f.command == "" {
		return func() {}, nil
	}
	host, err := hostOf(address)
	if err != nil {
		return nil, err
	}
	if listens(ctx, host) {
		return nil, cli.UsageError("--start: another program already listens at %s, and would be tested instead of the server", host)
	}
	s, err := f.launch()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(out.Stderr, "cabrank: what the server of --start prints is in %s\n", s.log.Name())
	forget := cli.OnAbandon(func() { s.signal(true) })
	if err := s.await(ctx, host, cmp.Or(within, startWithin), address); err != nil {
		defer forget()
		s.end(host, out)
		return nil, err
	}
	return func() {
		defer forget() // a second Ctrl-C may come while the server is being stopped
		s.sayIfEnded(out)
		s.end(host, out)
	}, nil
}

// launch starts the program with its output in a new file, which only its owner can read,
// since it may contain secrets.
func (f *startFlags) launch() (*started, error) {
	log, err := os.CreateTemp("", "cabrank-server-*.log")
	if err != nil {
		return nil, cli.UsageError("--start: %w", err)
	}
	s := &started{cmd: shell(f.command), log: log, exited: make(chan struct{})}
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		return nil, errors.Join(cli.UsageError("--start: %w", err), log.Close())
	}
	go func() { // ends with the program
		s.how = s.cmd.Wait()
		endOrphans(s.cmd)
		close(s.exited)
	}()
	return s, nil
}

// await waits until the server listens, or returns an error that says why it does not.
func (s *started) await(ctx context.Context, host string, within time.Duration, address string) error {
	began := cli.Now()
	for !listens(ctx, host) {
		select {
		case <-s.exited:
			return startError(address, "the server of --start has ended: "+s.said(), "see "+s.log.Name())
		default:
		}
		switch {
		case ctx.Err() != nil:
			return cli.Exit(cli.ExitInterrupted, errors.New("interrupted before the run began; no journey was booked"))
		case cli.Now().Sub(began) >= within:
			return startError(address, fmt.Sprintf("nothing listens at %s after %s", host, within), "have the server of --start listen there, or give it more time with --wait; see "+s.log.Name())
		}
		wait(ctx, startPause)
	}
	return nil
}

// startError returns the error for a server that could not be started.
func startError(address, detail, cure string) error {
	step := conformance.Step{Name: "start", Detail: detail, Cure: cure}
	return cli.Exit(cli.ExitUnreachable, &conformance.Unreachable{URL: address, Steps: []conformance.Step{step}})
}

// said returns how the server ended, with its last line of output.
func (s *started) said() string {
	how := "exit status 0"
	if s.how != nil {
		how = s.how.Error()
	}
	if last := lastLine(s.log.Name()); last != "" {
		how += ": " + last
	}
	return how
}

// sayIfEnded prints a message if the server has ended by itself.
func (s *started) sayIfEnded(out cli.Outside) {
	select {
	case <-s.exited:
		fmt.Fprintf(out.Stderr, "cabrank: the server of --start had ended by itself: %s (%s)\n", s.said(), s.log.Name())
	default:
	}
}

// end ends the server and its child processes, and waits until the address is free.
func (s *started) end(host string, out cli.Outside) {
	s.signal(false)
	overdue := time.AfterFunc(endWithin, func() { s.signal(true) })
	<-s.exited
	overdue.Stop()
	awaitFree(host, endWithin, out)
	_ = s.log.Close()
}

// signal asks the server to end, or with force kills it. It does nothing if the server
// has ended: its process id may belong to another process.
func (s *started) signal(force bool) {
	select {
	case <-s.exited:
	default:
		endGroup(s.cmd, force)
	}
}

// awaitFree waits until the address is free, and prints a message if it is not free
// within the time.
func awaitFree(host string, within time.Duration, out cli.Outside) {
	ctx, stop := context.WithTimeout(context.Background(), within)
	defer stop()
	for listens(context.WithoutCancel(ctx), host) { // a cancelled ctx would look like a free address
		if ctx.Err() != nil {
			fmt.Fprintf(out.Stderr, "cabrank: another program still listens at %s after the server of --start was stopped\n", host)
			return
		}
		wait(ctx, startPause)
	}
}

// hostOf returns the host and port of an address.
func hostOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "", cli.UsageError("%q is not an address", address)
	}
	port := cmp.Or(u.Port(), map[string]string{"https": "443"}[u.Scheme], "80")
	return net.JoinHostPort(u.Hostname(), port), nil
}

// listens reports whether a connection to host is accepted.
func listens(ctx context.Context, host string) bool {
	const within = time.Second
	ctx, stop := context.WithTimeout(ctx, within)
	defer stop()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return false
	}
	_ = conn.Close() // only to see whether the server listens
	return true
}

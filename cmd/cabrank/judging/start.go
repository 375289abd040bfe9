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

// startFlags have the server that is judged started for the run, and ended with it.
type startFlags struct{ command, log string }

func (f *startFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.command, "start", "", `start the server with this shell command, and stop it after the run, such as "php -S 127.0.0.1:9000 taxi.php"`)
	fs.StringVar(&f.log, "start-log", "", "with --start: file for the output of the server (default a new temporary file)")
}

// startable refuses a flag that would do nothing.
func (f *startFlags) startable() error {
	if f.log != "" && f.command == "" {
		return cli.UsageError("--start-log goes with --start")
	}
	return nil
}

// Bounds of a server that is started.
const (
	startWithin = 30 * time.Second // until somebody listens, unless --wait says more
	endWithin   = 5 * time.Second  // until it is ended by force
	startPause  = 50 * time.Millisecond
)

// started is a server that was started for a run.
type started struct {
	cmd    *exec.Cmd
	log    *os.File
	exited chan struct{} // closed when it has ended
	how    error         // why it has ended, once exited is closed
}

// start starts the server, if there is one to start, and waits until somebody listens at the
// address, at most for so long. The function that it returns ends the server.
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
	if f.log == "" {
		fmt.Fprintf(out.Stderr, "cabrank: what the server of --start prints is in %s\n", s.log.Name())
	}
	forget := cli.OnAbandon(func() { s.signal(true) })
	if err := s.await(ctx, host, cmp.Or(within, startWithin), address); err != nil {
		defer forget()
		s.end(host, out)
		return nil, err
	}
	return func() {
		defer forget() // a second Ctrl-C may come while the server is asked to end
		s.sayIfEnded(out)
		s.end(host, out)
	}, nil
}

// launch starts the program with its output in the log.
func (f *startFlags) launch() (*started, error) {
	log, err := f.newLog()
	if err != nil {
		return nil, cli.UsageError("--start-log: %w", err)
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

// newLog makes the file for what the server prints, which may hold secrets: only its owner may read
// it. One that is there is overwritten only if the flag names it, and keeps its mode.
func (f *startFlags) newLog() (*os.File, error) {
	if f.log == "" {
		return os.CreateTemp("", "cabrank-server-*.log")
	}
	return os.OpenFile(f.log, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
}

// await waits until somebody listens, or says why nobody does.
func (s *started) await(ctx context.Context, host string, within time.Duration, address string) error {
	began := cli.Now()
	for !listens(ctx, host) {
		select {
		case <-s.exited:
			return unstarted(address, "the server of --start has ended: "+s.said(), "see "+s.log.Name())
		default:
		}
		switch {
		case ctx.Err() != nil:
			return cli.Exit(cli.ExitInterrupted, errors.New("interrupted before the run began; no journey was booked"))
		case cli.Now().Sub(began) >= within:
			return unstarted(address, fmt.Sprintf("nothing listens at %s after %s", host, within), "have the server of --start listen there, or give it more time with --wait; see "+s.log.Name())
		}
		wait(ctx, startPause)
	}
	return nil
}

// unstarted is the error of a server that is not there.
func unstarted(address, detail, cure string) error {
	step := conformance.Step{Name: "start", Detail: detail, Cure: cure}
	return cli.Exit(cli.ExitUnreachable, &conformance.Unreachable{URL: address, Steps: []conformance.Step{step}})
}

// said says how the server ended, with the last line that it printed.
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

// sayIfEnded says so if the server has ended by itself.
func (s *started) sayIfEnded(out cli.Outside) {
	select {
	case <-s.exited:
		fmt.Fprintf(out.Stderr, "cabrank: the server of --start had ended by itself: %s (%s)\n", s.said(), s.log.Name())
	default:
	}
}

// end ends the server and all that it started, and waits until nobody listens any more.
func (s *started) end(host string, out cli.Outside) {
	s.signal(false)
	overdue := time.AfterFunc(endWithin, func() { s.signal(true) })
	<-s.exited
	overdue.Stop()
	awaitFree(host, endWithin, out)
	_ = s.log.Close()
}

// signal asks the server to end, or with force ends it, unless it has ended: others may have its
// number then.
func (s *started) signal(force bool) {
	select {
	case <-s.exited:
	default:
		endGroup(s.cmd, force)
	}
}

// awaitFree waits until nobody listens any more, and says so if somebody does after so long.
func awaitFree(host string, within time.Duration, out cli.Outside) {
	ctx, stop := context.WithTimeout(context.Background(), within)
	defer stop()
	for listens(context.WithoutCancel(ctx), host) { // ended by ctx, it would be no answer
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

// listens reports whether somebody takes connections there.
func listens(ctx context.Context, host string) bool {
	const within = time.Second
	ctx, stop := context.WithTimeout(ctx, within)
	defer stop()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return false
	}
	_ = conn.Close() // it was only to see
	return true
}

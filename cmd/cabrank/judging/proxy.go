package judging

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/report"
)

// proxyFlags say where to listen, and to which server to forward.
type proxyFlags struct {
	formatFlags
	scoreFlags
	cli.TLSFlags
	listen, target, urlFile string
	suiteName               string
	quiet                   bool
}

// Limits of what the proxy records, in bytes.
const (
	mostProxied    = 96 << 20
	longestProxied = 1 << 20 // of one body
)

func newProxy(out cli.Outside) *cobra.Command {
	var f proxyFlags
	cmd := &cobra.Command{
		Use:   "proxy --target URL",
		Short: "Forward requests to a dispatch system, and test the traffic",
		Long: `Forward requests unchanged to a dispatch system, and test the responses by the rules of 'cabrank check';
--suite caller tests the client. Findings are printed at once; Ctrl-C writes the reports. If a report goes to
standard output (-), everything else goes to standard error.

Requests are forwarded with the client's credentials, and with the certificate of --cert. The proxy therefore
listens on loopback, and accepts only loopback host names, unless --listen sets another address.`,
		Example: `  cabrank proxy --target https://dispatch.example/taxi
  cabrank proxy --listen 127.0.0.1:9000 --target http://127.0.0.1:8080 --html report.html --out run.json
  cabrank proxy --suite caller --target http://127.0.0.1:8080`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, out) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.listen, "listen", "127.0.0.1:8085", "address to listen on")
	fs.StringVar(&f.target, "target", "", "base address of the dispatch system")
	fs.StringVar(&f.urlFile, "url-file", "", "write the address to this file when the proxy is ready")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "leave out passed checks")
	addSuite(fs, &f.suiteName)
	f.Add(fs)
	f.formatFlags.add(fs)
	f.scoreFlags.add(fs)
	return cmd
}

func (f *proxyFlags) run(cmd *cobra.Command, out cli.Outside) error {
	if f.target == "" {
		return cli.UsageError("--target is missing: want the address of the dispatch system, such as http://127.0.0.1:8080")
	}
	target, err := url.Parse(f.target)
	if err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https" || target.User != nil {
		return cli.UsageError("--target is %q, want http://host/path or https://host/path", f.target)
	}
	judge, err := trafficSuite(f.suiteName)
	if err != nil {
		return err
	}
	f.suite, f.judge = judge, judge
	if err := f.writable(); err != nil {
		return err
	}
	scoring, err := f.scoring()
	if err != nil {
		return err
	}
	transport := live.Transport()
	if transport.TLSClientConfig, err = f.Config(); err != nil {
		return err
	}
	text := out.Stdout
	if f.toStdout() {
		text = out.Stderr
	}
	colour, err := cli.Coloured(cmd, out, text)
	if err != nil {
		return err
	}
	boundMemory(out)
	terminal := &report.Terminal{W: text, Colour: colour, Verbose: !f.quiet, Catalogue: f.suite.Checks}
	traffic, err := f.listenUntilDone(cmd.Context(), target, transport, scoring, terminal)
	if err != nil {
		return err
	}
	return f.finish(traffic, scoring, terminal, out)
}

// listenUntilDone records the forwarded requests until the proxy is stopped.
func (f *proxyFlags) listenUntilDone(ctx context.Context, target *url.URL, transport http.RoundTripper, scoring conformance.Scoring, terminal *report.Terminal) (*live.Journal, error) {
	if err := cli.Announceable(f.urlFile); err != nil {
		return nil, err
	}
	listener, err := cli.Listen(ctx, f.listen)
	if err != nil {
		return nil, err
	}
	traffic := live.NewProxy(target, transport, live.Options{
		Request: &callingside.Suite, Answer: &dispatchside.Suite, Now: cli.Now,
		Most: conformance.MostCalls, MostBytes: mostProxied, MostBody: longestProxied,
	})
	defer traffic.Close()
	handler := http.Handler(traffic)
	if cli.Loopback(listener.Addr()) {
		handler = cli.LocalOnly(handler)
	}
	first := traffic.News() // before the server listens, so that no request comes unnoticed
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		ErrorLog: slog.NewLogLogger(slog.NewTextHandler(terminal.W, nil), slog.LevelError),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }() // ends with stopServer
	if err := f.printAddress(listener, terminal.W); err != nil {
		return nil, err
	}
	f.follow(ctx, traffic, first, scoring, terminal)
	return traffic, errors.Join(stopServer(server, ended), cli.Withdraw(f.urlFile))
}

// toStdout reports whether a report goes to standard output instead of the text.
func (f *proxyFlags) toStdout() bool { return f.out == "-" || f.formatFlags.toStdout() }

// printAddress prints the address for clients, and writes --url-file.
func (f *proxyFlags) printAddress(listener net.Listener, text io.Writer) error {
	address := "http://" + cli.Reachable(listener.Addr())
	fmt.Fprintf(text, "third_party_url  %s  →  %s\n", address, f.target)
	if !cli.Loopback(listener.Addr()) {
		fmt.Fprintln(text, "warning: other machines can reach the target through this proxy")
	}
	return cli.Announce(f.urlFile, address)
}

// follow prints each new verdict, and each that changes, until the proxy is stopped. more is closed when there are new
// requests. Every evaluation covers all requests and so takes longer and longer; it gets at most a tenth of the time.
func (f *proxyFlags) follow(ctx context.Context, traffic *live.Journal, more <-chan struct{}, scoring conformance.Scoring, terminal *report.Terminal) {
	const least = 200 * time.Millisecond
	printed := map[string]conformance.Outcome{}
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-more:
		}
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		}
		began := cli.Now()
		more = traffic.News()
		for _, r := range traffic.Report(f.suite, conformance.Beginning).Checks {
			key := r.ID + "@" + string(r.Operation)
			if r.Outcome != conformance.NotVerified && printed[key] != r.Outcome {
				printed[key] = r.Outcome
				terminal.Check(scoring.Mark(f.suite, r, cli.Now()))
			}
		}
		next.Reset(max(least, 10*cli.Now().Sub(began)))
	}
}

// stopServer lets current requests complete for up to five seconds, and closes a server. ended receives the error of
// serving.
func stopServer(server *http.Server, ended <-chan error) error {
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		_ = server.Close() // the requests have had their time
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("proxy: %w", err)
	}
	return nil
}

// finish writes the report on all forwarded requests.
func (f *proxyFlags) finish(traffic *live.Journal, scoring conformance.Scoring, terminal *report.Terminal, out cli.Outside) error {
	report := traffic.Report(f.suite, conformance.All)
	report.Score(scoring, cli.Now())
	terminal.Summary(report)
	if n := traffic.Stats().Gone; n > 0 {
		fmt.Fprintf(terminal.W, "the report has the last requests; %d before them are not in it\n", n)
	}
	if err := f.write(conformance.NewRunFile(report, cli.Version()), out); err != nil {
		return err
	}
	if report.Summary.Exchanges == 0 {
		return cli.Exit(cli.ExitUnreachable, errors.New("no request was forwarded: nothing was tested"))
	}
	if code := report.ExitCode(); code != cli.ExitOK {
		return cli.Exit(code, nil)
	}
	return nil
}

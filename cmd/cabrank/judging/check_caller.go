package judging

import (
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// checkCallerFlags say where the scripted third party listens, how the platform is
// driven, and what to write.
type checkCallerFlags struct {
	suiteFlags
	listen, urlFile, basePath string
	drive                     string
	auth                      string
	cert, key, caOut          string
	https                     bool
	long                      bool
	partFlags
	timeout, listenFor, wait time.Duration
	maxTime                  time.Duration
	allowHost                bool
}

func newCheckCaller(out cli.Outside) *cobra.Command {
	var f checkCallerFlags
	f.suite, f.judge = &callingside.Suite, &callingside.Suite
	cmd := &cobra.Command{
		Use:   "caller --drive URL",
		Short: "Test a platform that calls a third party, by playing the third party",
		Long: `Play a third party with a scripted world, and test the platform that calls it. Configure the printed address
in the platform (--url-file also writes it to a file).

At the address of --drive, the platform acts as if somebody had called, and returns what the caller heard; see
cmd/cabrank/docs/drive.md. Without --drive, a person at the terminal makes the calls and enters what they
heard. Without a terminal, the suite waits for requests for the duration of --listen-for. Checks that need
other information are not verified.

--tls serves HTTPS with a certificate that is generated for the run; the platform must trust the CA in --ca-out.
The suite then also tries invalid certificates. --cert and --key use your own certificate.

` + exitCodes{of: "platform", tooLittle: " (see --drive and --max-time)"}.String(),
		Example: `  cabrank check caller --listen 127.0.0.1:9000 --drive http://127.0.0.1:9100/drive
  cabrank check caller --listen 127.0.0.1:0 --url-file third-party.url --drive http://127.0.0.1:9100/drive --json -
  cabrank check caller --tls --ca-out ca.pem --auth bearer:env:TOKEN --wait 30s --drive http://127.0.0.1:9100/drive
  cabrank platform --speed 60 --third-party http://127.0.0.1:9000/taxi &
  cabrank check caller --listen 127.0.0.1:9000 --drive http://127.0.0.1:8090/sim/v1/drive
  cabrank check caller --listen 127.0.0.1:9000 --only P-44,P-47 --max-time 2m`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, out) },
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *checkCallerFlags) add(fs *pflag.FlagSet) {
	f.suiteFlags.add(fs)
	fs.StringVar(&f.listen, "listen", "127.0.0.1:0", "address of the scripted third party")
	fs.StringVar(&f.urlFile, "url-file", "", "write its address to this file when it is ready")
	fs.StringVar(&f.basePath, "base-path", "/taxi", "serve the five operations below this path; / for none")
	fs.StringVar(&f.drive, "drive", "", "drive address of the platform (default: a person makes the calls)")
	fs.StringVar(&f.auth, "auth", "", "credentials that the platform must send: basic:USER:PASSWORD, bearer:TOKEN, header:NAME:VALUE or query:NAME:VALUE; @FILE or env:NAME instead of a secret")
	fs.StringVar(&f.cert, "cert", "", "serve HTTPS with this certificate, PEM file")
	fs.StringVar(&f.key, "key", "", "private key of --cert, PEM file")
	fs.BoolVar(&f.https, "tls", false, "serve HTTPS with certificates generated for the run")
	fs.StringVar(&f.caOut, "ca-out", "", "with --tls: write the CA certificate for the platform to this PEM file")
	fs.BoolVar(&f.long, "long", false, "also run the scenes with delays of 5 to 30 s")
	f.partFlags.add(fs, "P-4*")
	fs.DurationVar(&f.timeout, "timeout", time.Minute, "timeout of one request to the drive address")
	fs.DurationVar(&f.maxTime, "max-time", 15*time.Minute, "time limit of the run; the remaining checks are not verified (0: no limit, which is the default with a person)")
	fs.DurationVar(&f.wait, "wait", 0, "wait up to this time for the drive address, for a platform that starts later")
	fs.DurationVar(&f.listenFor, "listen-for", time.Minute, "how long to wait for requests without --drive and without a terminal")
	fs.BoolVar(&f.allowHost, "allow-host", false, "allow a drive address that is not on this machine")
}

func (f *checkCallerFlags) run(cmd *cobra.Command, out cli.Outside) error {
	if err := cli.Announceable(f.urlFile); err != nil {
		return err
	}
	return f.suiteFlags.run(cmd, out, func(scoring conformance.Scoring, terminal *report.Terminal) (*conformance.Report, error) {
		opts, err := f.options(cmd, out, terminal)
		if err != nil {
			return nil, err
		}
		opts.Preflight, opts.Progress = terminal.Step, terminal.Progress
		text := terminal.W
		if f.toStdout() {
			text = out.Stderr
		}
		opts.Ready = func(address string) error {
			if err := f.announce(address, text); err != nil {
				return err
			}
			return f.await(cmd.Context(), text)
		}
		rep, err := callingside.Run(cmd.Context(), opts)
		if gone := cli.Withdraw(f.urlFile); gone != nil && err == nil {
			return nil, gone
		}
		if err != nil {
			return nil, callerError(cmd.Context(), err)
		}
		rep.Score(scoring, cli.Now())
		terminal.Report(rep)
		return rep, nil
	})
}

// options returns the options of the run.
func (f *checkCallerFlags) options(cmd *cobra.Command, out cli.Outside, terminal *report.Terminal) (o callingside.Options, err error) {
	ctx := cmd.Context()
	o = callingside.Options{
		BasePath: f.basePath, Now: cli.Now, Wait: wait, Nonce: uint64(cli.Now().UnixNano()), Long: f.long, Listen: f.listenFor,
	}
	if f.drive != "" || cmd.Flags().Changed("max-time") {
		o.MaxTime = f.maxTime
	}
	if f.maxTime < 0 || f.wait < 0 {
		return o, cli.UsageError("--max-time and --wait are 0 or more, such as 15m or 60s")
	}
	if o.Only, err = f.choose(&callingside.Suite); err != nil {
		return o, err
	}
	if o.Auth, err = f.credentials(out); err != nil {
		return o, err
	}
	if o.Actor, err = f.actor(cmd, terminal); err != nil {
		return o, err
	}
	if o.Listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", f.listen); err != nil {
		return o, cli.UsageError("--listen: %w; choose another address", err)
	}
	if o.TLS, err = f.certificates(o.Listener); err != nil {
		return o, errors.Join(err, o.Listener.Close())
	}
	if cli.Loopback(o.Listener.Addr()) {
		o.Other, err = (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	}
	return o, err
}

func (f *checkCallerFlags) credentials(out cli.Outside) (func(*http.Request), error) {
	if f.auth == "" {
		return nil, nil
	}
	c, err := taxi.ParseAuth(f.auth, cli.SecretFrom(out.Getenv), taxi.AuthQuery)
	if err != nil {
		return nil, cli.UsageError("--auth: %w", err)
	}
	return c.Auth(), nil
}

// actor returns what makes the platform act: its drive address, or a person at the terminal; nil: nothing does.
func (f *checkCallerFlags) actor(cmd *cobra.Command, terminal *report.Terminal) (callingside.Actor, error) {
	if f.drive != "" {
		u, err := url.Parse(f.drive)
		switch {
		case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil:
			return nil, cli.UsageError("--drive is %q, want http://host/path or https://host/path", f.drive)
		case !f.allowHost && !isLocal(u.Hostname()):
			return nil, cli.UsageError("--drive: %s is not this machine, and calls are acted out there; --allow-host allows it", u.Host)
		}
		return callingside.Drive{URL: f.drive, Client: outbound.New(outbound.Options{}), Timeout: f.timeout}, nil
	}
	if in, isFile := cmd.InOrStdin().(*os.File); isFile && isTerminal(in) {
		return callingside.NewPerson(in, terminal.W), nil
	}
	return nil, nil
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// isTerminal reports whether an input is a terminal, at which a person can type answers.
func isTerminal(in *os.File) bool { return cli.IsTerminal(io.Writer(in)) }

// certificates returns the certificates of the third party; nil: plain HTTP.
func (f *checkCallerFlags) certificates(at net.Listener) (*callingside.Certificates, error) {
	switch {
	case f.https && f.cert != "":
		return nil, cli.UsageError("--tls and --cert cannot be combined")
	case f.caOut != "" && !f.https:
		return nil, cli.UsageError("--ca-out needs --tls")
	case f.cert != "" || f.key != "":
		pair, err := tls.LoadX509KeyPair(f.cert, f.key)
		if err != nil {
			return nil, cli.UsageError("--cert and --key: %w", err)
		}
		return callingside.Own(pair)
	case !f.https:
		return nil, nil
	case f.caOut == "":
		return nil, cli.UsageError("--tls needs --ca-out: the platform must trust that certificate")
	}
	host, _, err := net.SplitHostPort(at.Addr().String())
	if err != nil {
		return nil, err
	}
	all, ca, err := callingside.TemporaryCertificates(cli.Now(), host, "localhost", "127.0.0.1")
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: ca})
	return all, cli.Replace("--ca-out", f.caOut, text, 0o644)
}

// announce prints the address to configure in the platform, and writes it to --url-file.
func (f *checkCallerFlags) announce(address string, text io.Writer) error {
	fmt.Fprintf(text, "third_party_url  %s\n", address)
	return cli.Announce(f.urlFile, address)
}

// await waits until the platform accepts connections. After --wait it prints a message
// and returns: the run will report the reason.
func (f *checkCallerFlags) await(ctx context.Context, text io.Writer) error {
	const pause = 100 * time.Millisecond
	u, err := url.Parse(f.drive)
	if err != nil || f.wait <= 0 || u.Host == "" {
		return nil
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	ctx, stop := context.WithTimeout(ctx, f.wait)
	defer stop()
	for ctx.Err() == nil {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
		if err == nil {
			_ = conn.Close() // only to see whether the platform listens
			return nil
		}
		wait(ctx, pause)
	}
	_, err = fmt.Fprintf(text, "%s does not respond after %s\n", u.Host, f.wait)
	return err
}

// callerError returns an error of the suite with its exit code.
func callerError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return cli.Exit(cli.ExitInterrupted, errors.New("interrupted before the run began"))
	}
	if unreachable, ok := errors.AsType[*conformance.Unreachable](err); ok {
		return cli.Exit(cli.ExitUnreachable, unreachable)
	}
	return cli.Exit(cli.ExitUsage, err)
}

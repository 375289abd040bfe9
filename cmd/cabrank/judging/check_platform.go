package judging

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/platformapi"
	"github.com/cabrank/cabrank/conformance/report"
)

// checkPlatformFlags say which voice platform to test, how to reach it, and what to
// write.
type checkPlatformFlags struct {
	cli.TLSFlags
	suiteFlags
	credentials string
	partFlags
	timeout   time.Duration
	allowHost bool
}

func newCheckPlatform(out cli.Outside) *cobra.Command {
	var f checkPlatformFlags
	f.suite, f.judge = &platformapi.Suite, &platformapi.Suite
	cmd := &cobra.Command{
		Use:   "platform URL --credentials-file FILE",
		Short: "Test the REST and Voice APIs of a voice platform",
		Long: `Test the REST API and the Voice API of a voice platform against the published interface. URL is {base_url}.
The credentials file is JSON, as 'cabrank platform --credentials-file' writes it: voice_base_url, users with
username, password and roles (the most privileged first), and accounts with id and client_id.

The run creates trunks, hooks, devices and calls in the first account, under the name CONFORMANCE TEST. The
interface cannot delete them, so they stay; once ten of a kind exist, they are reused. The address of the
account is changed and restored. Calls go to +44 7700 900123, a number that nobody has. If access tokens live
5 s or less, the run waits until one expires.

` + exitCodes{of: "platform", tooLittle: " (see --credentials-file)"}.String(),
		Example: `  cabrank platform --credentials-file credentials.json &
  cabrank check platform http://127.0.0.1:8090 --credentials-file credentials.json
  cabrank check platform https://voice.example --allow-host --credentials-file c.json --html report.html
  cabrank check platform http://127.0.0.1:8090 --credentials-file c.json --only TOK-01,'TRK-*'`,
		Args: cli.ExactArgs("URL"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, out, args[0]) },
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *checkPlatformFlags) add(fs *pflag.FlagSet) {
	f.Add(fs)
	f.suiteFlags.add(fs)
	fs.StringVar(&f.credentials, "credentials-file", "", "JSON file with users and accounts for the run, required")
	f.partFlags.add(fs, "TRK-*")
	fs.BoolVar(&f.allowHost, "allow-host", false, "allow a host other than this machine: what the run creates there stays")
	addTimeout(fs, &f.timeout)
}

func (f *checkPlatformFlags) run(cmd *cobra.Command, out cli.Outside, address string) error {
	if err := isAddress(address); err != nil {
		return err
	}
	return f.suiteFlags.run(cmd, out, func(scoring conformance.Scoring, terminal *report.Terminal) (*conformance.Report, error) {
		target, err := f.target(address)
		if err != nil {
			return nil, err
		}
		target.Preflight, target.Progress = terminal.Step, newWatcher(cmd.Context(), out, terminal, f.quiet).progress
		report, err := platformapi.Run(cmd.Context(), target)
		if err != nil {
			return nil, platformError(cmd.Context(), err)
		}
		report.Score(scoring, cli.Now())
		terminal.Report(report)
		return report, nil
	})
}

// target returns the target of the run.
func (f *checkPlatformFlags) target(address string) (platformapi.Target, error) {
	t := platformapi.Target{
		URL: address, Now: cli.Now, Nonce: uint64(cli.Now().UnixNano()), Timeout: f.timeout, AllowHost: f.allowHost, Wait: wait,
	}
	var err error
	if t.Only, err = f.choose(&platformapi.Suite); err != nil {
		return t, err
	}
	if f.credentials == "" {
		return t, cli.UsageError("--credentials-file is required: who may log in, and which accounts may be used; %s", credentialsCure)
	}
	file, err := cli.OpenText(f.credentials)
	if err != nil {
		return t, cli.UsageError("--credentials-file: %w; %s", err, credentialsCure)
	}
	defer file.Close()
	if t.Credentials, err = platformapi.ReadCredentials(file); err != nil {
		return t, cli.UsageError("--credentials-file %s: %w; %s", f.credentials, err, credentialsCure)
	}
	t.VoiceURL = t.Credentials.VoiceBaseURL
	t.TLS, err = f.Config()
	return t, err
}

// credentialsCure is the part of an error text that says how to get a credentials file.
const credentialsCure = `'cabrank platform --credentials-file FILE' writes one; for another platform write
{"users": [{"username": "…", "password": "…", "roles": ["…"]}], "accounts": [{"id": "…", "client_id": "…"}]}`

// wait waits for d, or until ctx ends.
func wait(ctx context.Context, d time.Duration) { client.Pause(ctx, d) }

// platformError returns an error of the suite with its exit code.
func platformError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return cli.Exit(cli.ExitInterrupted, errors.New("interrupted before the run began; nothing was created"))
	}
	if unreachable, ok := errors.AsType[*conformance.Unreachable](err); ok {
		return cli.Exit(cli.ExitUnreachable, unreachable)
	}
	if errors.Is(err, platformapi.ErrHost) {
		return cli.UsageError("%w; --allow-host allows it", err)
	}
	return cli.Exit(cli.ExitUsage, err)
}

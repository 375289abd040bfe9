// Package phoning contains the commands of the voice platform: platform, which serves it,
// call, a phone in the terminal, chat, a chat in the terminal, and voice, which tries the
// programs that speak and recognise speech.
package phoning

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/platform/access"
)

// platformFlags are the flags of 'cabrank platform'.
type platformFlags struct {
	listen, urlFile, credentialsFile, certFile string

	db, recordings, log, zone string
	controlToken              string
	recordingsMost            int
	speed                     float64
	seed                      uint64
	insecure                  bool
	privateHooks              bool
	fastRetries               bool
	callsPerSecond            float64
	liveCalls                 int
	live                      func(int)        // not a flag: called with the number of calls that are up
	callers                   func() time.Time // not a flag: the clock that callers use to name times
	tokenLife                 time.Duration
	refreshLife               time.Duration
	sip                       sipFlags
	thirdParty                thirdPartyFlags
	sound                     Sound
}

func newPlatform(out cli.Outside) *cobra.Command {
	var flags platformFlags
	cmd := &cobra.Command{
		Use:   "platform",
		Short: "Run the reference voice platform: REST API, Voice API, flows, hooks, calls",
		Long: `Run the reference voice platform until Ctrl-C. One address serves the REST API, the Voice API and, below
/sim/v1, the control API of the simulation. No call leaves this machine: the phones are simulated, and with
--sip telephones and trunks of this machine as well call and are called. --allow-external-calls lets trunks and
telephones of other machines in. Emergency and premium numbers are never dialled.

A new database starts with an organisation, a user for each role and two accounts with numbers. Their
credentials are printed once, or written to --credentials-file; the database has only hashes. To replace
lost credentials, use 'cabrank platform user password' and 'cabrank platform account client'.

cmd/cabrank/docs/tutorial.md shows how to answer a call in ten lines of Go, Python or Node.`,
		Example: `  cabrank platform
  cabrank platform --db platform.db --credentials-file credentials.json --allow-private-hooks
  cabrank platform --listen 127.0.0.1:0 --url-file url --speed 10
  cabrank platform --sip 127.0.0.1:5060
  cabrank platform --third-party http://127.0.0.1:8080 --third-party-auth bearer:env:TOKEN
  cabrank call taxi --from 442079460001`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := flags.start(cmd, out)
			if err != nil {
				return err
			}
			flags.banner(out.Stdout, s)
			if err := s.untilDone(cmd.Context()); err != nil {
				return err
			}
			farewell := "stopped; all settings and pending hook events are in the database"
			if flags.db == "" {
				farewell = "stopped; all data was in memory and is lost (--db FILE keeps it)"
			}
			_, err = fmt.Fprintln(out.Stdout, farewell)
			return err
		},
	}
	flags.add(cmd)
	cmd.AddCommand(newUser(out), newAccount(out), newDDI(out), newRealPhone(out))
	return cmd
}

func (f *platformFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.listen, "listen", "127.0.0.1:8090", "address to listen on; port 0 chooses a free port")
	fs.StringVar(&f.urlFile, "url-file", "", "write the address to this file when the platform is ready")
	fs.StringVar(&f.credentialsFile, "credentials-file", "", "write all credentials to this JSON file; valid credentials that it already contains are kept")
	fs.StringVar(&f.certFile, "tls-cert", "", "serve HTTPS with a new certificate, and write the certificate of its authority to this file for clients")
	fs.StringVar(&f.db, "db", "", "SQLite file for all data (default: memory)")
	fs.StringVar(&f.recordings, "recordings", "", "folder for recordings, which are kept for 30 days (default: nothing is recorded)")
	fs.IntVar(&f.recordingsMost, "recordings-most", 1024, "maximum size of the recordings in MiB; the oldest are removed first")
	fs.StringVar(&f.zone, "zone", "", "region of the platform: gateways try trunks of this zone first (default: that of their first trunk)")
	f.sip.add(fs)
	f.thirdParty.add(fs)
	f.sound.Add(fs)
	fs.StringVar(&f.controlToken, "control-token", "", "token for /sim/v1, at least 16 characters: TOKEN, @FILE or env:NAME, such as env:MY_TOKEN (default none on loopback; on other addresses a generated one, which is printed)")
	fs.StringVar(&f.log, "log", "text", "log of requests: text, json or off")
	fs.Float64Var(&f.speed, "speed", 1, "how many times faster than real time calls run, 0.1 to 1000")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of all ids and passwords; they are random with 0, and on addresses that other machines can reach")
	fs.BoolVar(&f.insecure, "insecure", false, "allow the Voice API over plain HTTP on the network, which exposes credentials")
	fs.BoolVar(&f.privateHooks, "allow-private-hooks", false, "allow hooks on this machine, and hooks and the third_party_url of accounts on private networks; metadata addresses of clouds are never allowed")
	fs.BoolVar(&f.fastRetries, "fast-retries", false, "retry events after 50 ms and 200 ms only, for tests")
	fs.Float64Var(&f.callsPerSecond, "calls-per-second", 10, "calls per second that an account may create; bursts may be twice as large")
	fs.IntVar(&f.liveCalls, "live-calls", 50, "simultaneous calls of an account")
	fs.DurationVar(&f.tokenLife, "token-life", access.AccessLife, "lifetime of an access token, 1s to 24h")
	fs.DurationVar(&f.refreshLife, "refresh-life", access.RefreshLife, "lifetime of a refresh token, longer than --token-life")
}

// leastToken is the minimum length of a control token.
const leastToken = 16

// readToken replaces a reference in --control-token by the token that it refers to. Errors never contain the token.
func (f *platformFlags) readToken(out cli.Outside) (err error) {
	if cli.RefersToSecret(f.controlToken) {
		if f.controlToken, err = cli.SecretFrom(out.Getenv)(f.controlToken); err != nil {
			return cli.UsageError("--control-token: %w", err)
		}
	}
	return nil
}

// check returns a usage error for a flag whose value is out of range.
func (f *platformFlags) check() error {
	switch {
	case !(f.speed >= 0.1 && f.speed <= 1000):
		return cli.UsageError("--speed is %g, want 0.1 to 1000", f.speed)
	case !(f.callsPerSecond > 0 && f.callsPerSecond <= 1e6):
		return cli.UsageError("--calls-per-second is %g, want more than 0 and at most 1000000", f.callsPerSecond)
	case f.recordingsMost < 1 || f.recordingsMost > 1<<24:
		return cli.UsageError("--recordings-most is %d, want 1 to %d", f.recordingsMost, 1<<24)
	case f.controlToken != "" && len(f.controlToken) < leastToken:
		return cli.UsageError("--control-token is shorter than %d characters, and others can guess it; leave it out to have one made beyond loopback", leastToken)
	case f.liveCalls < 1 || f.liveCalls > 100_000:
		return cli.UsageError("--live-calls is %d, want 1 to 100000", f.liveCalls)
	case f.sip.address != "" && f.speed != 1:
		return cli.UsageError("--sip wants calls at their own speed, so --speed cannot be %g", f.speed)
	case f.tokenLife < time.Second || f.tokenLife > 24*time.Hour:
		return cli.UsageError("--token-life is %s, want 1s to 24h", f.tokenLife)
	case f.refreshLife < f.tokenLife+time.Second || f.refreshLife > 30*24*time.Hour:
		return cli.UsageError("--refresh-life is %s, want at least a second more than --token-life and at most 720h", f.refreshLife)
	}
	return nil
}

// defaultURL is the default address of a platform.
const defaultURL = "http://127.0.0.1:8090"

// Commands returns the commands.
func Commands(out cli.Outside) []*cobra.Command {
	return []*cobra.Command{newPlatform(out), newCall(out), newChat(out), newVoice(out)}
}

package judging

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// profileFile is where check init writes unless told otherwise.
const profileFile = "check.yaml"

// profileForm is a profile with every setting explained and only the url made.
const profileForm = `# How to judge our dispatch system: cabrank check --profile FILE
# Every key is a flag of 'cabrank check', which wins over this file. Keep secrets out of it:
# write env:NAME or @FILE in their place, and the file can be shared.

url: http://127.0.0.1:8080       # the five operations are paths below it
# allow-host: true               # needed for a host other than this machine
# timeout: 10s                   # most time for one call

# Who calls. Several entries are put on each request together.
# auth: ["bearer:env:TAXI_TOKEN"]
#   basic:USER:env:PASSWORD · header:X-Api-Key:@key.txt · query:key:env:KEY · oauth2:ID:env:SECRET
# token-url: https://login.example/oauth2/token   # for oauth2
# scope: taxi
# cert: client.pem               # for mTLS
# key: client.key
# ca: ca.pem                     # who signed your server's certificate, if nobody else trusts them

# Numbers of users that your system knows and that may book.
# phone: ["442079460001", "442079460002"]

# Where you are: addresses are made up around the centre, or taken from a file.
# centre: 53.7997,-1.5491        # latitude, longitude
# places: places.json            # [{"address":"…","location":{"longitude":-1.5,"latitude":53.8}}, …]
# zone: Europe/London

# What you claim to offer: core, eta, price, vehicle, driver, map, coming-now.
# A tier that is claimed and not shown fails the run.
# claim: [core, eta]

# Aids that make more checks possible ('cabrank check --help' lists which).
# advance-url: http://127.0.0.1:8080/test/advance       # POST {"journeyId","status"}
# clock-url: http://127.0.0.1:8080/test/clock           # POST {"to":"2026-11-24T00:05:00Z"} or {"by":"60s"}
# advance-token: env:MY_TOKEN    # what these two ask for, if they do
# advance-cmd: ["./advance", "{journeyId}", "{status}"] # or a program
# restart-cmd: ["systemctl", "restart", "taxi"]
# fixtures: users.json           # {"disabled":"442079460101","blacklisted":"442079460102","agreed":{"pickup":…,"dropoff":…}}
# disabled-phone: "442079460101" # wins over the fixtures
# blacklisted-phone: "442079460102"

# What is run.
# only: [BOK-16, CAN-*]          # these checks (default all)
# skip: [BAD-*]                  # not these
# own: own.json                  # checks of your own
# seed: 1                        # of the random walk; 0: another each time

# How much is asked of the server.
# rate: 10/s                     # most calls; a 429 slows the run down by itself
# max-bookings: 100              # what needs more is not verified
# max-time: 5m                   # with the cancelling; what weighs least is not verified then
# start: php -S 127.0.0.1:9000 taxi.php  # start the server for the run, and end it afterwards
# start-log: server.log          # what it prints
# wait: 60s                      # for a server that is coming up
# read-only: true                # neither /book nor /cancel; what needs them is not verified
# keep-going: true               # book on when a journey could not be cancelled

# What counts.
# requirements: "1"              # or latest
# fail-on: must                  # or should, robustness
# baseline: known.json           # {"known":[{"id":"BOK-16","owner":"ann","until":"2026-12-31"}]}

# What is printed and written.
# quiet: true                    # show no progress
# verbose: true                  # also print passed checks, and all evidence
# out: run.json                  # everything, for 'cabrank report'
# json: verdicts.json
# html: report.html
# junit: junit.xml
# sarif: findings.sarif
# sarif-file: src/server.js
# markdown: summary.md
# badge: badge.svg
# har: calls.har
# http: calls.http

# A signed result, for 'cabrank verify'.
# result: result.json
# sign: vendor.key               # 'cabrank verify --new-key vendor.key' makes one
# good-for: 2160h
`

// profileURL is the address in the form, for want of another.
const profileURL = "http://127.0.0.1:8080"

func newCheckInit(out cli.Outside) *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "init [URL]",
		Short: "Write a commented profile with all settings of a check",
		Long: `Write a commented profile for 'cabrank check --profile FILE', with the URL if it is given. It contains every
setting of a profile. An existing file is not changed. 'cabrank check platform' has no profile; it uses a
credentials file.`,
		Example: `  cabrank check init http://127.0.0.1:9000/taxi
  cabrank check init --profile staging.yaml`,
		Args: cli.AtMostOne,
		RunE: func(_ *cobra.Command, args []string) error {
			for _, address := range args {
				if err := isAddress(address); err != nil {
					return err
				}
			}
			return writeProfile(path, args, out)
		},
	}
	cmd.Flags().StringVar(&path, "profile", profileFile, "the file to write")
	return cmd
}

// writeProfile writes the form, with an address if one is given, and never over
// another file.
func writeProfile(path string, address []string, out cli.Outside) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return cli.UsageError("check init: %s exists; choose another file with --profile", path)
	}
	if err != nil {
		return cli.UsageError("check init: %w", err)
	}
	form := profileForm
	if len(address) == 1 {
		form = strings.Replace(form, profileURL, address[0], 1)
	}
	_, err = file.WriteString(form)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("check init: %w", err)
	}
	_, err = fmt.Fprintf(out.Stdout, "wrote %s; edit it, then: cabrank check --profile %s\n", path, path)
	return err
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// checkFlags say what to judge and how to tell.
type checkFlags struct {
	clientFlags
	json      string
	allowHost bool
	phones    []string
	disabled  string
	banned    string
	seed      uint64
	self      bool
	quiet     bool
}

func newCheck(out outside) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check URL",
		Short: "Judge a dispatch system: a verdict per requirement, with the evidence",
		Long: `Judge a dispatch system by the published interface. It books, edits, reads and cancels journeys
under made-up names a week ahead, and cancels every one of them at the end, also on Ctrl-C.

Exit codes: 0 every MUST is met, 1 a MUST failed, 2 wrong usage, 3 nothing could be tested,
4 the suite itself failed.`,
		Example: `  cabrank check http://127.0.0.1:8080
  cabrank check https://dispatch.example/taxi --allow-host --auth bearer:env:TOKEN --phone 442079460001
  cabrank check http://127.0.0.1:8080 --json report.json --quiet
  cabrank check --self`,
		Args: func(cmd *cobra.Command, args []string) error {
			if self, _ := cmd.Flags().GetBool("self"); self {
				return exactArgs()(cmd, args)
			}
			return exactArgs("URL")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, out, args) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.auth, "auth", "none", "how to authenticate: none, basic:USER:PASSWORD, bearer:TOKEN, header:NAME:VALUE; @FILE or env:NAME in place of a secret")
	fs.StringVar(&f.cert, "cert", "", "client certificate for mTLS, PEM file")
	fs.StringVar(&f.key, "key", "", "its private key, PEM file")
	fs.DurationVar(&f.timeout, "timeout", 10*time.Second, "most time for one call")
	fs.StringVar(&f.json, "json", "", "write the report to this file as JSON (- for the standard output, in place of the text)")
	fs.BoolVar(&f.allowHost, "allow-host", false, "judge a host other than this machine: journeys are booked there, and cancelled")
	fs.StringSliceVar(&f.phones, "phone", nil, "numbers of known users that may be used (default made-up ones)")
	fs.StringVar(&f.disabled, "disabled-phone", "", "number of a user who is DISABLED there")
	fs.StringVar(&f.banned, "blacklisted-phone", "", "number of a user who is BLACKLISTED there")
	fs.Uint64Var(&f.seed, "seed", 0, "what the made-up names, places and numbers follow from (default: the time)")
	fs.BoolVar(&f.self, "self", false, "judge the reference itself, with its clock as the hook that makes journeys progress")
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "leave out what passed")
	return cmd
}

func (f *checkFlags) run(cmd *cobra.Command, out outside, args []string) error {
	target, err := f.target(out, args)
	if err != nil {
		return err
	}
	if f.self {
		stop, err := judgeSelf(cmd.Context(), &target)
		if err != nil {
			return err
		}
		defer stop()
	}
	text := out.stdout
	if f.json == "-" {
		text = io.Discard
	}
	colour, err := coloured(cmd, out, text)
	if err != nil {
		return err
	}
	report, err := judge(cmd.Context(), target, &conformance.Terminal{W: text, Colour: colour, Quiet: f.quiet})
	if err != nil {
		return err
	}
	if err := f.save(report, out); err != nil {
		return err
	}
	if code := report.ExitCode(); code != exitOK {
		return &exitError{code: code}
	}
	return nil
}

// judge runs the suite and tells about it as it goes.
func judge(ctx context.Context, target conformance.Target, terminal *conformance.Terminal) (*conformance.Report, error) {
	target.Progress = terminal.Check
	report, err := conformance.Run(ctx, target)
	if unreachable, ok := errors.AsType[*conformance.Unreachable](err); ok {
		return nil, &exitError{exitUnreachable, unreachable}
	}
	if errors.Is(err, conformance.ErrHost) {
		return nil, usageError("%w; --allow-host allows it", err)
	}
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	terminal.Summary(report)
	return report, nil
}

func (f *checkFlags) target(out outside, args []string) (conformance.Target, error) {
	t := conformance.Target{
		Now: now, Seed: f.seed, Timeout: f.timeout, AllowHost: f.allowHost,
		Disabled: taxi.E164(f.disabled).Digits(), Blacklisted: taxi.E164(f.banned).Digits(),
	}
	if t.Seed == 0 {
		t.Seed = uint64(now().UnixNano())
	}
	if len(args) == 1 {
		t.URL = args[0]
	}
	for _, p := range f.phones {
		t.Phones = append(t.Phones, taxi.E164(p).Digits())
	}
	var err error
	if t.Auth, err = parseAuth(f.auth, out.getenv); err != nil {
		return t, &exitError{exitUsage, err}
	}
	config, err := f.tls()
	if err != nil {
		return t, &exitError{exitUsage, err}
	}
	if config != nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.TLSClientConfig = config
		own.DisableCompression = true
		t.Transport = own
	}
	return t, nil
}

// save writes the JSON report where --json says.
func (f *checkFlags) save(report *conformance.Report, out outside) error {
	switch f.json {
	case "":
		return nil
	case "-":
		return report.WriteJSON(out.stdout)
	}
	file, err := os.Create(f.json)
	if err != nil {
		return &exitError{exitUsage, fmt.Errorf("--json: %w", err)}
	}
	return errors.Join(report.WriteJSON(file), file.Close())
}

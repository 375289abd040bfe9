package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// hookFlags are what only whoever runs the server can lend to a run.
type hookFlags struct {
	advanceURL string
	advanceCmd []string
	restartCmd []string
	fixtures   string
	disabled   string
	banned     string
}

func (f *hookFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.advanceURL, "advance-url", "", `hook: POST {"journeyId","status"} there; 2xx once the journey has that status`)
	fs.StringArrayVar(&f.advanceCmd, "advance-cmd", nil, "hook: a program, and once more for each argument; {journeyId} and {status} are filled in")
	fs.StringArrayVar(&f.restartCmd, "restart-cmd", nil, "hook: a program, and once more for each argument, that ends when the server is up again")
	fs.StringVar(&f.fixtures, "fixtures", "", `hook: JSON file {"disabled":"NUMBER","blacklisted":"NUMBER"} of users who are`)
	fs.StringVar(&f.disabled, "disabled-phone", "", "number of a user who is DISABLED there; wins over --fixtures")
	fs.StringVar(&f.banned, "blacklisted-phone", "", "number of a user who is BLACKLISTED there; wins over --fixtures")
}

// hookHelp says which ids each hook unlocks.
func hookHelp() string {
	var b strings.Builder
	b.WriteString("Some checks need help from whoever runs the server:\n")
	for _, h := range []struct {
		flags string
		hook  conformance.Hook
	}{
		{"--advance-url, --advance-cmd", conformance.HookAdvance},
		{"--restart-cmd", conformance.HookRestart},
		{"--fixtures, --disabled-phone, --blacklisted-phone", conformance.HookFixtures},
		{"--auth", conformance.HookAuth},
	} {
		fmt.Fprintf(&b, "  %s\n      unlocks %s\n", h.flags, fold(strings.Join(conformance.Unlocks(h.hook), " "), 80, "              "))
	}
	return b.String()
}

// fold breaks a line of words before it gets wider than n.
func fold(words string, n int, indent string) string {
	var b strings.Builder
	width := 0
	for word := range strings.FieldsSeq(words) {
		if width > 0 && width+1+len(word) > n {
			b.WriteString("\n" + indent)
			width = 0
		} else if width > 0 {
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += len(word)
	}
	return b.String()
}

// lend gives the hooks to a target.
func (f *hookFlags) lend(t *conformance.Target) error {
	if err := f.readFixtures(t); err != nil {
		return err
	}
	switch {
	case f.advanceURL != "" && len(f.advanceCmd) > 0:
		return usageError("--advance-url and --advance-cmd: want one of them")
	case f.advanceURL != "":
		t.Advance = advanceByURL(f.advanceURL, &http.Client{Timeout: t.Timeout})
	case len(f.advanceCmd) > 0:
		t.Advance = func(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
			return runHook(ctx, f.advanceCmd, "{journeyId}", string(id), "{status}", string(to))
		}
	}
	if len(f.restartCmd) > 0 {
		t.Restart = func(ctx context.Context) error { return runHook(ctx, f.restartCmd) }
	}
	return nil
}

func (f *hookFlags) readFixtures(t *conformance.Target) error {
	var known struct {
		Disabled    taxi.E164 `json:"disabled"`
		Blacklisted taxi.E164 `json:"blacklisted"`
	}
	if f.fixtures != "" {
		text, err := os.ReadFile(f.fixtures)
		if err != nil {
			return usageError("--fixtures: %w", err)
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&known); err != nil {
			return usageError(`--fixtures %s: want {"disabled":"NUMBER","blacklisted":"NUMBER"}: %w`, f.fixtures, err)
		}
	}
	if f.disabled != "" {
		known.Disabled = taxi.E164(f.disabled)
	}
	if f.banned != "" {
		known.Blacklisted = taxi.E164(f.banned)
	}
	t.Disabled, t.Blacklisted = known.Disabled.Digits(), known.Blacklisted.Digits()
	return nil
}

// advanceByURL asks an address to bring a journey to a status.
func advanceByURL(address string, client *http.Client) func(context.Context, taxi.JourneyID, taxi.Status) error {
	return func(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
		body, err := json.Marshal(map[string]string{"journeyId": string(id), "status": string(to)})
		if err != nil {
			return fmt.Errorf("--advance-url: %w", err)
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			return fmt.Errorf("--advance-url: %w", err)
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			return fmt.Errorf("--advance-url: %w", err)
		}
		defer resp.Body.Close()
		if resp.StatusCode/100 != 2 {
			said, _ := io.ReadAll(io.LimitReader(resp.Body, 200))
			return fmt.Errorf("--advance-url answered %s: %s", resp.Status, bytes.TrimSpace(said))
		}
		return nil
	}
}

// runHook runs a program without a shell, with words of its arguments filled in.
func runHook(ctx context.Context, argv []string, pairs ...string) error {
	fill := strings.NewReplacer(pairs...)
	args := make([]string, len(argv))
	for i, a := range argv {
		args[i] = fill.Replace(a)
	}
	said, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput()
	if err != nil {
		const most = 200
		if said = bytes.TrimSpace(said); len(said) > 0 {
			err = fmt.Errorf("%w: %s", err, said[max(0, len(said)-most):])
		}
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return nil
}

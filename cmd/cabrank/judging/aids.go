package judging

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// aidFlags are the flags for aids: ways to change the state of the server under test that only its operator can
// provide.
type aidFlags struct {
	advanceURL   string
	clockURL     string
	advanceToken string
	advanceCmd   []string
	restartCmd   []string
	fixtures     string
}

func (f *aidFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.advanceURL, "advance-url", "", `aid: URL for POST {"journeyId","status"}; it returns 2xx when the journey has that status`)
	fs.StringVar(&f.clockURL, "clock-url", "", `aid: URL for POST {"to":"2026-11-24T00:05:00Z"} or {"by":"60s"}; it returns 2xx when the server's clock has that time or has advanced;
the clock stays ten days ahead, or a week before a daylight-saving change`)
	fs.StringVar(&f.advanceToken, "advance-token", "", "token for --advance-url and --clock-url, sent as Authorization: Bearer TOKEN; or @FILE or env:NAME, such as env:MY_TOKEN (default CABRANK_TOKEN)")
	fs.StringArrayVar(&f.advanceCmd, "advance-cmd", nil, "aid: a program; repeat the flag for each argument; {journeyId} (letters, digits and . _ : - only) and {status} are replaced")
	fs.StringArrayVar(&f.restartCmd, "restart-cmd", nil, "aid: a program that restarts the server and ends when it is ready; repeat the flag for each argument")
	fs.StringVar(&f.fixtures, "fixtures", "", `aid: JSON file {"disabled":"NUMBER","blacklisted":"NUMBER","agreed":{"pickup":ADDRESS,"dropoff":ADDRESS}}
with users of these statuses, and a trip with a FIXED price`)
}

// aidHelp returns a help text that lists the checks that each aid makes possible.
func aidHelp() string {
	var b strings.Builder
	b.WriteString("Some checks need an aid from the operator of the server:\n")
	for _, a := range dispatchside.Aids() {
		fmt.Fprintf(&b, "  %s\n      needed by %s\n", report.FlagsFor(a), fold(strings.Join(dispatchside.ChecksNeeding(a), " "), 80, "                "))
	}
	return b.String()
}

// fold breaks a text into lines of about n characters; indent begins each line but the first.
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

// apply adds the aids of the flags to a target.
func (f *aidFlags) apply(t *dispatchside.Target, out cli.Outside) error {
	if err := f.readFixtures(t); err != nil {
		return err
	}
	for _, at := range []struct{ flag, address string }{{"--advance-url", f.advanceURL}, {"--clock-url", f.clockURL}} {
		if at.address == "" {
			continue
		}
		if err := cli.CheckAddress(at.flag, at.address); err != nil {
			return err
		}
	}
	var token string
	if f.advanceURL != "" || f.clockURL != "" {
		var err error
		if token, err = f.token(out); err != nil {
			return err
		}
	}
	if f.clockURL != "" {
		t.SetClock, t.MoveClock = ClockByURL(f.clockURL, token, t.Timeout)
	}
	switch {
	case f.advanceURL != "" && len(f.advanceCmd) > 0:
		return cli.UsageError("--advance-url and --advance-cmd: want one of them")
	case f.advanceURL == "" && f.clockURL == "" && f.advanceToken != "":
		return cli.UsageError("--advance-token goes with --advance-url or --clock-url")
	case f.advanceURL != "":
		t.Advance = AdvanceByURL(f.advanceURL, token, t.Timeout)
	case len(f.advanceCmd) > 0:
		t.Advance = func(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
			if !plainID.MatchString(string(id)) {
				return fmt.Errorf("--advance-cmd: the server's journeyId %q is not handed to a program: want up to 128 letters, digits and the signs . _ : -, a letter or digit first", id)
			}
			return runAid(ctx, f.advanceCmd, "{journeyId}", string(id), "{status}", string(to))
		}
	}
	if len(f.restartCmd) > 0 {
		t.Restart = func(ctx context.Context) error { return runAid(ctx, f.restartCmd) }
	}
	return nil
}

func (f *aidFlags) readFixtures(t *dispatchside.Target) error {
	var known struct {
		Disabled    string                    `json:"disabled"`
		Blacklisted string                    `json:"blacklisted"`
		Agreed      *dispatchside.AgreedRoute `json:"agreed"`
	}
	if f.fixtures != "" {
		text, err := cli.ReadText(f.fixtures)
		if err != nil {
			return cli.UsageError("--fixtures: %w", err)
		}
		if err := (inbound.Reading{Known: true}).Decode(text, &known); err != nil {
			return cli.UsageError(`--fixtures %s: want {"disabled":"NUMBER","blacklisted":"NUMBER","agreed":{"pickup":ADDRESS,"dropoff":ADDRESS}}: %w`, f.fixtures, err)
		}
	}
	t.Agreed = known.Agreed
	for _, barred := range []struct {
		member, number string
		to             *taxi.E164
	}{{"disabled", known.Disabled, &t.Disabled}, {"blacklisted", known.Blacklisted, &t.Blacklisted}} {
		if barred.number == "" {
			continue
		}
		var err error
		if *barred.to, err = dialable(fmt.Sprintf("--fixtures %s: %q", f.fixtures, barred.member), barred.number); err != nil {
			return err
		}
	}
	return nil
}

// token returns the bearer token for --advance-url and --clock-url: that of --advance-token, or else of CABRANK_TOKEN,
// which the control commands use too.
func (f *aidFlags) token(out cli.Outside) (string, error) {
	token, from := f.advanceToken, "--advance-token"
	if token == "" {
		token, from = out.Getenv("CABRANK_TOKEN"), "CABRANK_TOKEN"
	}
	if !cli.RefersToSecret(token) {
		return token, nil
	}
	token, err := cli.SecretFrom(out.Getenv)(token)
	if err != nil {
		return "", cli.UsageError("%s: %w", from, err)
	}
	return token, nil
}

// AdvanceByURL returns a function that asks address to bring a journey to a status, as
// for --advance-url. The token is sent unless it is empty; within is the timeout of each
// request.
func AdvanceByURL(address, token string, within time.Duration) func(context.Context, taxi.JourneyID, taxi.Status) error {
	post := postTo("--advance-url", address, token, within)
	return func(ctx context.Context, id taxi.JourneyID, to taxi.Status) error {
		return post(ctx, map[string]string{"journeyId": string(id), "status": string(to)})
	}
}

// ClockByURL returns functions that ask address to set the server's clock or to advance
// it, as for --clock-url.
func ClockByURL(address, token string, within time.Duration) (set func(context.Context, time.Time) error, move func(context.Context, time.Duration) error) {
	post := postTo("--clock-url", address, token, within)
	set = func(ctx context.Context, to time.Time) error {
		return post(ctx, map[string]string{"to": to.UTC().Format(time.RFC3339)})
	}
	move = func(ctx context.Context, by time.Duration) error {
		return post(ctx, map[string]string{"by": fmt.Sprintf("%.0fs", by.Seconds())})
	}
	return set, move
}

// postTo returns a function that posts a body to the address of a flag. Its error
// contains the response, unless that is 2xx.
func postTo(flag, address, token string, within time.Duration) func(context.Context, any) error {
	const most = 200
	client := outbound.New(outbound.Options{Timeout: within})
	return func(ctx context.Context, what any) error {
		body, err := json.Marshal(what)
		if err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
		req.Header.Set("Content-Type", "application/json")
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		resp, err := client.Do(req)
		if err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
		defer resp.Body.Close()
		if resp.StatusCode/100 != 2 {
			body, _ := io.ReadAll(io.LimitReader(resp.Body, most))
			return fmt.Errorf("%s answered %s: %s", flag, resp.Status, cli.Printable(string(bytes.TrimSpace(body))))
		}
		return nil
	}
}

// plainID matches ids that are passed to a program. They come from the server under test:
// an id could be taken for a flag, or be run by a shell in the operator's command.
var plainID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$`)

// runAid runs a program without a shell. pairs are placeholders in its arguments, each followed by its value.
func runAid(ctx context.Context, argv []string, pairs ...string) error {
	fill := strings.NewReplacer(pairs...)
	args := make([]string, len(argv))
	for i, a := range argv {
		args[i] = fill.Replace(a)
	}
	dir, err := os.MkdirTemp("", "cabrank-aid")
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	defer os.RemoveAll(dir)
	if last, err := runIn(ctx, dir, args); err != nil {
		if last != "" {
			err = fmt.Errorf("%w: %s", err, last)
		}
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return nil
}

// aidWithin is how long the program of an aid may run, if the run's own time limit is not reached before.
const aidWithin = 2 * time.Minute

// runIn runs a program that writes its output to files in a folder, and returns the last
// line of it. With a pipe, it would have to wait for every process that the program
// leaves running.
func runIn(ctx context.Context, dir string, args []string) (last string, err error) {
	stdout, err := os.Create(filepath.Join(dir, "stdout"))
	if err != nil {
		return "", err
	}
	defer stdout.Close()
	stderr, err := os.Create(filepath.Join(dir, "stderr"))
	if err != nil {
		return "", err
	}
	defer stderr.Close()
	ctx, cancel := context.WithTimeout(ctx, aidWithin)
	defer cancel()
	program := exec.Command(args[0], args[1:]...) //nolint:gosec // the operator's command
	ownGroup(program)
	program.Stdout, program.Stderr = stdout, stderr
	if err := program.Start(); err != nil {
		return "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- program.Wait() }() // ends with the program, which is killed at the latest
	select {
	case err = <-ended:
	case <-ctx.Done():
		endGroup(program, true)
		<-ended
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "", errors.New("it did not end in the time that it had, and was killed with all that it started")
		}
		return "", ctx.Err()
	}
	if err == nil {
		return "", nil
	}
	return cmp.Or(lastLine(stderr.Name()), lastLine(stdout.Name())), err
}

// lastLine returns the last line of a file that is not empty. It reads only the end of
// the file, since a program may print any amount.
func lastLine(path string) string {
	const most = 200
	text, err := lastBytes(path)
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	line := cli.Printable(strings.TrimSpace(lines[len(lines)-1]))
	return line[:min(len(line), most)]
}

// lastBytes returns the last 64 KiB of a file.
func lastBytes(path string) ([]byte, error) {
	const most = 64 << 10
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	about, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.NewSectionReader(file, max(0, about.Size()-most), most))
}

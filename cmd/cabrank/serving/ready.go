package serving

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/dispatch/outbound"
)

// readyFlags are the flags of 'cabrank ready': where the server is, and how long it may take.
type readyFlags struct {
	url           string
	timeout, wait time.Duration
}

func newReady(out cli.Outside) *cobra.Command {
	var f readyFlags
	cmd := &cobra.Command{
		Use:   "ready [URL]",
		Short: "Check whether a dispatch system is ready, for health checks",
		Long: `Check whether a running cabrank is ready. For any other dispatch system, call /config and print the result.

Without an address, use the first of these variables that is set, as in a container:
` + strings.Join(listenSettings, ", ") + `.

Exit codes: 0 ready, 1 not ready, 2 wrong usage, 3 no response.`,
		Example: "  cabrank ready && echo go ahead\n  cabrank ready http://127.0.0.1:9000/taxi --wait 60s\n  CABRANK_SERVE_LISTEN=0.0.0.0:9000 cabrank ready",
		Args:    cli.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			bases := []string{f.url}
			switch {
			case len(args) == 1:
				bases = args
			case !cmd.Flags().Changed("url"):
				bases = servedHere(out, f.url)
			}
			return f.run(cmd.Context(), out, bases)
		},
	}
	cmd.Flags().StringVar(&f.url, "url", calling.DefaultURL, "base address of the dispatch system, if no argument gives it")
	cli.Share(cmd.Flags(), "url")
	cmd.Flags().DurationVar(&f.timeout, "timeout", 3*time.Second, "timeout for a response")
	cmd.Flags().DurationVar(&f.wait, "wait", 0, "how long to wait for a server that is starting")
	return cmd
}

// listenSettings are the variables with the addresses that this machine's servers listen
// on.
var listenSettings = []string{"CABRANK_SERVE_LISTEN", "CABRANK_DEMO_LISTEN", "CABRANK_PLATFORM_LISTEN"}

// servedHere returns the addresses of this machine's servers from the environment, or usual if there are none. A
// variable with port 0 does not tell the address and is left out.
func servedHere(out cli.Outside, usual string) []string {
	var bases []string
	for _, name := range listenSettings {
		host, port, err := net.SplitHostPort(out.Getenv(name))
		if err != nil || port == "0" {
			continue
		}
		if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
			host = "127.0.0.1"
		}
		if base := "http://" + net.JoinHostPort(host, port); !slices.Contains(bases, base) {
			bases = append(bases, base)
		}
	}
	if len(bases) == 0 {
		return []string{usual}
	}
	return bases
}

// run asks until a server is ready or the time is over.
func (f *readyFlags) run(ctx context.Context, out cli.Outside, bases []string) error {
	const again = time.Second / 2
	began := cli.Now()
	for {
		said, err := f.askAny(ctx, bases)
		if err == nil {
			_, err = fmt.Fprintln(out.Stdout, said)
			return err
		}
		if cli.Now().Sub(began)+again >= f.wait || !client.Pause(ctx, again) {
			return err
		}
	}
}

// askAny asks the servers in turn, and returns the text of the first that is ready. If
// all fail, it prefers the error of one that responded.
func (f *readyFlags) askAny(ctx context.Context, bases []string) (said string, failed error) {
	for _, base := range bases {
		said, err := f.ask(ctx, strings.TrimRight(base, "/"))
		if err == nil {
			return said, nil
		}
		exit, ok := errors.AsType[*cli.ExitError](err)
		if failed == nil || ok && exit.Code != cli.ExitUnreachable {
			failed = err
		}
	}
	return "", failed
}

// ask asks a server once, and returns its text if it is ready.
func (f *readyFlags) ask(ctx context.Context, base string) (string, error) {
	if err := cli.CheckAddress("the argument", base); err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/readyz", nil)
	if err != nil {
		return "", cli.UsageError("address %q: %w", base, err)
	}
	resp, err := outbound.New(outbound.Options{Timeout: f.timeout}).Do(req)
	if err != nil {
		return "", cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s: %w; 'cabrank serve' starts a server", f.notReady(), err))
	}
	defer resp.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10)) // an unreadable body is left out
	switch {
	case resp.StatusCode == http.StatusOK && !webPage(resp.Header.Get("Content-Type"), string(said)):
		return "ready", nil
	case resp.StatusCode < http.StatusInternalServerError:
		return f.askStranger(ctx, base)
	}
	why := fmt.Sprintf("%s: %s %s", f.notReady(), resp.Status, shortly(resp.Header.Get("Content-Type"), string(said)))
	return "", cli.Exit(cli.ExitFindings, errors.New(strings.TrimSpace(why)))
}

// shortly shortens the text of a server for an error message; of a web page it says only that it is one.
func shortly(mediaType, text string) string {
	const most = 120 // characters
	if webPage(mediaType, text) {
		return "(a web page)"
	}
	var problem struct{ Title, Detail string }
	if json.Unmarshal([]byte(text), &problem) == nil && problem.Title+problem.Detail != "" {
		text = cmp.Or(problem.Detail, problem.Title)
	}
	words := []rune(cli.Line(text))
	if len(words) > most {
		return string(words[:most]) + "…"
	}
	return string(words)
}

func webPage(mediaType, text string) bool {
	return strings.Contains(mediaType, "html") || strings.HasPrefix(strings.TrimSpace(text), "<")
}

// notReady returns the beginning of an error text.
func (f *readyFlags) notReady() string {
	if f.wait > 0 {
		return "not ready within " + f.wait.String()
	}
	return "not ready"
}

// askStranger calls /config of a dispatch system other than cabrank, which may have no
// health check.
func (f *readyFlags) askStranger(ctx context.Context, base string) (string, error) {
	steps, err := dispatchside.Reach(ctx, dispatchside.Target{URL: base, Now: cli.Now, Timeout: f.timeout, AllowHost: true})
	if err != nil {
		return "", cli.Exit(cli.ExitFindings, fmt.Errorf("%s: %w", f.notReady(), err))
	}
	return "ready: /config is answered with " + steps[len(steps)-1].Detail, nil
}

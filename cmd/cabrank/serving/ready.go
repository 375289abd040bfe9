package serving

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/conformance/thirdparty"
)

// readyFlags say how long a server may take.
type readyFlags struct {
	url           string
	timeout, wait time.Duration
}

func newReady(out cli.Outside) *cobra.Command {
	var f readyFlags
	cmd := &cobra.Command{
		Use:   "ready [URL]",
		Short: "Ask a running dispatch system whether it is ready, for health checks",
		Long: `Ask a running cabrank whether it is ready. Any other dispatch system is asked for its /config, and
what it answers is told.

Exit codes: 0 ready, 1 not ready, 2 wrong usage, 3 nobody answers.`,
		Example: "  cabrank ready && echo go ahead\n  cabrank ready http://127.0.0.1:9000/taxi --wait 60s",
		Args:    cli.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			base := f.url
			if len(args) == 1 {
				base = args[0]
			}
			return f.run(cmd.Context(), out, strings.TrimRight(base, "/"))
		},
	}
	cmd.Flags().StringVar(&f.url, "url", calling.DefaultURL, "the dispatch system's base address, when no argument names it")
	cli.Share(cmd.Flags(), "url")
	cmd.Flags().DurationVar(&f.timeout, "timeout", 3*time.Second, "most time to wait for an answer")
	cmd.Flags().DurationVar(&f.wait, "wait", 0, "how long to wait for a server that is coming up")
	return cmd
}

// run asks until the server is ready or the time is over.
func (f *readyFlags) run(ctx context.Context, out cli.Outside, base string) error {
	const again = time.Second / 2
	began := cli.Now()
	for {
		said, err := f.ask(ctx, base)
		if err == nil {
			_, err = fmt.Fprintln(out.Stdout, said)
			return err
		}
		if cli.Now().Sub(began)+again >= f.wait || !client.Pause(ctx, again) {
			return err
		}
	}
}

// ask asks once, and returns what a server that is ready says.
func (f *readyFlags) ask(ctx context.Context, base string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/readyz", nil)
	if err != nil {
		return "", cli.UsageError("address %q: %w", base, err)
	}
	resp, err := (&http.Client{Timeout: f.timeout}).Do(req)
	if err != nil {
		return "", cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s: %w; 'cabrank serve' starts a server", f.notReady(), err))
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusOK:
		return "ready", nil
	case resp.StatusCode/100 == 4:
		return f.askStranger(ctx, base)
	}
	why, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	return "", cli.Exit(cli.ExitFindings, fmt.Errorf("%s: %s %s", f.notReady(), resp.Status, cli.Printable(strings.Join(strings.Fields(string(why)), " "))))
}

// notReady is what a failure begins with.
func (f *readyFlags) notReady() string {
	if f.wait > 0 {
		return "not ready within " + f.wait.String()
	}
	return "not ready"
}

// askStranger asks a dispatch system of somebody else, which has no health check of
// ours.
func (f *readyFlags) askStranger(ctx context.Context, base string) (string, error) {
	steps, err := thirdparty.Reach(ctx, thirdparty.Target{URL: base, Now: cli.Now, Timeout: f.timeout, AllowHost: true})
	if err != nil {
		return "", cli.Exit(cli.ExitFindings, fmt.Errorf("%s: %w", f.notReady(), err))
	}
	return "ready: /config is answered with " + steps[len(steps)-1].Detail, nil
}

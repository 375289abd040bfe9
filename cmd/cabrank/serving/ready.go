package serving

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

func newReady(out cli.Outside) *cobra.Command {
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:     "ready [URL]",
		Short:   "Ask a running cabrank whether it is ready, for health checks",
		Example: "  cabrank ready && echo go ahead\n  cabrank ready http://127.0.0.1:9090",
		Args:    cli.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			base := calling.DefaultURL
			if len(args) == 1 {
				base = strings.TrimRight(args[0], "/")
			}
			req, err := http.NewRequestWithContext(cmd.Context(), http.MethodGet, base+"/readyz", nil)
			if err != nil {
				return cli.UsageError("address %q: %w", base, err)
			}
			resp, err := (&http.Client{Timeout: timeout}).Do(req)
			if err != nil {
				return cli.Exit(cli.ExitUnreachable, fmt.Errorf("not ready: %w; 'cabrank serve' starts a server", err))
			}
			defer resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				why, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
				return cli.Exit(cli.ExitFindings, fmt.Errorf("not ready: %s %s", resp.Status, why))
			}
			_, err = fmt.Fprintln(out.Stdout, "ready")
			return err
		},
	}
	cmd.Flags().DurationVar(&timeout, "timeout", 3*time.Second, "most time to wait for the answer")
	return cmd
}

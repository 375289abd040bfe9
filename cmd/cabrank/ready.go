package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func newReady(out outside) *cobra.Command {
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:     "ready [URL]",
		Short:   "Ask a running cabrank whether it is ready, for health checks",
		Example: "  cabrank ready && echo go ahead\n  cabrank ready http://127.0.0.1:9090",
		Args:    atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			base := defaultURL
			if len(args) == 1 {
				base = strings.TrimRight(args[0], "/")
			}
			req, err := http.NewRequestWithContext(cmd.Context(), http.MethodGet, base+"/readyz", nil)
			if err != nil {
				return usageError("address %q: %w", base, err)
			}
			resp, err := (&http.Client{Timeout: timeout}).Do(req)
			if err != nil {
				return &exitError{exitUnreachable, fmt.Errorf("not ready: %w; 'cabrank serve' starts a server", err)}
			}
			defer resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				why, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
				return &exitError{exitFindings, fmt.Errorf("not ready: %s %s", resp.Status, why)}
			}
			_, err = fmt.Fprintln(out.stdout, "ready")
			return err
		},
	}
	cmd.Flags().DurationVar(&timeout, "timeout", 3*time.Second, "most time to wait for the answer")
	return cmd
}

package serving

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// TestWhenADemoOpensABrowser expects a browser where there is a display, unless --no-open is
// given.
func TestWhenADemoOpensABrowser(t *testing.T) {
	for name, row := range map[string]struct {
		flags, env []string
		system     string
		elsewhere  bool // the output is no terminal
		want       []string
	}{
		"X":               {env: []string{"DISPLAY=:0"}, system: "linux", want: []string{"xdg-open"}},
		"Wayland":         {env: []string{"WAYLAND_DISPLAY=wayland-0"}, system: "freebsd", want: []string{"xdg-open"}},
		"no display":      {system: "linux"},
		"macOS":           {system: "darwin", want: []string{"open"}},
		"Windows":         {system: "windows", want: []string{"rundll32", "url.dll,FileProtocolHandler"}},
		"told not to":     {system: "darwin", flags: []string{"--no-open"}},
		"headless":        {system: "darwin", flags: []string{"--headless"}},
		"CI":              {system: "darwin", env: []string{"CI=true"}},
		"into a file":     {system: "darwin", elsewhere: true},
		"opens otherwise": {system: "darwin", flags: []string{"--speed", "5"}, want: []string{"open"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := &demonstration{out: cli.Outside{Environ: row.env}}
			require.NoError(t, d.command().ParseFlags(row.flags))
			require.Equal(t, row.want, d.opens(row.system, !row.elsewhere))
		})
	}
}

// TestABrowserThatCannotBeOpened is no failure. A browser that can be opened is given the
// address.
func TestABrowserThatCannotBeOpened(t *testing.T) {
	openBrowser(t.Context(), nil, "http://127.0.0.1/")
	openBrowser(t.Context(), []string{filepath.Join(t.TempDir(), "none")}, "http://127.0.0.1/")

	opener, seen := filepath.Join(t.TempDir(), "opener"), filepath.Join(t.TempDir(), "seen")
	require.NoError(t, os.WriteFile(opener, []byte("#!/bin/sh\nprintf %s \"$2\" > \"$1\"\n"), 0o700)) //nolint:gosec // it is a program
	ctx, cancel := context.WithCancel(t.Context())
	openBrowser(ctx, []string{opener, seen}, "http://127.0.0.1/console/")
	cancel() // the demo ends; the browser stays
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(seen)
		return err == nil && string(text) == "http://127.0.0.1/console/"
	}, time.Minute, 5*time.Millisecond, "the program is not started")
}

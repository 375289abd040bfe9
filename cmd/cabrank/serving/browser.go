package serving

import (
	"context"
	"os/exec"
)

// browserCommand returns the command that opens an address in a browser, without the
// address. It is nil if there is no display, or if the output is not a terminal.
func browserCommand(system string, terminal bool, getenv func(string) string) []string {
	if !terminal || getenv("CI") != "" {
		return nil
	}
	switch system {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
		return nil
	}
	return []string{"xdg-open"}
}

// openBrowser starts such a command and does not wait for it. An error is ignored: the
// address has been printed.
func openBrowser(ctx context.Context, command []string, address string) {
	if len(command) == 0 {
		return
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), command[0], append(command[1:len(command):len(command)], address)...)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }() // the result does not matter here
	}
}

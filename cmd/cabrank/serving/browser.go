package serving

import (
	"context"
	"os/exec"
)

// browserCommand is what shows an address in a browser, without the address; nil where
// there is no display, or nobody in front of it: in a pipeline, or with the output elsewhere.
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

// openBrowser runs such a command. It goes on by itself, and that it cannot be run is no
// failure: the address has been printed.
func openBrowser(ctx context.Context, command []string, address string) {
	if len(command) == 0 {
		return
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), command[0], append(command[1:len(command):len(command)], address)...)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }() // what became of it is the browser's affair
	}
}

package speech

import (
	"os/exec"
	"strconv"
)

// alone has a program killed with whatever it has started.
func alone(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() != nil {
			return cmd.Process.Kill()
		}
		return nil
	}
}

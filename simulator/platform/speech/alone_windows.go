package speech

import (
	"os/exec"
	"strconv"
)

// alone makes cancelling kill the program and the processes that it has started.
func alone(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() != nil {
			return cmd.Process.Kill()
		}
		return nil
	}
}

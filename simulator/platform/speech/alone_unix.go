//go:build unix

package speech

import (
	"os/exec"
	"syscall"
)

// alone runs a program in a group of its own, which is killed as a whole.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

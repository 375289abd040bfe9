//go:build unix

package judging

import (
	"os/exec"
	"syscall"
)

// shell returns a program that a shell runs in a process group of its own: Ctrl-C at the terminal
// does not reach it before the run has cancelled what it booked.
func shell(command string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// endGroup asks all processes of a program that has not ended to end, or with force ends them.
func endGroup(cmd *exec.Cmd, force bool) {
	signal := syscall.SIGTERM
	if force {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-cmd.Process.Pid, signal) // those that are gone need nothing
}

// endOrphans ends what a program left running when it ended. It is called at once: the number of a
// group that is empty is given to others some time.
func endOrphans(cmd *exec.Cmd) { endGroup(cmd, true) }

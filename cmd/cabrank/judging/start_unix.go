//go:build unix

package judging

import (
	"os/exec"
	"syscall"
)

// shell returns a shell command in a process group of its own, so that Ctrl-C at the
// terminal does not end it before the run has cancelled its journeys.
func shell(command string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", command)
	ownGroup(cmd)
	return cmd
}

// ownGroup puts a command into a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup asks all processes of a running program to end, or with force kills them.
func endGroup(cmd *exec.Cmd, force bool) {
	signal := syscall.SIGTERM
	if force {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-cmd.Process.Pid, signal) // processes that have ended are ignored
}

// endOrphans kills the processes that a program left running. It must be called at once,
// since the id of an empty process group can be reused.
func endOrphans(cmd *exec.Cmd) { endGroup(cmd, true) }

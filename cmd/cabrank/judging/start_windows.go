package judging

import (
	"os/exec"
	"strconv"
	"syscall"
)

// shell returns a command of the system's command interpreter in a process group of its
// own, so that Ctrl-C does not end it before the run has cancelled its journeys. The
// command is passed unchanged; /S makes cmd remove only the outer quotes.
func shell(command string) *exec.Cmd {
	cmd := exec.Command("cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CmdLine:       `cmd /S /C "` + command + `"`,
		CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP,
	}
	return cmd
}

// ownGroup puts a command into a process group of its own.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// endGroup ends a running program and its child processes. Programs without a window
// cannot be asked to end.
func endGroup(cmd *exec.Cmd, _ bool) {
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() != nil {
		_ = cmd.Process.Kill() // a process that has ended is ignored
	}
}

// endOrphans does nothing: the processes that a program left running cannot be
// identified.
func endOrphans(*exec.Cmd) {}

package judging

import (
	"os/exec"
	"strconv"
	"syscall"
)

// shell returns a program that the system's command interpreter runs in a process group of its own:
// Ctrl-C does not reach it before the run has cancelled what it booked. The command is handed over
// as it is written; /S has cmd take off the outer quotes alone.
func shell(command string) *exec.Cmd {
	cmd := exec.Command("cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CmdLine:       `cmd /S /C "` + command + `"`,
		CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP,
	}
	return cmd
}

// endGroup ends a program that has not ended and all that it started. Programs without a window
// cannot be asked to end.
func endGroup(cmd *exec.Cmd, _ bool) {
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() != nil {
		_ = cmd.Process.Kill() // one that is gone needs nothing
	}
}

// endOrphans does nothing: what a program left running when it ended cannot be told from others.
func endOrphans(*exec.Cmd) {}

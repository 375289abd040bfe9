//go:build !unix

package judging

import "os/exec"

// shell returns a program that the system's command interpreter runs.
func shell(command string) *exec.Cmd { return exec.Command("cmd", "/C", command) }

// endGroup ends a program.
func endGroup(cmd *exec.Cmd, _ bool) {
	_ = cmd.Process.Kill() // one that is gone needs nothing
}

//go:build unix

package postgrestest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	osuser "os/user"
	"strconv"
	"syscall"
)

// user is the system user that runs the programs of a server; nil: the user of the tests.
type user struct{ *syscall.Credential }

// unprivileged returns another user if this one is root, as which PostgreSQL refuses to run.
func unprivileged() (user, error) {
	if os.Getuid() != 0 {
		return user{}, nil
	}
	found, err := osuser.Lookup("postgres")
	if err != nil {
		found, err = osuser.Lookup("nobody")
	}
	if err != nil {
		return user{}, fmt.Errorf("PostgreSQL does not run as root, and there is no other user: %w", err)
	}
	uid, err := strconv.ParseUint(found.Uid, 10, 32)
	gid, gidErr := strconv.ParseUint(found.Gid, 10, 32)
	return user{&syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, errors.Join(err, gidErr)
}

// own gives a folder to the user.
func (u user) own(folder string) error {
	if u.Credential == nil {
		return nil
	}
	return os.Chown(folder, int(u.Uid), int(u.Gid))
}

// runs makes a program run as the user, in a process group of its own: an interrupt from the
// keyboard ends the tests first.
func (u user) runs(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: u.Credential, Setpgid: true}
}

// kill ends a process with SIGKILL.
func kill(pid int) error {
	err := syscall.Kill(pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

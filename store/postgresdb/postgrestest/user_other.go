//go:build !unix

package postgrestest

import (
	"errors"
	"os/exec"
)

// user is the system user that runs the programs of a server.
type user struct{}

func unprivileged() (user, error) {
	return user{}, errors.New("servers for tests need a Unix system")
}

func (user) own(string) error { return nil }

func (user) runs(*exec.Cmd) {}

func kill(int) error { return errors.ErrUnsupported }

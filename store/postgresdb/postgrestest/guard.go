package postgrestest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
)

// guard is a process that stops a server and removes its folder when the process of the tests
// has ended, or before: it reads a pipe until that is closed.
type guard struct {
	shell *exec.Cmd
	pipe  *os.File
}

const guardScript = `cat >/dev/null; "$0" stop --mode=immediate --timeout=60 --pgdata="$1/data" >/dev/null 2>&1; rm -rf "$1"`

func newGuard(c *Cluster) (*guard, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	shell := exec.Command("sh", "-c", guardScript, filepath.Join(programs(), "pg_ctl"), c.folder)
	shell.Stdin = read
	c.as.runs(shell)
	if err := errors.Join(shell.Start(), read.Close()); err != nil {
		return nil, errors.Join(err, write.Close())
	}
	return &guard{shell: shell, pipe: write}, nil
}

// end stops the server, removes its folder and waits for both.
func (g *guard) end() error { return errors.Join(g.pipe.Close(), g.shell.Wait()) }

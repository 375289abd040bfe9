package store_test

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// line is a way to a PostgreSQL server that can lose an answer: the server has done what it was
// asked to, and the connection ends.
type line struct {
	folder string // of its socket
	server string // the server's socket
	ended  sync.WaitGroup

	mu     sync.Mutex
	armed  bool // the next answer is lost
	wasCut bool
	open   []net.Conn
}

func newLine(t *testing.T, server string) *line {
	t.Helper()
	folder, err := os.MkdirTemp("", "line") //nolint:usetesting // t.TempDir is too long for the name of a socket
	require.NoError(t, err)
	l := &line{folder: folder, server: server}
	listener, err := net.Listen("unix", filepath.Join(folder, ".s.PGSQL.5432"))
	require.NoError(t, err)
	l.ended.Go(func() { l.accept(listener) })
	t.Cleanup(func() {
		require.NoError(t, listener.Close())
		l.cut()
		l.ended.Wait()
		require.NoError(t, os.RemoveAll(folder))
	})
	return l
}

func (l *line) accept(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", l.server)
		if err != nil {
			_ = client.Close()
			continue
		}
		l.mu.Lock()
		l.open = append(l.open, client, server)
		l.mu.Unlock()
		l.ended.Go(func() { _, _ = io.Copy(server, client); _ = server.Close() })
		l.ended.Go(func() { l.answer(client, server); _ = client.Close() })
	}
}

// answer passes the server's answers on. A lost one ends the connection.
func (l *line) answer(client, server net.Conn) {
	part := make([]byte, 1<<16)
	for {
		n, err := server.Read(part)
		if err != nil || l.losing() {
			return
		}
		if _, err := client.Write(part[:n]); err != nil {
			return
		}
	}
}

// losing reports whether an answer is to be lost, once.
func (l *line) losing() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.armed {
		return false
	}
	l.armed, l.wasCut = false, true
	return true
}

// loseAnswer loses the next answer.
func (l *line) loseAnswer() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.armed, l.wasCut = true, false
}

func (l *line) lost() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.wasCut
}

// cut ends all connections.
func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.open {
		_ = c.Close()
	}
}

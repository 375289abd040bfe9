package cli

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace writes a file atomically, so that nobody reads a half-written file. On failure,
// as on a full disk, it leaves no new file. The written file survives a loss of power.
// flag is the flag that named the file; the error, a usage error, contains it.
func Replace(flag, path string, text []byte, mode fs.FileMode) error {
	draft, err := draftOf(path, mode)
	if err != nil {
		return UsageError("%s: %w", flag, err)
	}
	_, err = draft.Write(text)
	if err == nil {
		err = draft.Sync()
	}
	err = errors.Join(err, draft.Close())
	if err == nil {
		err = Rename(draft.Name(), path)
	}
	if err != nil {
		_ = os.Remove(draft.Name()) // the file may be gone already
		return UsageError("%s: %w", flag, err)
	}
	return nil
}

// draftOf creates a new temporary file beside path. Its name is random, because a file or
// link of another user may exist under a fixed name.
func draftOf(path string, mode fs.FileMode) (*os.File, error) {
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()+".tmp")
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// Rename renames a file in its folder; the new name survives a loss of power.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(to))
	if err != nil {
		return nil // the file is renamed; a folder that cannot be read cannot be synced
	}
	defer folder.Close()
	_ = folder.Sync() // not every system can sync a folder
	return nil
}

// FolderOf returns an error if the folder of path does not exist; the error shows how to
// create it. flag is the flag that named the path; an empty path is always accepted.
func FolderOf(flag, path string) error {
	folder := filepath.Dir(path)
	if _, err := os.Stat(folder); path == "" || !errors.Is(err, fs.ErrNotExist) {
		return nil // opening the file reports any other fault
	}
	return UsageError("%s %s: there is no folder %s: create it first (mkdir -p %s)", flag, path, folder, folder)
}

// Announceable returns an error if the file of --url-file could not be written. A server
// calls it before it starts, since scripts could not find a server without that file. An
// empty path is always accepted.
func Announceable(path string) error { return AnnounceableAs(urlFile, path) }

// AnnounceableAs is [Announceable] for a flag of another name.
func AnnounceableAs(flag, path string) error {
	if path == "" {
		return nil
	}
	if err := FolderOf(flag, path); err != nil {
		return err
	}
	file, err := draftOf(path, 0o644)
	if err != nil {
		return UsageError("%s: %w", flag, err)
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// urlFile is the flag for the file to which most servers write their address.
const urlFile = "--url-file"

// Announce writes a server's address to the file of --url-file, for scripts. With an
// empty path it does nothing.
func Announce(path, url string) error { return AnnounceAs(urlFile, path, url) }

// AnnounceAs is [Announce] for a flag of another name.
func AnnounceAs(flag, path, url string) error {
	if path == "" {
		return nil
	}
	return Replace(flag, path, []byte(url+"\n"), 0o644)
}

// Withdraw removes the file of --url-file that this server or an earlier one wrote, so that no script calls a server
// that has stopped. A missing file is no error.
func Withdraw(path string) error { return WithdrawAs(urlFile, path) }

// WithdrawAs is [Withdraw] for a flag of another name.
func WithdrawAs(flag, path string) error {
	if path == "" {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return UsageError("%s: %w", flag, err)
	}
	return nil
}

// mark is the byte-order mark with which some editors and shells begin a file.
const mark = "\ufeff"

// ReadText reads a file of the user, without a byte-order mark at its start.
func ReadText(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	return bytes.TrimPrefix(text, []byte(mark)), err
}

// OpenText is [ReadText] for a long file: it returns a reader.
func OpenText(path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReader(file)
	if start, _ := in.Peek(len(mark)); string(start) == mark { // an error of reading comes again
		_, _ = in.Discard(len(mark))
	}
	return struct {
		io.Reader
		io.Closer
	}{in, file}, nil
}

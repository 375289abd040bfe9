package cli

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace writes a file whole, so that nobody sees half of it, and leaves none where it
// fails, as on a full disk; what is written survives a loss of power. flag is what named the
// file, for the error, which is one of usage.
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
		_ = os.Remove(draft.Name()) // it may not be there
		return UsageError("%s: %w", flag, err)
	}
	return nil
}

// draftOf makes a file beside a path that nobody else has made: a fixed name might be a link
// to somebody's file, or a file of theirs.
func draftOf(path string, mode fs.FileMode) (*os.File, error) {
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()+".tmp")
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// Rename gives a file another name in the same folder, which survives a loss of power.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(to))
	if err != nil {
		return nil // it is renamed; a folder that cannot be read cannot be synced
	}
	defer folder.Close()
	_ = folder.Sync() // not every system can
	return nil
}

// FolderOf refuses a path in a folder that is not there, and says how to make it. flag is
// what named the path; an empty path is none.
func FolderOf(flag, path string) error {
	folder := filepath.Dir(path)
	if _, err := os.Stat(folder); path == "" || !errors.Is(err, fs.ErrNotExist) {
		return nil // whoever opens the file finds out the rest
	}
	return UsageError("%s %s: there is no folder %s: create it first (mkdir -p %s)", flag, path, folder, folder)
}

// Announceable refuses a file of --url-file that could not be written, before a server
// begins that nobody would find. An empty path is none.
func Announceable(path string) error { return AnnounceableAs(urlFile, path) }

// AnnounceableAs is Announceable for another flag.
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

// urlFile is the flag that most servers announce their address by.
const urlFile = "--url-file"

// Announce writes a server's address to the file of --url-file, for scripts. An
// empty path is none.
func Announce(path, url string) error { return AnnounceAs(urlFile, path, url) }

// AnnounceAs is Announce for another flag.
func AnnounceAs(flag, path, url string) error {
	if path == "" {
		return nil
	}
	return Replace(flag, path, []byte(url+"\n"), 0o644)
}

// Withdraw removes the address that an earlier server, or this one, announced:
// scripts must not call a server that is gone.
func Withdraw(path string) error { return WithdrawAs(urlFile, path) }

// WithdrawAs is Withdraw for another flag.
func WithdrawAs(flag, path string) error {
	if path == "" {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return UsageError("%s: %w", flag, err)
	}
	return nil
}

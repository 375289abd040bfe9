package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Place is where the records of one world are stored: a [File], or a part of a shared
// database.
type Place interface {
	// String names the place in messages, without secrets.
	String() string

	// Open opens the records, new ones if there are none.
	Open(ctx context.Context, o Options) (*Store, error)

	// Remove removes the records, which must not be open. It is no error if there are none.
	Remove(ctx context.Context) error

	// Fetch prepares to replace the records of this place with a copy of those of another
	// place of the same kind, while these are still open. put replaces them, once they are
	// closed: at every moment, also if the process is killed, the place has either the old
	// records or the new ones. The other place stays until then. An error of Fetch has
	// changed nothing.
	Fetch(ctx context.Context, from Place) (put func(context.Context) error, err error)

	// Export writes the records, which must not be open, to a new database file at path.
	Export(ctx context.Context, path string) error
}

// File is a [Place]: the SQLite database file at a path. Its changes survive a loss of
// power unless the options of Open say otherwise.
type File string

var _ Place = File("")

// String returns the path.
func (f File) String() string { return string(f) }

// Open implements [Place], see [Open].
func (f File) Open(ctx context.Context, o Options) (*Store, error) { return Open(ctx, string(f), o) }

// Remove implements [Place]. The lock file stays, since another process may hold it.
func (f File) Remove(context.Context) error {
	path, err := filepath.EvalSymlinks(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return removeEach(path, path+"-wal", path+"-shm")
}

// removeEach removes files; it is no error if some do not exist.
func removeEach(paths ...string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Fetch implements [Place]: it copies the other file beside this one.
func (f File) Fetch(_ context.Context, from Place) (put func(context.Context) error, err error) {
	other, ok := from.(File)
	if !ok {
		return nil, fmt.Errorf("%s is not a database file", from)
	}
	path, err := filepath.EvalSymlinks(string(f))
	if err != nil {
		return nil, err
	}
	fetched := path + ".restore"
	if err := removeEach(fetched); err != nil { // of a killed process
		return nil, err
	}
	if err := copyFile(string(other), fetched); err != nil {
		_ = os.Remove(fetched) // remove an incomplete database; it may not exist
		return nil, err
	}
	return func(context.Context) error {
		// A log, which a clean end leaves empty, would be taken for that of the new file.
		if err := removeEach(path+"-wal", path+"-shm"); err != nil {
			return err
		}
		return Rename(fetched, path)
	}, nil
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

// Export implements [Place].
func (f File) Export(_ context.Context, path string) error { return copyFile(string(f), path) }

// copyFile copies a file to a new path, readable by its owner only, and syncs the copy to the disk.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

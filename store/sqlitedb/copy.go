package sqlitedb

import (
	"context"
	"fmt"
	"os"
)

// CopyTo writes what is committed into a new file at path, for its owner's eyes only. The
// copy is a whole database without a write-ahead log. Writing waits meanwhile. A file
// that is there already is refused, unless it is empty.
func (d *DB) CopyTo(ctx context.Context, path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.conn.ExecContext(ctx, "VACUUM INTO ?", path); err != nil {
		return fmt.Errorf("copy the database to %s: %w", path, explain(err))
	}
	return nil
}

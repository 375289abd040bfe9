package sqlitedb

import (
	"context"
	"database/sql"
	"encoding/binary"
	"os"
	"sync"
)

// Sizes of a write-ahead log (https://sqlite.org/fileformat2.html#walformat).
const (
	logHeader   = 32
	frameHeader = 24
	ourPage     = 4096 // the size that SQLite gives the pages of a new database
)

// framesBehind returns how many frames of the write-ahead log of a database file SQLite does not read, since one
// before them is damaged. SQLite takes the first frame with a wrong checksum for the end of the log.
func framesBehind(path string) (frames int) {
	text, err := os.ReadFile(path + "-wal")
	if err != nil || len(text) < logHeader {
		return 0
	}
	var order binary.ByteOrder = binary.LittleEndian
	if text[3]&1 != 0 {
		order = binary.BigEndian
	}
	sum := logSum{order: order}
	sum.add(text[:24])
	salt, size := string(text[16:24]), frameHeader+int(binary.BigEndian.Uint32(text[8:12]))
	broken := !sum.is(text[24:32]) // SQLite reads nothing of it
	if broken && len(text) >= logHeader+frameHeader {
		salt, size = string(text[logHeader+8:logHeader+16]), frameHeader+ourPage
	}
	if size < frameHeader+512 || size > frameHeader+65536 {
		return 0
	}
	for rest := text[logHeader:]; len(rest) >= size; rest = rest[size:] {
		ours := string(rest[8:16]) == salt
		switch {
		case broken && ours:
			frames++
		case !broken:
			sum.add(rest[:8])
			sum.add(rest[frameHeader:size])
			broken = !ours || !sum.is(rest[16:24])
		}
	}
	return frames
}

// logSum computes the checksum of a log from all bytes that were added.
type logSum struct {
	order binary.ByteOrder
	a, b  uint32
}

func (s *logSum) add(text []byte) {
	for ; len(text) >= 8; text = text[8:] {
		s.a += s.order.Uint32(text) + s.b
		s.b += s.order.Uint32(text[4:]) + s.a
	}
}

func (s *logSum) is(text []byte) bool {
	return s.a == binary.BigEndian.Uint32(text) && s.b == binary.BigEndian.Uint32(text[4:])
}

// checkpointer moves what is committed from SQLite's write-ahead log into the
// database file, beside the commits. Left to itself SQLite does that within the
// commit that fills the log, and all who wait for that commit wait for two more
// syncs and a thousand scattered pages, a tenth of a second on an ordinary disk.
type checkpointer struct {
	db    *sql.DB
	quiet *sync.Mutex // held while nobody commits
	every int         // pages of log between checkpoints, as far as they can be guessed
	most  int         // pages of log at which commits wait for it to be emptied

	rows  int // committed so far; guarded by quiet, as the next is
	grown int // pages by which the log has grown since the last checkpoint was asked for
	wake  chan struct{}
	end   context.CancelFunc
	ended chan struct{}
}

// The log begins anew at every second checkpoint, which are three thousand bookings under
// load and some hundreds that come one by one. To read all of it, when a process was
// killed, takes some tens of milliseconds.
const (
	checkpointEvery = 2000
	mostLogPages    = 3000 // 12 MiB

	// pagesOfCommit is the number of pages that a commit writes besides one for each row: the
	// table's end, its indexes, and the progress.
	pagesOfCommit = 5
)

func newCheckpointer(db *sql.DB, quiet *sync.Mutex) *checkpointer {
	ctx, end := context.WithCancel(context.Background())
	c := &checkpointer{
		db: db, quiet: quiet, every: checkpointEvery, most: mostLogPages,
		wake: make(chan struct{}, 1), end: end, ended: make(chan struct{}),
	}
	go c.run(ctx) // ends with end
	return c
}

// committed records the number of rows that have been committed since the database was opened,
// and starts a checkpoint if they are many; quiet is held.
func (c *checkpointer) committed(rows int) {
	c.grown += rows - c.rows + pagesOfCommit
	c.rows = rows
	if c.grown < c.every {
		return
	}
	c.grown = 0
	select {
	case c.wake <- struct{}{}:
	default: // one is under way
	}
}

func (c *checkpointer) run(ctx context.Context) {
	defer close(c.ended)
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.wake:
		}
		c.tidy(ctx)
	}
}

// tidy runs a checkpoint, and makes the log begin anew if it is long.
func (c *checkpointer) tidy(ctx context.Context) {
	if c.checkpoint(ctx) < c.most {
		return
	}
	// The log begins anew only when all of it has been moved. Under a steady
	// load there is always a commit behind the last checkpoint, so now and then
	// the commits wait for the little that is left: what came during the second
	// checkpoint, which itself had only what came during the first.
	c.checkpoint(ctx)
	c.quiet.Lock()
	defer c.quiet.Unlock()
	c.checkpoint(ctx)
}

// checkpoint moves what it can into the database file without delaying commits, and returns
// the length of the log in pages, 0 if it failed. A failed one is repeated after the next
// rows; a log that stays long does no harm.
func (c *checkpointer) checkpoint(ctx context.Context) (pages int) {
	var busy, moved int
	row := c.db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	if err := row.Scan(&busy, &pages, &moved); err != nil {
		return 0
	}
	return pages
}

func (c *checkpointer) close() error {
	c.end()
	<-c.ended
	return c.db.Close()
}

package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// sharedPuts are the statements that insert or replace rows of the tables of records, given an
// array for each column.
var sharedPuts = func() (puts [len(recordTables)]string) {
	for i, t := range recordTables {
		columns := strings.Split(t.columns, ", ")
		arrays := make([]string, len(columns))
		for c := range columns {
			arrays[c] = fmt.Sprintf("$%d::%s[]", c+2, sharedTypes[t.kinds[c]])
		}
		puts[i] = fmt.Sprintf("INSERT INTO %s (world, %s) SELECT $1, * FROM unnest(%s) ON CONFLICT (world, %s) DO UPDATE SET %s",
			t.name, t.columns, strings.Join(arrays, ", "), t.unique, upsertAssignments(t.unique, columns))
	}
	return puts
}()

// sharedTypes are PostgreSQL's types for the kinds of columns.
var sharedTypes = map[byte]string{'i': "bigint", 'w': "text", 't': "bytea", 'b': "bytea"}

// arraysOf returns the records of a batch for a table, as arguments of its statement.
func (d *sharedDisk) arraysOf(t *recordTable, b *batch) ([]any, error) {
	ints, bytes := make([][]int64, len(t.kinds)), make([][][]byte, len(t.kinds))
	row := make([]any, 0, len(t.kinds))
	for i := range t.count(b) {
		var err error
		if row, err = t.add(row[:0], b, i); err != nil {
			return nil, err
		}
		for c, value := range row {
			switch value := value.(type) {
			case int64:
				ints[c] = append(ints[c], value)
			case string:
				bytes[c] = append(bytes[c], []byte(value))
			case []byte:
				bytes[c] = append(bytes[c], value)
			}
		}
	}
	args := []any{d.world}
	for c := range t.kinds {
		if t.kinds[c] == 'i' {
			args = append(args, ints[c])
		} else {
			args = append(args, bytes[c])
		}
	}
	return args, nil
}

// flush writes a batch in one transaction, in one round trip. If the connection is lost, the
// batch is written again by another one: it replaces what it may have written.
func (d *sharedDisk) flush(ctx context.Context, b *batch) error {
	next, err := d.lockWriter(ctx)
	if err != nil {
		return err
	}
	defer next()
	short, done := limited(ctx, d.patience)
	err = done(d.db.Repeat(short, func() (*pgx.Batch, error) { return d.commit(b) }))
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("write to %s: %w", d, sharedError(err))
	}
	return nil
}

// commit returns the statements that write a batch as one commit.
func (d *sharedDisk) commit(b *batch) (*pgx.Batch, error) {
	all := &pgx.Batch{}
	all.Queue("SELECT begin_commit($1, $2, $3, $4, $5)", d.world, d.epoch, d.db.Number(), int64(b.serial), b.latest.UnixMilli())
	if b.logFrom > 0 {
		all.Queue("DELETE FROM log WHERE world = $1 AND id < $2", d.world, b.logFrom)
	}
	for i := range recordTables {
		t := &recordTables[i]
		if t.count(b) == 0 {
			continue
		}
		args, err := d.arraysOf(t, b)
		if err != nil {
			return nil, err
		}
		all.Queue(sharedPuts[i], args...)
	}
	return all, nil
}

// The statements of [sharedDisk.prune]; $2 is a time and $3 a number of rows.
const (
	sharedPruneJourneys = `DELETE FROM journeys WHERE world = $1 AND serial = ANY (ARRAY(
		SELECT serial FROM journeys WHERE world = $1 AND status IN ('COMPLETE', 'CANCELLED') AND updated_at < $2 LIMIT $3)) RETURNING id`
	sharedPruneUsers   = `DELETE FROM users WHERE world = $1 AND id = ANY (ARRAY(SELECT id FROM users WHERE world = $1 AND seen_at < $2 LIMIT $3)) RETURNING id`
	sharedPruneReplies = `DELETE FROM replies WHERE world = $1 AND key = ANY (ARRAY(SELECT key FROM replies WHERE world = $1 AND at < $2 LIMIT $3)) RETURNING key`
)

func (d *sharedDisk) prune(ctx context.Context, before Before, n int) (gone pruned, err error) {
	next, err := d.lockWriter(ctx)
	if err != nil {
		return pruned{}, err
	}
	defer next()
	ctx, done := limited(ctx, d.patience)
	err = d.change(ctx, "delete from", func(b *pgx.Batch) {
		b.Queue(sharedPruneJourneys, d.world, before.Journeys.UnixMilli(), n).Query(into(&gone.journeys))
		b.Queue(sharedPruneUsers, d.world, before.Users.UnixMilli(), n).Query(into(&gone.users))
		b.Queue(sharedPruneReplies, d.world, before.Replies.UnixMilli(), n).Query(into(&gone.replies))
	})
	if err = done(err); err != nil {
		return pruned{}, err
	}
	return gone, nil
}

// into returns a function that reads the only column of a result into keys.
func into[K ~string](keys *[]K) func(pgx.Rows) error {
	return func(r pgx.Rows) (err error) {
		*keys, err = collect(r, scanKey[K])
		return err
	}
}

package sqlitedb_test

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/cabrank/cabrank/store/sqlitedb"
)

// schema stands for the folder of a package that keeps rows:
//
//	//go:embed migrations/*.sql
//	var migrations embed.FS
//
// and fs.Sub(migrations, "migrations").
var schema = fstest.MapFS{
	"0001_trunks.sql": {Data: []byte(`CREATE TABLE trunks (id TEXT PRIMARY KEY, host TEXT NOT NULL) STRICT`)},
	"0002_weight.sql": {Data: []byte(`ALTER TABLE trunks ADD COLUMN weight INTEGER NOT NULL DEFAULT 1`)},
}

// A package that keeps rows opens its database once, writes in transactions and
// reads through the readers. An empty path keeps everything in memory.
func Example() {
	ctx := context.Background()
	db, err := sqlitedb.Open(ctx, "", sqlitedb.Options{Migrations: schema, Application: 0x74727573})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()

	err = db.Write(ctx, func(q sqlitedb.Querier) error {
		for _, host := range []string{"sip.example.com", "backup.example.com"} {
			if _, err := q.ExecContext(ctx, "INSERT INTO trunks (id, host) VALUES (?, ?)", "t-"+host[:3], host); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var count int
	var first string
	err = db.Readers().QueryRowContext(ctx, "SELECT count(*), min(host) FROM trunks").Scan(&count, &first)
	fmt.Println(count, first, err)
	// Output: 2 backup.example.com <nil>
}

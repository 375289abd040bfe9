// Package sqlitedb opens a SQLite database for one program that writes to it:
// the pragmas, the migrations, one writer with a pool of readers beside it, and
// a lock that keeps other processes away. It knows nothing of what is kept.
//
// # One writer, many readers
//
// SQLite lets one connection write at a time. A [DB] has one, and [DB.Write]
// runs one transaction after another on it, so that no transaction ever waits
// for a lock inside SQLite or has to be tried again. Reading goes through
// [DB.Readers], a pool of connections that can only read. In a file they read
// beside a transaction, from the moment before it; in memory they wait for it.
//
//   - Inside Write, read and write with the [Querier] it hands over. A reader
//     would see the rows as they were before.
//   - Do not call Write inside Write: the inner one would wait for ever.
//   - Close the rows of one query before the next Write. In memory an open
//     reader holds up the commit, which fails after five seconds.
//
// # Durability
//
// Write returns when the transaction is committed: with [Full] it then survives
// a loss of power, with [Normal] it survives the end of the process. What is
// committed is moved from SQLite's write-ahead log into the file in the
// background, since a commit that had to do it would take ten times as long.
//
// # One process
//
// A file is locked with a second one beside it, PATH.lock, until it is closed.
// Another process that opens it gets an error that says so. Programs that only
// read, such as the sqlite3 shell, are not kept away. A file with a second name, a hard
// link, is refused: it would have a lock under each.
package sqlitedb

// Package store stores the records of dispatch: journeys, users, and the answers to
// requests with an Idempotency-Key.
//
// # Memory first
//
// A taxi firm's live journeys fit in memory many times over, and clients read the
// same journey every few seconds. So the records in memory are authoritative, and the
// database preserves them across restarts. Every rule runs under one lock against records
// in memory ([Store.Apply]). Reading a live journey never waits for a disk, and an answer
// to /status is encoded once for each version. Journeys that have ended and idle users may
// be evicted from memory; they are then read from the database again.
//
// # One sync for a group
//
// A booking may be acknowledged only when it survives a loss of power. A sync takes as long
// for one booking as for a hundred. So a change becomes visible at once and durable a
// little later: one committer takes all changes made during the previous commit, writes
// them in one transaction, and releases everybody who waits for it ([Ticket]). A single
// booking waits for one sync; with 64 clients the rate is about ten times that of one
// commit for each booking. Changes that nobody waits for, such as the world's own events,
// may collect for a tenth of a second.
//
// Readers see a change before it is durable. Changes that build on it are committed with it
// or after it, never before. An answer that repeats an earlier one waits as well, since
// Apply returns the earlier one's ticket. So a reader may see a change that is lost in a
// crash, from the last tenth of a second while the disk works, but no acknowledged booking
// is ever lost.
//
// # What fails when
//
// When the disk fails, waiting callers get [ErrUnavailable]. Their change stays in memory
// and is retried every second, so its outcome is unknown, not a failure. Until a retry
// succeeds, new changes are refused before their rules run, and reading continues. If the
// process ends before that, only unacknowledged changes may be lost. Changes are refused in
// the same way while more records wait for the disk than [Options] allows.
//
// # What a kill costs
//
// A process that is killed, for example by kill -9 or for lack of memory, loses only
// unacknowledged changes. Opening the database again needs no repair. The store continues
// at the last committed change: [Store.LatestUpdate] is never before an acknowledged
// booking, but it may be before times that clients have already seen.
//
// # A record that cannot be read
//
// A row whose body cannot be decoded, or is that of another record, is a [Damage]. The
// database can still be opened, and lists omit the record: it is reported in the log and by
// [Store.Damaged], and reading it returns the Damage as an error. The row is neither
// deleted nor overwritten, so that a person can still inspect it. Two kinds of damage
// affect more than one record, so such a file is refused: damaged pages, and a missing
// progress row, without which ids would be used twice.
//
// # A log beside the records
//
// A [Log], such as the last requests to the world, is stored in the commits of the records, or
// within a tenth of a second by a commit of its own. The committer asks for new entries, so
// that nobody waits for them, and entries that are dropped before are never written.
//
// # One process for a world
//
// The records of a world belong to one process, since it would not see the writes of another.
// Where they are is a [Place]. A [File] is a SQLite database, and its process holds a lock file
// next to it. In a [Shared] place, PostgreSQL has the records of many worlds, and says which
// process has which world by an epoch: each commit carries it, and is refused with [ErrFenced]
// as soon as another process has taken the world. Other programs may read the databases.
package store

// Package store keeps the records of dispatch: journeys, users, and the answers to
// requests with an Idempotency-Key.
//
// # Memory first
//
// A taxi firm's live journeys fit in memory many times over, and clients read the
// same journey every few seconds. So the records in memory count, and the database
// is where they survive a restart. Every rule runs under one lock against records
// in memory ([Store.Apply]). Reading a live journey never waits for a disk, and an
// answer to /status is encoded once for each version. Journeys that have ended and
// idle users may leave memory; they are then read from the database again.
//
// # One sync for a group
//
// A booking may be acknowledged only when it survives a loss of power. A sync takes
// as long for one booking as for a hundred. So a change becomes visible at once and
// durable a little later: one committer takes all changes that were made during the
// commit before, writes them in one transaction, and releases all who wait for it
// ([Ticket]). A single booking waits for one sync; with 64 clients the rate is about
// ten times that of a commit for each. Changes that nobody waits for, the world's
// own events, may collect for a tenth of a second.
//
// Others see a change before it is durable. Changes that build on it are committed
// with it or after it, never before. An answer that repeats an earlier one waits as
// well, since Apply gives it the earlier one's ticket. So a reader may see a change
// that a crash then loses, of the last tenth of a second while the disk works, but
// no acknowledged booking is ever lost.
//
// # What fails when
//
// When the disk fails, those who wait for it get [ErrUnavailable]. Their change stays
// in memory and is tried again every second, so its outcome is unknown, not a
// failure. Until a try succeeds, new changes are refused before their rules run, and
// reading goes on. If the process ends before that, only what was never acknowledged
// may be lost. Changes are refused in the same way while more records wait for the
// disk than [Options] allows.
//
// # What a kill costs
//
// A process that is killed, as by kill -9 or for want of memory, loses what was never
// acknowledged and nothing else. Opening the database again needs no repair. It goes on at
// the last change that was committed: [Store.LatestUpdate] is then never before an
// acknowledged booking, but it may be before moments that callers have seen pass.
//
// # A record that cannot be read
//
// A row whose body cannot be decoded, or is another record's, is a [Damage]. It keeps no
// database from being opened and no list from being made: it is told in the log and by
// [Store.Damaged], its row is left as it is, and whoever asks for that very record gets
// the Damage as an error. It is neither deleted nor written over, so that a person can
// still read it. Two things are refused instead, since setting them aside would lose more
// than one record: a file whose pages are damaged, and one that has lost its progress,
// without which ids would be given twice.
//
// A database belongs to one process, which holds a lock file beside it, since it would
// not see another's writes. Other programs may read the database.
package store

// Package store remembers what dispatch has promised: journeys, users, and the
// answers given to repeated requests.
//
// # Memory first
//
// A taxi firm's live journeys fit in memory many times over, and whoever asks
// about a journey asks again in a few seconds. So the truth is a working set in
// memory, and the database is where it survives. Every rule runs in one place,
// under one lock, against records that are at hand ([Store.Apply]); nobody who
// asks about a live journey waits for a disk, and an answer to /status is bytes
// that were encoded once. Journeys that have ended and users who are not being
// served are read from the database again once the working set has had to forget
// them.
//
// # One sync for a group
//
// A booking may be acknowledged only when it would survive a loss of power, and
// making sure of that takes the same time for one booking as for a hundred. So a
// change becomes visible at once and durable a little later: one committer takes
// whatever changes have come together while the commit before was being synced,
// writes them in one transaction, and releases all who wait for it ([Ticket]). A
// lone booking waits for one sync, and at 64 callers the rate is about ten times
// that of a commit for each. What nobody waits for, the world's own events, may
// collect for a tenth of a second.
//
// Others see a change before it is durable. What they build on it is committed
// with it or after it, never before, and an answer that repeats an earlier one
// waits as well, since Apply gives it the earlier one's ticket. What is left is
// that a reader may see a moment of a journey that a crash then takes back, a
// tenth of a second of it while the disk works: never a booking that was promised.
//
// # What fails when
//
// When the disk refuses, those who wait for it get [ErrUnavailable]: their change
// is still there in memory and is tried again every second, so its outcome is
// unknown and not a failure. Until a try succeeds new changes are refused before
// their rules run, and reading goes on. If the process ends before that, what was
// never acknowledged may be lost, and nothing else. The same refusal meets those
// who come while more records wait for the disk than [Options] allows: it is
// better to say so than to keep everybody waiting.
//
// One process has a database to itself, kept by a lock file beside it, since
// another's writes would never be seen here. Other programs may read it.
package store

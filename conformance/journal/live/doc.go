// Package live records the last calls of a handler as they were really sent and answered,
// and judges them while the server runs. Package query provides an API for them.
//
// A [Journal] is the outermost handler, so that it sees partial answers, resets and the
// effects of faults. It is limited in calls and bytes: the oldest call is dropped for the
// newest. A call is judged after its answer, so that the caller does not wait: in the
// background at a limited rate, and the rest when a query needs it.
//
// A [Saver] returns the calls that are to be stored elsewhere, and [Journal.Restore] adds them to
// the journal of the next process, which judges them again.
//
// [NewProxy] returns a journal in front of another server.
package live

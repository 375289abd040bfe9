// Package host puts one running dispatch system together: records, seed, town,
// world, people and the handler that answers the five operations.
//
//	h, err := host.Open(ctx, host.Default(), host.Deps{Now: time.Now})
//	…
//	server := dispatch.Server(h)   // the listener is the caller's
//	…
//	err = h.Close()                // after the server's own end
//
// [Config] says what the world is made from. It is plain JSON and holds nothing
// that does not change what happens, so a recording carries it in its header and
// [Replay] makes the same world again. What a world is kept in, reached by and
// paid for with is in [Deps].
//
// A host has no part that another could feel: two hundred of them live in one
// process. It never listens, starts lasting goroutines only for a clock that runs with
// the wall, and reads no other clock than the one it is handed.
//
// # The clock over a restart
//
// A host that is closed writes down when, and the next one on its database goes on from
// there, or from the wall if that is later: time does not run back. A host that is killed
// writes nothing down. The next one goes on at the later of the wall and the last change
// that was committed, so nothing that was acknowledged lies in its future, and a journey
// goes on where its last change has left it. A world that runs faster than the wall may then go back over a
// stretch in which nothing was committed: callers may have seen its clock, and how far a
// car had come, but nobody was promised anything in it. To write the clock down all the
// time would cost a commit for every moment that a caller may look at.
package host

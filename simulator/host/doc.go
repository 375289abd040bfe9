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
package host

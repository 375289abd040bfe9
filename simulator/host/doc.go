// Package host runs one dispatch system: records, seed, town, world, people and the
// handler of the five operations.
//
//	h, err := host.Open(ctx, host.Default(), host.Deps{Now: time.Now})
//	…
//	server := dispatch.Server(h)   // the listener is the caller's
//	…
//	err = h.Close()                // after the server's own end
//
// [Config] configures the world. It is plain JSON and contains only what affects the run.
// [Deps] contains everything else, such as the database and the HTTP options.
//
// Hosts share no state: two hundred of them can run in one process. A host never listens,
// starts long-lived goroutines only for a clock that runs by itself, and reads only the
// clock in Deps.
//
// # The clock over a restart
//
// A host that is closed stores the time of its clock. The next host with its database
// continues from that time, or from the wall clock if that is later: time never runs
// back. A host that is killed stores nothing. The next one continues from the wall clock
// or the last committed change, whichever is later, so no acknowledged change is in its
// future, and each journey continues from its last change. The clock of a world that is
// faster than real time may then go back over a time without commits: callers may have
// seen that time and the positions of cars, but no change was acknowledged in it. Storing
// the clock continuously would cost a commit for every request.
//
// # What a host remembers
//
// With [Deps].Remember, the records also have how the clock runs, the /config settings and
// the orders for later, such as held journeys and scripts. They are entries of their own
// beside the seed, which only a host with Remember reads, and they win over the [Config].
// A clock that is moved by hand stores its time each time it is moved, before the call
// returns, and continues exactly there. Orders are committed with the changes that they
// have made or in the next commit, and a call that gives one waits for that.
package host

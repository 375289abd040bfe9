// Package control serves the control API, with which a tester controls a running world.
// It is separate from the five operations.
//
//	server, err := control.New(ctx, control.Options{Config: host.Default(), Now: time.Now, Open: open})
//	…
//	http.Serve(listener, server) // the five operations at /, the calls at /_control/v1
//	…
//	err = server.Close()
//
// A [Server] has one main world, and sandboxes. [OpenAPI] returns the documentation of
// the calls.
//
// # What a restart forgets
//
// Changes of journeys and users are stored in the world's database, so they survive a
// restart. Settings for the future are only in memory: journeys that are held, scripts,
// cars off duty or broken down; so are faults, the journal, the runs
// of scenarios, sandboxes and snapshots. GET / counts these settings, except for cars
// broken down, and serve lists them when it stops.
//
// With [Options].Remember and that of the hosts, the database has these settings, too: the
// orders for later, the clock with its time, speed and callers, the /config settings, the
// rules of faults with their counts, defined magic numbers, and the form of answers. A call
// that changes them is answered once they are stored. The counts of rules are stored at
// the next commit. They continue after the process has ended or was killed, whatever the
// configuration says. Forgotten are then only:
//   - scenario runs, but not what they have set: nothing ends that except a reset, the
//     calls for each setting, or the end of another run of the same scenario
//   - what faults remember of single journeys and requests, such as old answers to send
//     again, or which request was the first of its kind
//   - events that were sent, with their ids, and the journal unless it stores its requests
//   - the positions of cars without a job, offers to drivers, and breaks
//
// A reset removes all of it except what it keeps, which is stored again. A snapshot contains
// it; restoring the snapshot restores everything except the faults, which stay as they are,
// and the form of answers, which is the usual one.
//
// # Rights
//
// Without [Options.Token] and without tokens in [Options.Settings], everybody on this machine may
// make all calls. Otherwise a client shows the server's own token, which has the right to
// everything, or one of a person or a team: a [tokens.Right] says which calls it allows.
//
// # A new call
//
// A call is a function, which returns the response or an error, and a row of the table in
// the same file:
//
//	AdvanceClock = Call[Advance, Advanced]{post("advanceClock", "/clock/advance", "Move the clock", advanceClock).refuses(http.StatusConflict)}
//
//	func advanceClock(c *call, a Advance) (Advanced, error)
//
// The row is the whole declaration: the router and the OpenAPI document are made from it,
// package client makes the call, and so does cabrank ctl. The types of the function
// are those of the bodies: go generate makes the document, whose schemas have the comments of
// their fields. openapi/head.yaml has an entry for each type of response, and new.go lists the
// calls. The body is parsed strictly before the function is called; errors have JSON Pointers.
// {id} in a path is one segment, read with c.path("id"); the parameters of a query are declared
// by takes, and read with c.query(). c has the sandbox, its host, which stays until the function
// has returned, and a context that ends with the request or with the world. [taxi.NewProblem]
// creates a problem; [problemOf] converts other errors, and those that may name a file of this
// machine are only logged. A call that must not hold the host, because it waits or replaces it,
// is marked free(); one that only the main world has, shared(); one whose right does not follow
// from its method, needs(). [worlds.Broker] publishes events to clients.
package control

// Package control serves the calls with which a tester makes things happen in a world
// that is being served, beside the five operations and never among them.
//
//	server, err := control.New(ctx, control.Options{Config: host.Default(), Now: time.Now, Open: open})
//	…
//	http.Serve(listener, server) // the five operations at /, the calls at /_control/v1
//	…
//	err = server.Close()
//
// A [Server] has one main world. What the calls do and answer is in the document that [OpenAPI] returns.
//
// # What a restart forgets
//
// What a call does to journeys and users is in the world's records, and a program that is
// started again over its database has it. What a call says for later is in memory: journeys
// that are held, scripts, the supply of cars, cars off duty or broken down; so are faults, the
// journal, the runs of scenarios, sandboxes and snapshots. GET / counts what was ordered for
// later, but for cars broken down, and serve says at its end what it does not keep.
//
// # A new call
//
// A call is a function of one file, which returns what to answer or why not, and a row of a
// table in that file:
//
//	post("advanceClock", "/clock/advance", "Move the clock by a span, to a moment, or until something happens", advanceClock).
//		refuses(http.StatusConflict)
//
//	func advanceClock(c *call, a Advance) (Advanced, error)
//
// The row is the whole declaration: the router and the OpenAPI document are made from it, and a test
// calls the method that the Go client has for it. The types of the function are those of the bodies: go
// generate makes the schemas, with the comments of their fields. openapi/head.yaml has an entry for
// each type of answer, and new.go names the table of each file. The body is read before the function is called: strictly, and refused with JSON Pointers. {id} in a path is one
// segment, read with c.path("id"); the parameters of a query are declared by takes, and read with
// c.query(). What the function finds in c is the sandbox, its host, which stays until the function has
// returned, and a context that ends with the request or with the world. [taxi.NewProblem] makes a problem; other
// errors are told as what [problemOf] makes of them, and those that may name a file of this machine
// go to the log only. A call that must not hold the host, as it waits or replaces it, is marked free();
// one that only the main world has, mainOnly(). What others may want to hear of is published with the
// [worlds.Broker] of the sandbox.
package control

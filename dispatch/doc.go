// Package dispatch is the dispatch system: the five operations of the
// bookable-taxi interface, with their rules, their refusals and their HTTP.
//
// # Where to find a rule
//
//	which status follows which, and the side effects   lifecycle.go (the table), effects.go
//	which fields a journey shows in a status           lifecycle.go
//	what an edit may change in which status            edit.go
//	what a request may contain                         validate.go, decode.go
//	times, limits and prices that an office chooses    policy.go
//	a refusal's HTTP status and text                   errors.go
//	the same request sent again                        idempotency.go
//
// # Layers around this package
//
// In 'cabrank serve' each request passes these layers, from the outside in. Each knows only
// the wire format, and parses or writes bodies itself.
//
//	the client's address, behind trusted proxies      behindProxies           cmd/cabrank/serving
//	Host header, where only this machine may call     cli.LocalOnly           cmd/cabrank/cli
//	the conversation that a demo prints               overhear                cmd/cabrank/serving
//	health and metrics of one of several replicas     Replica.Handler         simulator/replica
//	/console, and the rest                            console.Console         cmd/cabrank/console
//	/_control/v1, /metrics, and the rest, by world    control.Server.serve    simulator/control
//	  a world of another replica is passed on         Replica.PassOn          simulator/replica
//	counted                                           Metrics.Count           simulator/control/metrics
//	recorded, with findings about the request         live.Journal            conformance/journal/live
//	injected faults                                   fault.Handler           simulator/fault
//	the current world, after a reset the new one      Server.operations       simulator/control
//	what the interface leaves open, varied            vary.Handler            simulator/vary
//	the drawing below                                 Service.Handler         http.go
//
// # A booking from the socket to the disk
//
// Each line is one step of a POST /book and the function that does it.
//
//	HTTP request
//	     │
//	request id, log line, panics      web.withRequestID           middleware.go
//	credentials                       web.requireCredentials      middleware.go
//	requests per second               web.limitRate               middleware.go
//	JSON in, JSON out                 web.requireJSON             middleware.go
//	body within its limits            readBody                    middleware.go
//	body into a taxi.BookRequest      decode                      decode.go
//	Idempotency-Key                   web.bookHTTP                http.go
//	every field                       Service.validateBooking     validate.go
//	     │
//	a turn begins                     Service.bookTurn            book.go
//	     │                            World.Enter                 simulator/turn.go
//	the rule runs as one unit         Store.Apply                 store/apply.go
//	  an answer given before          txn.earlierAnswer           idempotency.go
//	  the user, and may they book     txn.bookingUser             book.go
//	  the same body a moment ago      txn.bookUnlessDone          book.go
//	  office open, time possible      Service.refuseIfClosed      system.go
//	  a new journey, its first row    txn.create                  book.go
//	  the effects of that row         Service.follow              service.go
//	  the fleet is informed           desk.Changed                simulator/changes.go
//	  the answer stored for its key   txn.keepAnswer              idempotency.go
//	the turn ends
//	     │
//	wait for the commit               Ticket.Wait                 store/apply.go
//	  many bookings, one fsync        Store.commit                store/committer.go
//	  their rows, then COMMIT         sqliteDisk.flush            store/sqlite_write.go
//	  or in PostgreSQL, fenced        sharedDisk.flush            store/postgres_write.go
//	     │
//	HTTP answer                       write                       http.go
//
// # Turns
//
// A turn is the time in which one command or one event runs alone. A service in a world
// gets its turns from the world ([Options].Enter), so that commands and events have one
// order. Waiting for the disk is outside the turn, so that concurrent bookings share one
// commit.
package dispatch

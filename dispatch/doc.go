// Package dispatch is the dispatch system: the five operations of the
// bookable-taxi interface, with their rules, their refusals and their HTTP.
//
// # Where a rule stands
//
//	what follows what, and what else happens then      lifecycle.go (the table), effects.go
//	which fields a journey shows in a status           lifecycle.go
//	what an edit may change in which status            edit.go
//	what a request may contain                         validate.go, decode.go
//	times, limits and prices that an office chooses    policy.go
//	a refusal's HTTP status and words                  errors.go
//	the same request sent again                        idempotency.go
//
// # What a request passes before
//
// In 'cabrank serve' each request comes through these layers, from outside in. Each knows the
// wire only, and reads or writes bodies for itself.
//
//	Host header, where only this machine may call     cli.LocalOnly           cmd/cabrank/cli
//	the conversation that a demo prints               overhear                cmd/cabrank/serving
//	/console, and the rest                            console.Console         cmd/cabrank/console
//	/_control/v1, /metrics, and the rest, by world    control.Server.serve    simulator/control
//	counted                                           metrics.count           simulator/control
//	kept, with findings about the request             live.Journal            conformance/journal/live
//	what is to go wrong                               fault.Handler           simulator/fault
//	the world that a reset may just have begun        Server.operations       simulator/control
//	what the interface leaves open, varied            vary.Handler            simulator/vary
//	the drawing below                                 Service.Handler         http.go
//
// # A booking from the socket to the disk
//
// Each line is one stop of a POST /book and the function that does the work.
//
//	HTTP request
//	     │
//	request id, log line, panics      Service.withRequestID       middleware.go
//	requests per second               Service.limitRate           middleware.go
//	credentials                       Service.requireCredentials  middleware.go
//	JSON in, JSON out                 Service.requireJSON         middleware.go
//	body within its limits            readBody                    middleware.go
//	body into a taxi.BookRequest      decode                      decode.go
//	Idempotency-Key                   Service.bookHTTP            http.go
//	every field                       Service.validateBooking     validate.go
//	     │
//	a turn begins                     Service.bookTurn            book.go
//	     │                            World.Enter                 simulator/turn.go
//	the rule runs as one unit         Store.Apply                 store/apply.go
//	  an answer given before          Service.earlierAnswer       idempotency.go
//	  the user, and may they book     Service.bookingUser         book.go
//	  the same body a moment ago      Service.bookUnlessDone      book.go
//	  office open, time possible      Service.refuseIfClosed      system.go
//	  a new journey, its first row    Service.create              book.go
//	  the effects of that row         Service.follow              service.go
//	  the fleet hears of it           World.Changed               simulator/changes.go
//	  the answer kept for its key     Service.keepAnswer          idempotency.go
//	the turn ends
//	     │
//	wait for the commit               Ticket.Wait                 store/apply.go
//	  many bookings, one fsync        Store.commit                store/committer.go
//	  their rows, then COMMIT         sqliteDisk.flush            store/sqlite_write.go
//	     │
//	HTTP answer                       write                       http.go
//
// # Turns
//
// A turn is the time in which one command or one event runs alone. A service
// in a world gets its turns from the world ([Options].Enter), so that commands
// and events have one order. The wait for the disk is outside the turn, so that
// bookings that come together share one commit.
package dispatch

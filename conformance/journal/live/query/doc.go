// Package query serves an API for the calls that package live records.
//
//	j := query.New(handler, query.Options{Options: live.Options{Request: …, Answer: …, Now: time.Now}})
//	…
//	http.Serve(listener, j) // the handler, with its calls recorded
//	j.API()                 // GET /requests, POST /requests/wait, POST /verify, GET /report …
package query

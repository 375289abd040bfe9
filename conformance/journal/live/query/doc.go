// Package query answers questions about the calls that package live keeps.
//
//	j := query.New(handler, query.Options{Options: live.Options{Request: …, Answer: …, Now: time.Now}})
//	…
//	http.Serve(listener, j) // the handler, listened to
//	j.API()                 // GET /requests, POST /requests/wait, POST /verify, GET /report …
package query

// Package live keeps the last calls of a handler as they were really sent and answered,
// judges them while the server runs, and answers questions about them.
//
//	j := live.New(handler, live.Options{Request: …, Answer: …, Now: time.Now})
//	…
//	http.Serve(listener, j) // the handler, listened to
//	j.API()                 // GET /requests, POST /requests/wait, POST /verify, GET /report …
//
// A [Journal] stands outermost, so that it sees half an answer, a reset and what a fault
// did. It is bounded in calls and in bytes: the oldest call makes room for the newest. A
// call is judged after it was answered, between questions at a modest pace and the rest
// when somebody asks, so that whoever calls does not wait for it.
//
// Package journal, which reports at the end on the first calls of other people's traffic,
// is the other way of listening.
package live

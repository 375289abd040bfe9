// Package live keeps the last calls of a handler as they were really sent and answered, and
// judges them while the server runs. Package query answers questions about them.
//
// A [Journal] stands outermost, so that it sees half an answer, a reset and what a fault
// did. It is bounded in calls and in bytes: the oldest call makes room for the newest. A
// call is judged after it was answered, between questions at a modest pace and the rest
// when somebody asks, so that whoever calls does not wait for it.
//
// Package journal, which reports at the end on the first calls of other people's traffic,
// is the other way of listening.
package live

// Package tracking follows users and journeys over a recorded history, and judges what a
// call shows against the calls before it: whether edits are kept, cancellations last,
// lists and statuses agree, prices and cars stay what they were, and what overlapping
// calls leave behind. Package rules has the checks, and judges what one call shows by
// itself; each finding here is of one of its checks.
//
// [Judge] is the whole: the tracker reads a history once, in order (reader_survey.go finds
// first what cannot be relied on; read_*.go read the replies of an operation); stories.go
// and races.go judge the calls of a probe together; the other files judge one subject.
package tracking

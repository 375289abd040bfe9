// Package redact hides telephone numbers and credentials in all that leaves a run.
// The same number has the same pseudonym throughout a run file, so that a reader
// can still follow one caller from call to call.
package redact

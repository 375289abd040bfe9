package operations

import (
	"fmt"
	"net/http"
	"time"
)

// Failure is a call that was not answered as hoped.
type Failure struct {
	Path    string
	Status  int           // of HTTP; 0: there was no answer
	Outcome Outcome       // what is known of it
	After   time.Duration // not to be called again before that; 0: nothing was said
	Err     error         // in words, without addresses and secrets
}

// Outcome is what a failed call may have done.
type Outcome int

// What a failed call may have done.
const (
	NotDone Outcome = iota // it was refused: nothing has happened
	Unknown                // no answer, or none that makes sense: it may have been done
)

// Error says what happened in one line.
func (f *Failure) Error() string {
	if f.Status == 0 {
		return fmt.Sprintf("%s: %v", f.Path, f.Err)
	}
	return fmt.Sprintf("%s: %d: %v", f.Path, f.Status, f.Err)
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }

// outcomeOf says what a call may have done that was answered with a status.
// 408 and 5xx may come from a proxy that has passed the call on.
func outcomeOf(status int) Outcome {
	if status == http.StatusRequestTimeout || status >= http.StatusInternalServerError {
		return Unknown
	}
	return NotDone
}

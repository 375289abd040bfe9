package voice

import "time"

// Clock is the time that an engine lives by. [Virtual] is moved by hand, [Wall]
// runs by itself at any speed; inside a testing/synctest bubble Wall is virtual.
type Clock interface {
	Now() time.Time

	// AfterFunc calls f once d has passed, unless it is stopped before. f does not
	// block.
	AfterFunc(d time.Duration, f func()) Timer

	// Go runs f beside everything else. f may take its time (a hook does); a
	// virtual clock stands still until it returns.
	Go(f func())
}

// Timer is a call of a function that is still to come.
type Timer interface {
	// Stop prevents it, and tells whether it was in time.
	Stop() bool
}

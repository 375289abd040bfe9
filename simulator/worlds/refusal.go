package worlds

import "fmt"

// Why is the reason of a refusal.
type Why string

// The reasons.
const (
	NotFound         Why = "sandbox-not-found"
	Taken            Why = "sandbox-exists"
	TooMany          Why = "too-many-sandboxes"
	NoSnapshot       Why = "snapshot-not-found"
	TooManySnapshots Why = "too-many-snapshots"
	TooManyListeners Why = "too-many-listeners"
	Moving           Why = "world-moving" // it may be run by another process by now; temporary
)

// Refusal is the error of a refused request; nothing was changed.
type Refusal struct {
	Why  Why
	Text string
}

// Error returns the text.
func (r *Refusal) Error() string { return r.Text }

func refuse(why Why, format string, args ...any) error {
	return &Refusal{why, fmt.Sprintf(format, args...)}
}

package cli

import "sync"

// abandoned holds what has to be done when an operator will not wait for a command: the process
// ends then without returning from its calls.
var abandoned struct {
	sync.Mutex
	next int
	ends map[int]func()
}

// OnAbandon has end called when the process is ended at once, as by a second Ctrl-C. The function
// returned takes that back.
func OnAbandon(end func()) (forget func()) {
	abandoned.Lock()
	defer abandoned.Unlock()
	if abandoned.ends == nil {
		abandoned.ends = map[int]func(){}
	}
	n := abandoned.next
	abandoned.next++
	abandoned.ends[n] = end
	return func() {
		abandoned.Lock()
		defer abandoned.Unlock()
		delete(abandoned.ends, n)
	}
}

// Abandon does what [OnAbandon] was given.
func Abandon() {
	abandoned.Lock()
	defer abandoned.Unlock()
	for _, end := range abandoned.ends {
		end()
	}
}

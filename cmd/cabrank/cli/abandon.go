package cli

import "sync"

// abandoned holds the clean-up functions to run when an operator interrupts a command
// twice: the process then ends without returning from its calls.
var abandoned struct {
	sync.Mutex
	next int
	ends map[int]func()
}

// OnAbandon registers end, to be called when the process ends at once, as by a second
// Ctrl-C. The function it returns removes end again.
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

// Abandon calls the functions registered with [OnAbandon].
func Abandon() {
	abandoned.Lock()
	defer abandoned.Unlock()
	for _, end := range abandoned.ends {
		end()
	}
}

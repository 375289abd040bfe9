package cli

import (
	"context"
	"os"
	"sync"
	"time"
)

// oneStop is the time within which several signals count as one. The command timeout and
// CI runners send SIGTERM to a process and to its group, so the process gets it twice.
const oneStop = time.Second

// Interruptible returns a context that is cancelled by the first of signals. A second
// signal, later than oneStop, calls end, for an operator who does not want to wait for
// the command to finish. Interruptible stops listening when signals is closed.
func Interruptible(parent context.Context, signals <-chan os.Signal, now func() time.Time, end func()) context.Context {
	ctx, stop := context.WithCancel(parent)
	go func() { // ends when signals is closed
		defer stop()
		if _, open := <-signals; !open {
			return
		}
		first := now()
		stop()
		for range signals {
			if now().Sub(first) >= oneStop {
				end()
			}
		}
	}()
	return ctx
}

// abandoned holds the clean-up functions of [OnAbandon], for a process that ends without returning from its calls: an
// operator has interrupted it twice.
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

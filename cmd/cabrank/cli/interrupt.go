package cli

import (
	"context"
	"os"
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

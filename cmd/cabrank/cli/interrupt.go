package cli

import (
	"context"
	"os"
	"time"
)

// oneStop is how long signals belong together. The command timeout and the runners of
// CI send SIGTERM to a process and to its group, which is twice to the process.
const oneStop = time.Second

// Interruptible returns a context that the first of some signals ends. Another signal
// that does not belong to the first calls end, for an operator who will not wait for
// what a command still has to do. It stops listening when signals is closed.
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

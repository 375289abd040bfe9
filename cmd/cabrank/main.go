// Command cabrank is the reference dispatch system of the bookable-taxi
// interface, the suite that judges anybody else's, and a client for either.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C does not wait
	code := run(ctx, os.Args[1:], outside{os.Stdout, os.Stderr, os.Environ()})
	stop()
	os.Exit(code)
}

// Command cabrank is the reference dispatch system of the bookable-taxi
// interface, the suite that judges anybody else's, and a client for either.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C does not wait
	code := cli.Run(ctx, os.Args[1:], cli.Outside{Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ()}, groups)
	stop()
	os.Exit(code)
}

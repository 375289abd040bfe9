// Command cabrank is the reference dispatch system of the bookable-taxi
// interface, the suite that judges anybody else's, and a client for either.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/judging"
	"github.com/cabrank/cabrank/cmd/cabrank/phoning"
	"github.com/cabrank/cabrank/cmd/cabrank/serving"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C does not wait
	code := cli.Run(ctx, os.Args[1:], cli.Outside{Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ()}, groups)
	stop()
	os.Exit(code)
}

// groups are the commands, by what they are for.
func groups(out cli.Outside) []cli.Group {
	return []cli.Group{
		{Title: "Run a dispatch system:", Commands: serving.Commands(out)},
		{Title: "Judge a dispatch system:", Commands: judging.Commands(out)},
		{Title: "Call a dispatch system:", Commands: calling.Commands(out)},
		{Title: "Run a voice platform:", Commands: phoning.Commands(out)},
	}
}

// Command cabrank is the reference dispatch system of the bookable-taxi
// interface, the suite that judges anybody else's, and a client for either.
package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/controlling"
	"github.com/cabrank/cabrank/cmd/cabrank/judging"
	"github.com/cabrank/cabrank/cmd/cabrank/phoning"
	_ "github.com/cabrank/cabrank/cmd/cabrank/quickstart" // it acts by being there
	"github.com/cabrank/cabrank/cmd/cabrank/serving"
)

func main() {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // and that of package log, where net/http tells of answers that nobody asked for: the commands report them themselves
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, endings()...)
	ctx := cli.Interruptible(context.Background(), signals, cli.Now, func() {
		cli.Abandon()
		os.Exit(cli.ExitInterrupted)
	})
	os.Exit(cli.Run(ctx, os.Args[1:], cli.Outside{Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ()}, groups))
}

// endings returns the signals that end a command in good order: interrupt, SIGTERM, and SIGHUP, which a closed terminal
// sends, unless the process ignores it, as under nohup.
func endings() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// groups returns all commands in groups, one for each purpose.
func groups(out cli.Outside) []cli.Group {
	return []cli.Group{
		{Title: "Run a dispatch system:", Commands: serving.Commands(out)},
		{Title: "Make things happen in a dispatch system:", Commands: controlling.Commands(out)},
		{Title: "Judge a dispatch system:", Commands: judging.Commands(out)},
		{Title: "Call a dispatch system:", Commands: calling.Commands(out)},
		{Title: "Run a voice platform:", Commands: phoning.Commands(out)},
	}
}

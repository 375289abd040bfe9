//go:build ignore

// Sumo lives the same day in cabrank and in SUMO, the traffic simulator of the German
// Aerospace Center, and prints what each took for it; .ci/sumo installs SUMO and runs
// this. The day is that of BenchmarkDay/town.
//
// Both get the same streets, the same cars where cabrank's stand at midnight, and the
// journeys that cabrank's own people booked that day, read back from its store. Each
// has one core, a run of one and a run of the next in turn. Where there is a choice it
// is made in SUMO's favour: its time is the one it tells itself, less what it took to
// prepare its router; the best of its runs counts, and the median of cabrank's;
// junctions have no lanes inside, which made it four times as fast; ways come from a
// contraction hierarchy and do not follow the traffic, which made it twice as fast;
// and it writes nothing but the passengers' rides.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

const (
	day      = 24 * time.Hour
	cars     = 150
	perHour  = 125
	boarding = 70 * time.Second // what cabrank's passengers take to come out, on the average
)

func main() {
	work := flag.String("work", "", "an empty folder to work in")
	own := flag.Bool("day", false, "only live cabrank's day, and tell how long it took")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	task := func() error { return compare(ctx, *work) }
	if *own {
		task = func() error { return timeDay(ctx) }
	}
	if err := task(); err != nil {
		fmt.Fprintln(os.Stderr, "sumo:", err)
		os.Exit(1)
	}
}

func compare(ctx context.Context, work string) error {
	w, err := newWorld(ctx)
	if err != nil {
		return err
	}
	fleet := w.fleet()
	if err := w.live(ctx); err != nil {
		return err
	}
	journeys, err := w.journeys(ctx)
	if err != nil {
		return err
	}
	f := files(work)
	if err := f.write(w.town, fleet, journeys); err != nil {
		return err
	}
	streets, err := f.convert(ctx, w.town)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	own := &contender{
		name: "cabrank", command: []string{self, "-day"},
		rides: func() (rides, error) { return completed(journeys), nil },
	}
	sumo := []*contender{f.contender("mesoscopic", "--mesosim"), f.contender("microscopic")}
	if err := runAll(ctx, own, sumo); err != nil {
		return err
	}
	fmt.Printf("%v; %d cars; %d journeys asked for\n\n", streets, len(fleet), len(journeys))
	return report(own, sumo, journeys)
}

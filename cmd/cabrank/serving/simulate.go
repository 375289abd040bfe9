package serving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/trial"
)

// simulateFlags say which days to try.
type simulateFlags struct {
	seed               uint64
	seeds, days        int
	cars, rides        int
	town, assign       string
	demand, behaviour  string
	faults             string
	only, recording    string
	event, workers     int
	asJSON, keepLarger bool
}

func newSimulate(out cli.Outside) *cobra.Command {
	var f simulateFlags
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Let whole days happen with everything going wrong, and check the rules after each event",
		Long: `Let whole days of small towns happen in memory, one for each seed. A platform books, edits, cancels
and follows journeys; answers get lost and are asked for again, requests come twice, late and
broken, the disk fills up, the process dies between two events and starts again. After every
event the rules of the journey, the fleet and the contract are checked.

Where the cars drive, who is sent, who books besides, how people behave and which faults there
are follows from the seed, unless a flag says so: one day in three is on streets. A broken rule
is made as small as it can be, and the line that shows it again is printed.

The rules:
` + rulesHelp() + `
Exit codes: 0 no rule was broken, 1 one was, 2 wrong usage.`,
		Example: `  cabrank simulate --seeds 1000 --days 1
  cabrank simulate --seeds 20 --behaviour typical --faults lost,crash
  cabrank simulate --seed 17 --cars 2 --only 3,8 --event 412`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), out) },
	}
	f.add(cmd)
	return cmd
}

func (f *simulateFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.Uint64Var(&f.seed, "seed", 1, "the first seed; everything that happens follows from it")
	fs.IntVar(&f.seeds, "seeds", 1, "how many seeds to try, up to 1000000")
	fs.IntVar(&f.days, "days", 1, "how many days each goes on, up to 31")
	fs.IntVar(&f.cars, "cars", 12, "cars in each town, up to 150")
	fs.IntVar(&f.rides, "rides", 150, "rides that are asked for each day, up to 5000")
	fs.StringVar(&f.town, "town", trial.Seeded, "streets to drive on: the side in metres of a town, none for straight lines, or seed")
	fs.StringVar(&f.assign, "assign", trial.Seeded, "which driver is asked first: nearest, eta, batch, rank, clear or seed")
	fs.StringVar(&f.demand, "demand", trial.Seeded, "what people of the town book besides: none, quiet, town, how many an hour, or seed")
	fs.StringVar(&f.behaviour, "behaviour", trial.Seeded, "how drivers and passengers behave: calm, typical, stormy or seed")
	fs.StringVar(&f.faults, "faults", trial.Seeded, "what else goes wrong: all, none, some of lost,duplicate,reorder,garbled,disk,crash, or seed")
	fs.StringVar(&f.only, "only", "", "ask for these rides only, by number, such as 3,8 (none: for none)")
	fs.IntVar(&f.event, "event", 0, "stop after this event (0: at the end)")
	fs.StringVar(&f.recording, "record", "", "write what happens to this file, for one seed; 'cabrank replay' repeats it")
	fs.IntVar(&f.workers, "workers", 2, "days that happen at the same time, up to 256")
	fs.BoolVar(&f.keepLarger, "no-shrink", false, "show a broken rule as it was found, without looking for a smaller run")
	fs.BoolVar(&f.asJSON, "json", false, "print one JSON object")
}

// rulesHelp lists the rules, a line each.
func rulesHelp() string {
	var b strings.Builder
	for _, r := range trial.Rules() {
		fmt.Fprintf(&b, "  %-9s %s\n", r.Name, r.Means)
	}
	return b.String()
}

// rareCollections is how far the heap may grow, in percent: it is a few megabytes,
// and to collect it less often saves a fifth of the time.
const rareCollections = 400

func (f *simulateFlags) run(ctx context.Context, out cli.Outside) (err error) {
	o, err := f.options()
	if err != nil {
		return err
	}
	if o.Scratch, err = os.MkdirTemp("", "cabrank-simulate-"); err != nil {
		return fmt.Errorf("temporary databases: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.Scratch)) }()
	recording, err := openEmptied("--record", f.recording, out)
	if err != nil {
		return err
	}
	if recording != nil {
		defer func() { err = errors.Join(err, recording.Close()) }()
		o.Record = recording
	}
	defer debug.SetGCPercent(debug.SetGCPercent(rareCollections))
	began := cli.Now()
	report := progress(out.Stderr, f.seeds, began)
	sum, err := trial.Series(ctx, o, f.seeds, f.workers, report)
	if err != nil {
		return err
	}
	took := cli.Now().Sub(began)
	failure := sum.Failure
	if failure != nil && !f.keepLarger && f.event == 0 {
		fmt.Fprintf(out.Stderr, "%s\nlooking for a smaller run …\n", failure)
		failure.Options.Record = nil // it holds the run as it was found
		failure = trial.Shrink(ctx, failure)
	}
	return f.report(out.Stdout, sum, failure, took)
}

// options turns the flags into a run's options.
func (f *simulateFlags) options() (o trial.Options, err error) {
	if err := f.inBounds(); err != nil {
		return o, err
	}
	if f.recording != "" && f.seeds > 1 {
		return o, cli.UsageError("--record takes the run of one seed")
	}
	o = trial.Options{
		Seed: f.seed, Days: f.days, Cars: f.cars, Rides: f.rides, Event: f.event,
		Town: f.town, Assigner: f.assign, Demand: f.demand, Behaviour: f.behaviour,
	}
	if err := o.Check(); err != nil {
		return o, cli.Exit(cli.ExitUsage, err)
	}
	if o.Faults, err = trial.ParseFaults(f.faults); err != nil {
		return o, cli.UsageError("--faults: %w", err)
	}
	if o.Only, err = numbers(f.only, f.days*f.rides); err != nil {
		return o, cli.UsageError("--only: %w", err)
	}
	return o, nil
}

// inBounds refuses a size that no machine could hold, or that means nothing.
func (f *simulateFlags) inBounds() error {
	const mostEvents = 1 << 30
	for _, b := range []struct {
		flag           string
		is, least, top int
	}{
		{"seeds", f.seeds, 1, 1_000_000},
		{"days", f.days, 1, trial.MaxDays},
		{"cars", f.cars, 1, trial.MaxCars},
		{"rides", f.rides, 1, trial.MaxRides},
		{"workers", f.workers, 1, 256},
		{"event", f.event, 0, mostEvents},
	} {
		if b.is < b.least || b.is > b.top {
			return cli.UsageError("--%s is %d, want %d to %d", b.flag, b.is, b.least, b.top)
		}
	}
	return nil
}

// numbers reads a list of numbers below a limit; an empty text is no list.
func numbers(text string, limit int) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	list := []int{}
	if text == "none" {
		return list, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil {
			return nil, fmt.Errorf("%q is no number", word)
		}
		if n < 0 || n >= limit {
			return nil, fmt.Errorf("there is no ride %d, they are 0 to %d", n, limit-1)
		}
		list = append(list, n)
	}
	return list, nil
}

// progress tells every few seconds how far a long series has come.
func progress(w io.Writer, seeds int, began time.Time) func(int) {
	const every = 5 * time.Second
	last := began
	return func(done int) {
		at := cli.Now()
		if at.Sub(last) < every {
			return
		}
		last = at
		fmt.Fprintf(w, "%d of %d seeds, %.1f a second\n", done, seeds, float64(done)/at.Sub(began).Seconds())
	}
}

// simulated is what --json prints.
type simulated struct {
	Seeds      int       `json:"seeds"`
	Days       int       `json:"days"`
	Events     int       `json:"events"`
	Calls      int       `json:"calls"`
	Journeys   int       `json:"journeys"`
	Crashes    int       `json:"crashes"`
	Seconds    float64   `json:"seconds"`
	DaysPerS   float64   `json:"daysPerSecond"`
	EventsPerS float64   `json:"eventsPerSecond"`
	RidesPerS  float64   `json:"journeysPerSecond"`
	Failure    *shownBug `json:"failure,omitempty"`
}

// shownBug is a broken rule as --json shows it.
type shownBug struct {
	Rule   string    `json:"rule"`
	Detail string    `json:"detail"`
	Seed   uint64    `json:"seed"`
	Event  int       `json:"event"`
	At     time.Time `json:"at"`
	Again  string    `json:"again"` // the command that shows it
}

func (f *simulateFlags) report(w io.Writer, sum trial.Summary, failure *trial.Failure, took time.Duration) error {
	s := took.Seconds()
	shown := simulated{
		Seeds: sum.Runs, Days: sum.Days, Events: sum.Events, Calls: sum.Calls, Journeys: sum.Journeys, Crashes: sum.Crashes,
		Seconds: s, DaysPerS: float64(sum.Days) / s, EventsPerS: float64(sum.Events) / s, RidesPerS: float64(sum.Journeys) / s,
	}
	if failure != nil {
		shown.Failure = &shownBug{failure.Rule, failure.Detail, failure.Options.Seed, failure.Event, failure.At, failure.Line()}
	}
	if f.asJSON {
		if err := cli.PrintJSON(w, shown); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(w, "%d days, %d events, %d calls, %d journeys, %d crashes in %.1f s: %.1f days/s, %.0f events/s, %.0f journeys/s\n",
			shown.Days, shown.Events, shown.Calls, shown.Journeys, shown.Crashes, s, shown.DaysPerS, shown.EventsPerS, shown.RidesPerS)
	}
	if failure == nil {
		return nil
	}
	if !f.asJSON {
		fmt.Fprintf(w, "broken: %s\n%s\n", failure, failure.Line())
	}
	return cli.Exit(cli.ExitFindings, nil)
}

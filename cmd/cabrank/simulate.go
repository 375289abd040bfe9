package main

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

	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/trial"
)

// simulateFlags say which days to try.
type simulateFlags struct {
	seed               uint64
	seeds, days        int
	cars, rides        int
	behaviour, faults  string
	only, journal      string
	event, workers     int
	asJSON, keepLarger bool
}

func newSimulate(out outside) *cobra.Command {
	var f simulateFlags
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Let whole days happen with everything going wrong, and check the rules after each event",
		Long: `Let whole days of small towns happen in memory, one for each seed. A platform books, edits, cancels
and follows journeys; answers get lost and are asked for again, requests come twice, late and
broken, the disk fills up, the process dies between two events and starts again. After every
event the rules of the journey, the fleet and the contract are checked.

A broken rule is made as small as it can be, and the line that shows it again is printed.

Exit codes: 0 no rule was broken, 1 one was, 2 wrong usage.`,
		Example: `  cabrank simulate --seeds 1000 --days 1
  cabrank simulate --seeds 20 --behaviour typical --faults lost,crash
  cabrank simulate --seed 17 --cars 2 --only 3,8 --event 412`,
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), out) },
	}
	fs := cmd.Flags()
	fs.Uint64Var(&f.seed, "seed", 1, "the first seed; everything that happens follows from it")
	fs.IntVar(&f.seeds, "seeds", 1, "how many seeds to try")
	fs.IntVar(&f.days, "days", 1, "how many days each goes on")
	fs.IntVar(&f.cars, "cars", 12, "cars in each town")
	fs.IntVar(&f.rides, "rides", 150, "rides that are asked for each day")
	fs.StringVar(&f.behaviour, "behaviour", "stormy", "how drivers and passengers behave: calm, typical or stormy")
	fs.StringVar(&f.faults, "faults", "all", "what else goes wrong: all, none, or some of lost,duplicate,reorder,garbled,disk,crash")
	fs.StringVar(&f.only, "only", "", "ask for these rides only, by number, such as 3,8 (none: for none)")
	fs.IntVar(&f.event, "event", 0, "stop after this event (0: at the end)")
	fs.StringVar(&f.journal, "journal", "", "write what happens to this file, for one seed; each start of the process begins anew in it")
	fs.IntVar(&f.workers, "workers", 2, "days that happen at the same time")
	fs.BoolVar(&f.keepLarger, "no-shrink", false, "show a broken rule as it was found, without looking for a smaller run")
	fs.BoolVar(&f.asJSON, "json", false, "print one JSON object")
	return cmd
}

// rareCollections is how far the heap may grow, in percent: it is a few megabytes,
// and to collect it less often saves a fifth of the time.
const rareCollections = 400

func (f *simulateFlags) run(ctx context.Context, out outside) (err error) {
	o, err := f.options()
	if err != nil {
		return err
	}
	if o.Scratch, err = os.MkdirTemp("", "cabrank-simulate-"); err != nil {
		return fmt.Errorf("temporary databases: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.Scratch)) }()
	journal, closeJournal, err := saveTo("--journal", f.journal)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeJournal()) }()
	o.Journal = journal
	defer debug.SetGCPercent(debug.SetGCPercent(rareCollections))
	began := now()
	told := progress(out.stderr, f.seeds, began)
	sum, err := trial.Series(ctx, o, f.seeds, f.workers, told)
	if err != nil {
		return err
	}
	took := now().Sub(began)
	failure := sum.Failure
	if failure != nil && !f.keepLarger && f.event == 0 {
		fmt.Fprintf(out.stderr, "%s\nlooking for a smaller run …\n", failure)
		failure.Options.Journal = nil // it holds the run as it was found
		failure = trial.Shrink(ctx, failure)
	}
	return f.report(out.stdout, sum, failure, took)
}

// options turns the flags into a run's options.
func (f *simulateFlags) options() (o trial.Options, err error) {
	if f.seeds < 1 || f.days < 1 || f.cars < 1 || f.rides < 1 || f.event < 0 || f.workers < 1 {
		return o, usageError("--seeds, --days, --cars, --rides and --workers are at least 1, --event at least 0")
	}
	if f.journal != "" && f.seeds > 1 {
		return o, usageError("--journal takes the run of one seed")
	}
	o = trial.Options{Seed: f.seed, Days: f.days, Cars: f.cars, Rides: f.rides, Behaviour: f.behaviour, Event: f.event}
	if _, err := simulator.ParseBehaviour(f.behaviour); err != nil {
		return o, usageError("--behaviour: %w", err)
	}
	if o.Faults, err = trial.ParseFaults(f.faults); err != nil {
		return o, usageError("--faults: %w", err)
	}
	if o.Only, err = numbers(f.only); err != nil {
		return o, usageError("--only: %w", err)
	}
	return o, nil
}

// numbers reads a list of numbers; an empty text is no list.
func numbers(text string) ([]int, error) {
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
		list = append(list, n)
	}
	return list, nil
}

// progress tells every few seconds how far a long series has come.
func progress(w io.Writer, seeds int, began time.Time) func(int) {
	const every = 5 * time.Second
	last := began
	return func(done int) {
		at := now()
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
		if err := printJSON(w, shown); err != nil {
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
	return &exitError{code: exitFindings}
}

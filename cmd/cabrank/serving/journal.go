package serving

import (
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control/journals"
)

// journalFlags select which requests the journal records.
type journalFlags struct {
	off, bare bool
	keep      bool // in the records of the worlds
	size      int
	replayTo  []string
	targets   []netip.Prefix // the ranges of replayTo
	noChecks  bool           // the console runs no checks
	slow      time.Duration  // response time from which the journal warns
}

// Bounds of the flags.
const (
	mostCalls   = 100_000
	longestSlow = 10 * time.Minute
)

func (f *journalFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.off, "no-journal", false, "keep no journal: requests are neither recorded nor judged")
	fs.IntVar(&f.size, "journal-size", journals.UsualCalls, fmt.Sprintf("requests that the journal keeps in memory, 1 to %d", mostCalls))
	fs.BoolVar(&f.keep, "keep-journal", false, "keep the journal over a restart, in the database of --db, which then contains the requests as they were sent, without credentials")
	fs.StringSliceVar(&f.replayTo, "replay-to", nil, "further addresses, such as 10.0.0.0/8, to which the console may repeat requests and where it may check a server; the addresses of this machine are always allowed")
	fs.DurationVar(&f.slow, "slow-after", journals.UsualSlow, "response time from which the journal warns, in real time, such as 800ms; up to "+longestSlow.String())
	fs.BoolVar(&f.bare, "bare", false, "leave the headers X-Cabrank-… out of responses")
}

// check refuses invalid values and flags that do not go together.
func (f *journalFlags) check() error {
	var err error
	if f.targets, err = prefixes("--replay-to", f.replayTo); err != nil {
		return err
	}
	switch {
	case f.size < 1 || f.size > mostCalls:
		return cli.UsageError("--journal-size is %d, want 1 to %d", f.size, mostCalls)
	case f.slow <= 0 || f.slow > longestSlow:
		return cli.UsageError("--slow-after is %v, want more than 0s and up to %v", f.slow, longestSlow)
	case f.off && f.slow != journals.UsualSlow:
		return cli.UsageError("--slow-after: --no-journal judges no answers")
	case f.off && f.keep:
		return cli.UsageError("--keep-journal: --no-journal keeps none")
	case f.off && f.noChecks && len(f.replayTo) > 0:
		return cli.UsageError("--replay-to: --no-journal keeps no calls to replay, and no console checks anything")
	case f.off && f.bare:
		return cli.UsageError("--bare needs the journal; leave out --no-journal")
	}
	return nil
}

// mayReplayTo reports whether an address is in --replay-to.
func (f *journalFlags) mayReplayTo(a netip.Addr) bool {
	return within(f.targets, a)
}

// newJournals returns nil with --no-journal.
func (f *journalFlags) newJournals(own string, log *slog.Logger) (*journals.Journals, error) {
	if err := f.check(); err != nil || f.off {
		return nil, err
	}
	return journals.New(journals.Options{
		Own: own, Most: f.size, Bare: f.bare, Slow: f.slow, Keep: f.keep, Target: f.mayReplayTo, Now: cli.Now, Version: cli.Version(), Log: log,
	}), nil
}

package serving

import (
	"fmt"
	"log/slog"
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
	slow      time.Duration // response time from which the journal warns
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
	fs.DurationVar(&f.slow, "slow-after", journals.UsualSlow, "response time from which the journal warns, in real time, such as 800ms; up to "+longestSlow.String())
	fs.BoolVar(&f.bare, "bare", false, "leave the headers X-Cabrank-… out of responses")
}

// check refuses invalid values and flags that do not go together.
func (f *journalFlags) check() error {
	switch {
	case f.size < 1 || f.size > mostCalls:
		return cli.UsageError("--journal-size is %d, want 1 to %d", f.size, mostCalls)
	case f.slow <= 0 || f.slow > longestSlow:
		return cli.UsageError("--slow-after is %v, want more than 0s and up to %v", f.slow, longestSlow)
	case f.off && f.slow != journals.UsualSlow:
		return cli.UsageError("--slow-after: --no-journal judges no answers")
	case f.off && f.keep:
		return cli.UsageError("--keep-journal: --no-journal keeps none")
	case f.off && f.bare:
		return cli.UsageError("--bare needs the journal; leave out --no-journal")
	}
	return nil
}

// newJournals returns nil with --no-journal.
func (f *journalFlags) newJournals(log *slog.Logger) (*journals.Journals, error) {
	if err := f.check(); err != nil || f.off {
		return nil, err
	}
	return journals.New(journals.Options{
		Most: f.size, Bare: f.bare, Slow: f.slow, Keep: f.keep, Now: cli.Now, Version: cli.Version(), Log: log,
	}), nil
}

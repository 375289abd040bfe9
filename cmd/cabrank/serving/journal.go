package serving

import (
	"log/slog"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control/journals"
)

// journalFlags select which requests the journal records.
type journalFlags struct {
	off  bool
	keep bool // in the records of the worlds
}

func (f *journalFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.off, "no-journal", false, "keep no journal: requests are neither recorded nor judged")
	fs.BoolVar(&f.keep, "keep-journal", false, "keep the journal over a restart, in the database of --db, which then contains the requests as they were sent, without credentials")
}

// newJournals returns nil with --no-journal.
func (f *journalFlags) newJournals(log *slog.Logger) (*journals.Journals, error) {
	switch {
	case f.off && f.keep:
		return nil, cli.UsageError("--keep-journal: --no-journal keeps none")
	case f.off:
		return nil, nil
	}
	return journals.New(journals.Options{Keep: f.keep, Now: cli.Now, Version: cli.Version(), Log: log}), nil
}

package judging

import (
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/dispatchside/own"
)

// ownFlags name the file with the operator's own checks.
type ownFlags struct{ own string }

func (f *ownFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.own, "own", "", `JSON file of checks of your own, {"checks":[{"id":"OWN-01","member":"journeyId","level":"fail","pattern":"HC[0-9]{6}"}]}
(in place of pattern: oneOf, callingCodes, or min and max)`)
}

// read reads the own checks; without a file there are none.
func (f *ownFlags) read() ([]own.Rule, error) {
	if f.own == "" {
		return nil, nil
	}
	file, err := openFile("own", f.own)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	firm, err := own.Read(file)
	if err != nil {
		return nil, cli.UsageError("--own %s: %w", f.own, err)
	}
	return firm, nil
}

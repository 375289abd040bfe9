package judging

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance/dispatchside"
)

// paceFlags limit the requests to a server.
type paceFlags struct {
	rate        string
	maxBookings int
	keepGoing   bool
	maxTime     time.Duration
	wait        time.Duration
	readOnly    bool
}

func (f *paceFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.rate, "rate", "", "maximum request rate, such as 10/s or 90/m (default no limit; a 429 slows the run down)")
	fs.IntVar(&f.maxBookings, "max-bookings", 0, "maximum number of bookings; checks that need more are not verified (default no limit)")
	fs.DurationVar(&f.maxTime, "max-time", 5*time.Minute, "time limit of the run, including cancellations; the least important checks are then not verified (0: no limit)")
	fs.DurationVar(&f.wait, "wait", 0, "how long to wait for a server that is starting")
	fs.BoolVar(&f.readOnly, "read-only", false, "call neither /book nor /cancel; checks that need them are not verified")
	fs.BoolVar(&f.keepGoing, "keep-going", false, "continue to book even if a journey could not be cancelled")
}

// apply sets the limits of a target.
func (f *paceFlags) apply(t *dispatchside.Target) (err error) {
	t.ReadOnly = f.readOnly
	t.MaxBookings, t.KeepGoing, t.MaxTime, t.Wait = f.maxBookings, f.keepGoing, f.maxTime, f.wait
	if f.maxTime < 0 || f.wait < 0 {
		return cli.UsageError("--max-time and --wait are 0 or more, such as 5m or 60s")
	}
	if f.maxBookings < 0 {
		return cli.UsageError("--max-bookings is %d, want 1 or more", f.maxBookings)
	}
	t.Rate, err = perSecond(f.rate)
	return err
}

// perSecond parses a rate such as "10/s", "10" or "90/m"; "" is no limit.
func perSecond(text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	number, unit, _ := strings.Cut(text, "/")
	seconds, known := map[string]float64{"": 1, "s": 1, "m": 60}[unit]
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !known || !(n > 0 && n <= 1e6) {
		return 0, cli.UsageError("--rate is %q, want calls a second or a minute, such as 10/s or 90/m", text)
	}
	return n / seconds, nil
}

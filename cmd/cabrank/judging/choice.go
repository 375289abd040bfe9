package judging

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/conformance/dispatchside/own"
)

// partFlags select the checks of a suite to run.
type partFlags struct{ only, skip []string }

// add adds the flags; pattern is an example of a pattern for ids of the suite.
func (f *partFlags) add(fs *pflag.FlagSet, pattern string) {
	fs.StringSliceVar(&f.only, "only", nil, fmt.Sprintf("ids of checks, or patterns such as '%s': run only these", pattern))
	fs.StringSliceVar(&f.skip, "skip", nil, "ids of checks, or patterns, to skip")
}

// choose returns the selected ids of a suite; nil: all.
func (f *partFlags) choose(s *conformance.Suite) ([]string, error) {
	for i, names := range [][]string{f.only, f.skip} {
		if _, err := s.Choose(names, nil); err != nil {
			return nil, cli.UsageError("%s: %w%s; 'cabrank explain' lists all", []string{"--only", "--skip"}[i], err, unknownCheckHint(s, err))
		}
	}
	ids, err := s.Choose(f.only, f.skip)
	if err != nil {
		return nil, cli.UsageError("--only, --skip: %w", err)
	}
	return ids, nil
}

// unknownCheckHint returns a hint if err is about an unknown check: the other suite that has it, or else the nearest ids of s.
func unknownCheckHint(s *conformance.Suite, err error) string {
	unknown, ok := errors.AsType[*conformance.UnknownCheckError](err)
	if !ok {
		return ""
	}
	for _, other := range suites() {
		if ids, err := other.suite.Choose([]string{unknown.Name}, nil); err == nil && len(ids) > 0 && other.suite != s {
			return fmt.Sprintf("; it belongs to the suite %s, which 'cabrank %s' runs", other.suite.Name, other.command)
		}
	}
	return nearestTo(unknown.Name, idsOf(s))
}

// idsOf lists the ids of a suite's checks.
func idsOf(s *conformance.Suite) (ids []string) {
	for _, c := range s.Checks {
		ids = append(ids, c.ID)
	}
	return ids
}

// choiceFlags select a part of a suite, and its random walk.
type choiceFlags struct {
	partFlags
	seed uint64
}

func (f *choiceFlags) add(fs *pflag.FlagSet) {
	f.partFlags.add(fs, "BOK-*")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of the random walk (0: another each time); names and phone numbers are new in every run")
}

// newTarget returns the target of a new run: its address, its clock, the seed of its random walk (0: another in every
// run), and a nonce for generated names.
func newTarget(address string, seed uint64) dispatchside.Target {
	nonce := uint64(cli.Now().UnixNano())
	return dispatchside.Target{URL: address, Now: cli.Now, Nonce: nonce, Seed: cmp.Or(seed, nonce)}
}

// apply selects the checks of a run.
func (f *choiceFlags) apply(t *dispatchside.Target, s *conformance.Suite) (err error) {
	t.Only, err = f.choose(s)
	return err
}

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

// perSecond parses a rate such as "10/s", "10" or "90/m", and returns requests per second; 0 for "": no limit.
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

// ownFlags name the file with the operator's own checks.
type ownFlags struct{ own string }

func (f *ownFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.own, "own", "", `JSON file of checks of your own, {"checks":[{"id":"OWN-01","member":"journeyId","level":"fail","pattern":"HC[0-9]{6}"}]}
(in place of pattern: oneOf, callingCodes, or min and max)`)
}

// read returns the own checks in the file of --own; nil: no file is named.
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

// areaFlags say where a server is and which addresses it serves.
type areaFlags struct {
	centre string
	places string
	zone   string
}

func (f *areaFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.centre, "centre", "", "LATITUDE,LONGITUDE of the centre of the served area, for generated addresses (default Leeds)")
	fs.StringVar(&f.places, "places", "", `JSON file [{"address","location":{"longitude","latitude"}}] of addresses to use instead of generated ones`)
	fs.StringVar(&f.zone, "zone", "Europe/London", "time zone of the server, for pickups around daylight-saving changes")
}

// apply sets the time zone and the addresses of a target.
func (f *areaFlags) apply(t *dispatchside.Target) error {
	var err error
	if t.Zone, err = time.LoadLocation(f.zone); err != nil {
		return cli.UsageError("--zone is %q, want a name such as Europe/London", f.zone)
	}
	if f.centre != "" {
		_, err := fmt.Sscanf(strings.ReplaceAll(f.centre, " ", ""), "%g,%g", &t.Centre.Latitude, &t.Centre.Longitude)
		if err != nil || !(math.Abs(t.Centre.Latitude) <= 90 && math.Abs(t.Centre.Longitude) <= 180) { // not a number is neither
			return cli.UsageError("--centre is %q, want LATITUDE,LONGITUDE such as 53.7997,-1.5491", f.centre)
		}
	}
	if f.places == "" {
		return nil
	}
	return f.readPlaces(t)
}

// readPlaces reads the addresses of --places.
func (f *areaFlags) readPlaces(t *dispatchside.Target) error {
	text, err := cli.ReadText(f.places)
	if err != nil {
		return cli.UsageError("--places: %w", err)
	}
	if err := json.Unmarshal(text, &t.Places); err != nil {
		return cli.UsageError(`--places %s: want [{"address","location":{"longitude","latitude"}}]: %w`, f.places, err)
	}
	for i, p := range t.Places {
		if p.Address == "" || p.Location == nil {
			return cli.UsageError("--places %s: entry %d lacks an address or a location", f.places, i+1)
		}
	}
	if len(t.Places) < 2 {
		return cli.UsageError("--places %s: want two addresses at least, to go from one to another", f.places)
	}
	return nil
}

// scoreFlags are the flags that decide how a run is scored.
type scoreFlags struct {
	requirements string
	baseline     string
	claims       []string
	failOn       string
	suite        *conformance.Suite // nil: that of dispatch systems
}

// scoredBy returns the suite that a run is scored by.
func (f *scoreFlags) scoredBy() *conformance.Suite { return cmp.Or(f.suite, &dispatchside.Suite) }

func (f *scoreFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.requirements, "requirements", "1", "set of requirements: 1 or latest")
	fs.StringVar(&f.baseline, "baseline", "", `JSON file of known failures, {"known":[{"id","owner","until","reason"}]}; an unused entry fails the run`)
	fs.StringVar(&f.failOn, "fail-on", string(conformance.Harmful), "what fails the run, in the exit code and in JUnit: a failed must, should or robustness and every level above it, or harm: a must, and any failure that hurts "+strings.Join(f.failingHarms(), ", "))
	fs.StringSliceVar(&f.claims, "claim", nil, "tiers that the server claims to offer: "+strings.Join(f.tiers(), ", ")+"; each must be verified")
}

// tiers lists the values of --claim.
func (f *scoreFlags) tiers() (names []string) {
	for _, t := range f.scoredBy().Tiers {
		names = append(names, t.Name)
	}
	return names
}

// failingHarms lists the harms that fail a run by default.
func (f *scoreFlags) failingHarms() (names []string) {
	for _, h := range f.scoredBy().Harms {
		if h.Grave {
			names = append(names, string(h.Harm))
		}
	}
	return names
}

func (f *scoreFlags) scoring() (conformance.Scoring, error) {
	s := conformance.Scoring{Requirements: f.requirements, FailOn: conformance.Level(f.failOn)}
	if !slices.Contains([]conformance.Level{conformance.Harmful, conformance.Must, conformance.Should, conformance.Robustness}, s.FailOn) {
		return s, cli.UsageError("--fail-on is %q, want harm, must, should or robustness", f.failOn)
	}
	if _, err := f.scoredBy().Required(f.requirements); err != nil {
		return s, cli.UsageError("--requirements: %w", err)
	}
	for _, name := range f.claims {
		tier, err := f.scoredBy().TierNamed(name)
		if err != nil {
			return s, cli.UsageError("--claim: %w", err)
		}
		s.Claims = append(s.Claims, tier)
	}
	if f.baseline == "" {
		return s, nil
	}
	file, err := openFile("baseline", f.baseline)
	if err != nil {
		return s, err
	}
	defer file.Close()
	if s.Baseline, err = conformance.ReadBaseline(file, f.scoredBy()); err != nil {
		return s, cli.UsageError("--baseline %s: %w", f.baseline, err)
	}
	return s, nil
}

package platformapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/matrix"
	"github.com/cabrank/cabrank/conformance/platformapi"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// autumn is when all tests take place.
var autumn = time.Date(2026, time.November, 24, 10, 0, 0, 0, time.UTC)

// life is how long access tokens are good in the tests.
const life = 2 * time.Second

// reference is this project's platform, with a clock that a test moves.
type reference struct {
	http.Handler
	credentials platformapi.Credentials
	platform    *platform.Platform
	records     *records.Records
	line        *voice.Virtual // that calls live by
	ahead       atomic.Int64
}

func (r *reference) now() time.Time {
	return autumn.Add(time.Duration(r.ahead.Load()))
}

func (r *reference) wait(_ context.Context, d time.Duration) { r.ahead.Add(int64(d)) }

var seeds atomic.Uint64

// seeded is what every reference begins with: passwords are slow to hash.
var seeded = sync.OnceValues(func() (*reference, error) {
	ctx := context.Background()
	r, err := opened(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.platform.Seed(ctx); err != nil {
		return nil, err
	}
	c, err := r.platform.Credentials(ctx, platform.Credentials{})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	return r, json.Unmarshal(text, &r.credentials)
})

func opened(ctx context.Context) (*reference, error) {
	r := &reference{}
	var err error
	if r.records, err = records.Open(ctx, ""); err != nil {
		return nil, err
	}
	r.line = voice.NewVirtual(autumn)
	r.platform, err = platform.New(ctx, platform.Options{
		Records: r.records, Now: r.now, Line: r.line, Work: r.line, Random: rand.NewChaCha8([32]byte{byte(seeds.Add(1))}), AccessLife: life,
	})
	return r, err
}

func newReference(ctx context.Context) (*reference, error) {
	from, err := seeded()
	if err != nil {
		return nil, err
	}
	r, err := opened(ctx)
	if err != nil {
		return nil, err
	}
	r.credentials = from.credentials
	err = r.records.Write(ctx, func(tx *records.Tx) error {
		o := from.records.Organisations()[0]
		errs := []error{r.records.AddOrganisation(ctx, tx, o)}
		for _, u := range from.records.Users(o.ID) {
			errs = append(errs, r.records.PutUser(ctx, tx, *u))
		}
		for _, a := range from.records.Accounts(o.ID) {
			errs = append(errs, r.records.PutAccount(ctx, tx, *a))
			for _, n := range from.records.DDIs(a.ID) {
				errs = append(errs, r.records.AddDDI(ctx, tx, *n))
			}
		}
		return errors.Join(errs...)
	})
	r.Handler = r.platform.Handler()
	return r, err
}

func (r *reference) stop() {
	_ = r.platform.Close(context.Background()) // nothing of it is looked at any more
	_ = r.records.Close()
}

// target returns a target for tests of the reference at an address.
func (r *reference) target(url string, now func() time.Time) platformapi.Target {
	return platformapi.Target{URL: url, Credentials: r.credentials, Now: now, Nonce: seeds.Add(1) * 7919, Wait: r.wait}
}

// sound makes a reference for a matrix.
func sound(ctx context.Context) (matrix.Subject, error) {
	r, err := newReference(ctx)
	if err != nil {
		return matrix.Subject{}, err
	}
	return matrix.Subject{Handler: r, Now: r.now, Stop: r.stop, Test: func(ctx context.Context, at matrix.Place) (*conformance.Report, error) {
		target := r.target(at.URL, at.Now)
		target.VoiceURL, target.Only = at.URL, at.Only
		target.TLS, target.Transport, target.AllowHost = at.TLS, at.Transport, true // every port is on this machine
		return platformapi.Run(ctx, target)
	}}, nil
}

// counts returns how many verdicts there are of each outcome, and lists those that are not green.
func counts(report *conformance.Report) string {
	n := map[conformance.Outcome]int{}
	text := ""
	for _, c := range report.Checks {
		n[c.Outcome]++
		if c.Outcome != conformance.Pass && c.Outcome != conformance.Seen {
			text += fmt.Sprintf("\n%s@%s %s %+v", c.ID, c.Operation, c.Outcome, c.Findings)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(n)) {
		text = fmt.Sprintf("%s %d, ", k, n[k]) + text
	}
	return text
}

// TestReferencePassesEveryCheck checks that the reference passes three times in a row, since it stores what the earlier runs made.
func TestReferencePassesEveryCheck(t *testing.T) {
	t.Parallel()
	r, err := newReference(t.Context())
	require.NoError(t, err)
	t.Cleanup(r.stop)
	url := serve(t, r)
	runs := 3
	if testing.Short() {
		runs = 1
	}
	for range runs {
		report, err := platformapi.Run(t.Context(), r.target(url, r.now))
		require.NoError(t, err)
		require.Equal(t, conformance.ExitPass, report.ExitCode(), "%v\n%s", report.Reasons(), counts(report))
		require.Zero(t, report.Summary.Fail+report.Summary.Warn+report.Summary.Error, counts(report))
		for _, c := range report.Checks {
			require.True(t, c.Outcome != conformance.NotVerified || c.ID == "VOI-14", "%s: %+v", c.ID, c.Findings)
		}
		require.Greater(t, report.Summary.Executed, 150)
		r.line.Advance(time.Minute) // the calls end
	}
}

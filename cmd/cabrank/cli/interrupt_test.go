package cli_test

import (
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// TestTwoSignalsAtOnceCountAsOne sends SIGTERM twice within milliseconds, as timeout(1) does, and
// later a second time.
func TestTwoSignalsAtOnceCountAsOne(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC)
	var passed atomic.Int64
	asked, ended, signals := make(chan struct{}), make(chan struct{}), make(chan os.Signal)
	now := func() time.Time {
		at := began.Add(time.Duration(passed.Load()))
		asked <- struct{}{}
		return at
	}
	ctx := cli.Interruptible(t.Context(), signals, now, func() { close(ended) })
	require.NoError(t, ctx.Err())
	for _, s := range []struct {
		after time.Duration
		ends  bool
	}{{0, false}, {3 * time.Millisecond, false}, {999 * time.Millisecond, false}, {time.Second, true}} {
		passed.Store(int64(s.after))
		signals <- syscall.SIGTERM
		<-asked
		<-ctx.Done()
		if s.ends {
			<-ended
			continue
		}
		select {
		case <-ended:
			t.Fatalf("a signal %s after the first ends it", s.after)
		default:
		}
	}
	close(signals)
}

// TestNoSignalInterruptsNothing stops listening without having received a signal.
func TestNoSignalInterruptsNothing(t *testing.T) {
	t.Parallel()
	signals := make(chan os.Signal)
	ctx := cli.Interruptible(t.Context(), signals, time.Now, func() { t.Error("ended") })
	require.NoError(t, ctx.Err())
	close(signals)
	<-ctx.Done()
}

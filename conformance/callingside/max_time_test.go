package callingside_test

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// actor acts out requests as act does.
type actor struct {
	act func(ctx context.Context) callingside.Acted

	mu   sync.Mutex
	acts int
}

func (a *actor) Name() string { return "http://127.0.0.1/drive" }

func (a *actor) Act(ctx context.Context, _ rules.Task) callingside.Acted {
	a.mu.Lock()
	a.acts++
	a.mu.Unlock()
	return a.act(ctx)
}

// TestRunEndsWithinItsTimeLimit checks that a run ends at its time limit with a platform that is slow and with one that
// never answers, and that no check fails for lack of time.
func TestRunEndsWithinItsTimeLimit(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	now := time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC)
	clock := func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	slow := &actor{act: func(context.Context) callingside.Acted {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Minute)
		return callingside.Acted{Answer: &rules.Answer{Outcome: rules.OutcomeCompleted}}
	}}
	silent := &actor{act: func(ctx context.Context) callingside.Acted {
		<-ctx.Done()
		return callingside.Acted{Failed: "no answer at the drive address"}
	}}
	for _, row := range []struct {
		who  *actor
		now  func() time.Time
		most time.Duration
		acts int
	}{
		{slow, clock, 5 * time.Minute, 5},
		{silent, time.Now, 500 * time.Millisecond, 1}, // enough to begin, on any machine
	} {
		listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		report, err := callingside.Run(t.Context(), callingside.Options{
			Listener: listener, Actor: row.who, Now: row.now, Wait: func(context.Context, time.Duration) {}, Width: 1, MaxTime: row.most,
		})
		require.NoError(t, err)
		require.Equal(t, row.acts, row.who.acts)
		require.Equal(t, conformance.ExitUnreachable, report.ExitCode(), "the run was given too little: %v", report.Reasons())
		late := 0
		for _, c := range report.Checks {
			require.NotEqual(t, conformance.Fail, c.Outcome, "%s: who had no time is not to blame", c.ID)
			if len(c.Findings) > 0 && c.Findings[0].Reason != nil && c.Findings[0].Reason.Kind == conformance.OutOfTime {
				late++
			}
		}
		require.Greater(t, late, 20)
	}
}

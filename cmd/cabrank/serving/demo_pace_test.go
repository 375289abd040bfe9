package serving

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheWorldSlowsDownForCalls follows the speed of a demo's world through calls.
func TestTheWorldSlowsDownForCalls(t *testing.T) {
	speed := 20
	p := newPace(1, func() int { return speed }, func(to int) error { speed = to; return nil })
	for _, step := range []struct {
		calls, set int // set: somebody sets this speed, before the call; 0: nobody does
		want       int
	}{
		{calls: 1, want: 1},
		{calls: 2, want: 1},
		{calls: 1, want: 1},
		{calls: 0, want: 20}, // two calls
		{calls: 1, want: 1},
		{calls: 0, set: 60, want: 60}, // somebody else has set it
		{calls: 1, want: 1},
		{calls: 0, want: 60},
		{calls: 1, set: 1, want: 1},
		{calls: 0, want: 1}, // it is slow anyway
	} {
		if step.set > 0 {
			speed = step.set
		}
		p.live(step.calls)
		<-p.news
		p.adjust()
		require.Equal(t, step.want, speed, "%+v", step)
	}
	p.live(1)
	p.live(2) // waits for nobody
}

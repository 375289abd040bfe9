package voice_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest/golden"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// TestCausesOfSIPStatuses checks the table of causes, states and outcomes for all SIP statuses against a golden file.
func TestCausesOfSIPStatuses(t *testing.T) {
	var b strings.Builder
	for sip := 200; sip < 700; sip++ {
		cause, state := voice.CauseOf(sip), voice.StateOf(sip)
		if sip%100 != 0 && cause.Q850 == voice.CauseOf(sip/100*100+99).Q850 && state == voice.StateOf(sip/100*100+99) {
			continue // as its class
		}
		fmt.Fprintf(&b, "%d  %-9s  %3d  %s\n", sip, state, cause.Q850, voice.OutcomeOf(state))
	}
	golden.Equal(t, "testdata/causes.golden", b.String())
}

func TestCallStateTransitions(t *testing.T) {
	all := []voice.State{
		voice.StateQueued, voice.StateTrying, voice.StateRinging, voice.StateEarlyMedia, voice.StateInProgress,
		voice.StateCompleted, voice.StateBusy, voice.StateNoAnswer, voice.StateFailed, voice.StateCanceled,
	}
	for i, from := range all {
		require.Equal(t, i >= 5, from.Final(), from)
		for j, to := range all {
			require.False(t, from.May(to) && j <= i, "%s goes back to %s", from, to)
		}
		require.Equal(t, from == voice.StateInProgress, from.May(voice.StateCompleted), "only what was answered completes")
	}
}

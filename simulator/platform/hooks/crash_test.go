package hooks_test

import (
	crand "crypto/rand"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/hooks"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// victim is the variable that makes this test binary the process to be killed:
// it names the database that it opens.
const victim = "HOOKS_TEST_VICTIM"

// TestNoEventIsLostWhenKilled checks that no event is lost when the process that delivers events is killed and
// another one continues: the receiver gets all events up to some number, without a gap.
func TestNoEventIsLostWhenKilled(t *testing.T) {
	if path := os.Getenv(victim); path != "" {
		publishMuch(t, path)
	}
	h := newHouse(t)
	enough := make(chan struct{})
	h.mu.Lock() // another process calls: nothing else orders its requests after this
	h.answer = func(received, http.ResponseWriter) {
		if len(h.got) == 300 {
			close(enough)
		}
	}
	h.mu.Unlock()
	h.hook("h")
	h.close()
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestNoEventIsLostWhenKilled$")
	child.Env = append(os.Environ(), victim+"="+h.path)
	child.Stderr = os.Stderr
	require.NoError(t, child.Start())
	select {
	case <-enough:
	case <-time.After(time.Minute):
		t.Error("the process delivers nothing")
	}
	require.NoError(t, child.Process.Kill())
	_ = child.Wait() // it was killed: that is its error

	h.clock.Advance(time.Since(h.clock.Now())) // to where the process was
	h.open()
	h.clock.Advance(time.Minute)
	seen := map[string]bool{}
	for _, body := range h.bodies() {
		seen[body] = true
	}
	require.GreaterOrEqual(t, len(seen), 300)
	for i := range len(seen) {
		require.True(t, seen[fmt.Sprint(i)], "event %d of %d is lost", i, len(seen))
	}
	require.Len(t, h.states(), 1, "nothing is left pending")
}

// publishMuch publishes 2000 events in the process that is killed.
func publishMuch(t *testing.T, path string) {
	h := &house{t: t, path: path, chance: access.NewChance(crand.Reader)}
	h.openOn(voice.NewWall(time.Now, 1), hooks.Normal)
	for i := range 2000 {
		h.deliverer.Publish(hooks.Event{Account: "a", Call: fmt.Sprint(i % 20), Type: "call.test", Body: fmt.Append(nil, i)})
	}
	select {}
}

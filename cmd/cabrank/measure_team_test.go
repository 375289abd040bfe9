//go:build unix

package main

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance/client"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/replica"
)

// measures skips a test unless MEASURE is set.
func measures(t *testing.T) {
	t.Helper()
	if os.Getenv("MEASURE") == "" {
		t.Skip("MEASURE=1 measures")
	}
}

// machine describes what else the machine does.
func machine(t *testing.T) string {
	t.Helper()
	load, _ := os.ReadFile("/proc/loadavg") // elsewhere there is none
	return "load " + strings.TrimSpace(string(load))
}

// times are durations that were measured.
type times []time.Duration

// part returns the time that a part of them, in per cent, does not exceed.
func (d times) part(percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(d))
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}

// String returns the middle, the 99th percentile and the longest.
func (d times) String() string {
	round := func(t time.Duration) time.Duration { return t.Round(10 * time.Microsecond) }
	return fmt.Sprintf("p50 %s, p99 %s, longest %s of %d", round(d.part(50)), round(d.part(99)), round(d.part(100)), len(d))
}

// id returns the id of a replica.
func (p *process) id() string {
	p.T.Helper()
	resp, err := http.Get(p.URL + "/livez")
	require.NoError(p.T, err)
	require.NoError(p.T, resp.Body.Close())
	return resp.Header.Get(replica.ReplicaHeader)
}

// ownerOf returns the replica that runs a world, and the others.
func (r *replicas) ownerOf(world string) (owner *process, others []*process) {
	r.t.Helper()
	live, id := r.list(), ""
	f := &front{world: world, choose: func() *process { return live[0] }, seen: func(a answer) { id = a.replica }}
	require.Eventually(r.t, func() bool { return f.answers(r.t) }, time.Minute, 10*time.Millisecond)
	for _, p := range live {
		if p.id() == id {
			owner = p
		} else {
			others = append(others, p)
		}
	}
	require.NotNil(r.t, owner)
	return owner, others
}

// bookMany makes journeys of the main world that stay live, half of them for tomorrow.
func bookMany(t *testing.T, c *taxi.Client, n int) (last taxi.JourneyRef) {
	t.Helper()
	places := fixtures.Places()
	var booking sync.WaitGroup
	refs := make([]taxi.JourneyRef, 8)
	for i := range refs {
		booking.Go(func() {
			for k := i; k < n; k += len(refs) {
				number := taxi.E164(fmt.Sprintf("+4420%d", 79_000_000+k))
				j, err := c.Book(t.Context(), taxi.BookRequest{
					Name: fmt.Sprint("Live ", k), PhoneNumber: number, Pickup: &places[0].Address, Dropoffs: []taxi.Address{places[1].Address},
					PickupTime: taxi.At(time.Now().Add(time.Duration(k%2*24) * time.Hour).Truncate(time.Second)),
				})
				if err != nil {
					t.Error(err)
					return
				}
				u, err := c.User(t.Context(), taxi.UserRequest{PhoneNumber: number.Digits()})
				if err != nil {
					t.Error(err)
					return
				}
				refs[i] = taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID}
			}
		})
	}
	booking.Wait()
	return refs[0]
}

// TestMeasureTakeOver measures how long a world with 1,000 live journeys has no owner after a
// kill -9 of the one that it had, and after SIGTERM: from the signal to the 200 of another
// replica, which is asked all the time.
func TestMeasureTakeOver(t *testing.T) {
	measures(t)
	r := startReplicas(t, program(t, true), 3)
	owner, _ := r.ownerOf("")
	ref := bookMany(t, owner.client(), 1000)
	for _, how := range []struct {
		name   string
		signal syscall.Signal
		within time.Duration
	}{{"kill -9", syscall.SIGKILL, 5 * time.Second}, {"SIGTERM", syscall.SIGTERM, 500 * time.Millisecond}} {
		var took times
		for range 20 {
			took = append(took, r.takeOver(how.signal, ref))
		}
		t.Logf("take-over after %s with 1,000 live journeys: %s; asked: %s; %s", how.name, took, how.within, machine(t))
	}
}

// takeOver ends the owner of the main world, and measures until another replica answers
// for a journey of it.
func (r *replicas) takeOver(signal syscall.Signal, ref taxi.JourneyRef) time.Duration {
	r.t.Helper()
	owner, others := r.ownerOf("")
	was, by := owner.id(), ""
	f := &front{choose: func() *process { return others[0] }, seen: func(a answer) { by = a.replica }}
	c := f.client(r.t)
	began := time.Now()
	require.NoError(r.t, owner.Cmd.Process.Signal(signal))
	for {
		j, err := c.Status(r.t.Context(), ref)
		if err == nil && by != was {
			require.Equal(r.t, ref.JourneyID, j.JourneyID)
			break
		}
		client.Pause(r.t.Context(), 2*time.Millisecond)
		require.Less(r.t, time.Since(began), time.Minute, "%v", err)
	}
	took := time.Since(began)
	<-owner.Ended
	r.remove(owner)
	r.start()
	return took
}

// TestMeasurePassing compares /status at the owner of a world with /status that another replica
// passes on, one after the other.
func TestMeasurePassing(t *testing.T) {
	measures(t)
	r := startReplicas(t, program(t, true), 2)
	owner, others := r.ownerOf("")
	ref := bookMany(t, owner.client(), 100)
	var local, passed times
	timed := func(c *taxi.Client, into *times) {
		began := time.Now()
		_, err := c.Status(t.Context(), ref)
		require.NoError(t, err)
		*into = append(*into, time.Since(began))
	}
	here, there := owner.client(), others[0].client()
	for range 10_000 {
		timed(here, &local)
		timed(there, &passed)
	}
	t.Logf("/status of the owner: %s", local)
	t.Logf("/status passed on: %s; more: p50 %s, p99 %s; asked: 500µs; %s", passed,
		passed.part(50)-local.part(50), passed.part(99)-local.part(99), machine(t))
}

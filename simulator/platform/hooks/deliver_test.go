package hooks_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/hooks"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// failing returns an answer that fails the first n times with a status.
func failing(n, status int, headers ...string) func(received, http.ResponseWriter) {
	return func(_ received, w http.ResponseWriter) {
		if n--; n >= 0 {
			for i := 0; i < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(status)
		}
	}
}

func TestEventsOfACallArriveInOrder(t *testing.T) {
	h := newHouse(t)
	h.hook("h")
	want := []string{}
	for i := range 50 {
		want = append(want, fmt.Sprint(i))
	}
	h.publish("c", want...)
	h.clock.Advance(0)
	require.Equal(t, want, h.bodies())
	require.Equal(t, map[records.State]int{records.Delivered: 50}, h.states())
}

// TestRetriesFollowTheSchedule checks that failed deliveries are repeated at the intervals of the schedule, with the same id.
func TestRetriesFollowTheSchedule(t *testing.T) {
	h := newHouse(t)
	h.hook("h")
	h.answer = failing(4, http.StatusInternalServerError)
	h.publish("c", "one")
	h.clock.Advance(24 * time.Hour)
	require.Len(t, h.got, 5)
	for i, r := range h.got[1:] {
		wait := r.at.Sub(h.got[i].at)
		require.InDelta(t, hooks.Normal[i+1].Seconds(), wait.Seconds(), 0.11*hooks.Normal[i+1].Seconds(), "attempt %d", i+2)
		require.Equal(t, h.got[0].header.Get(hooks.HeaderID), r.header.Get(hooks.HeaderID), "the same id each time")
	}
	require.Equal(t, map[records.State]int{records.Delivered: 1}, h.states())
}

// TestFailingEventDelaysLaterOnesOnlyBriefly checks that an event that fails repeatedly delays later events of its call for three attempts
// only, and that it can be sent again after the last attempt.
func TestFailingEventDelaysLaterOnesOnlyBriefly(t *testing.T) {
	h := newHouse(t)
	h.hook("h")
	h.answer = func(r received, w http.ResponseWriter) {
		if r.body == "bad" {
			w.WriteHeader(http.StatusBadRequest)
		}
	}
	h.publish("c", "bad", "good")
	h.publish("other", "else")
	h.clock.Advance(time.Minute)
	require.ElementsMatch(t, []string{"bad", "else", "bad"}, h.bodies(), "two attempts hold up the call, and no other")
	h.clock.Advance(time.Hour)
	require.Contains(t, h.bodies(), "good")
	h.clock.Advance(24 * time.Hour)
	require.Equal(t, map[records.State]int{records.Delivered: 2, records.Dead: 1}, h.states())
	require.Equal(t, len(hooks.Normal), strings.Count(strings.Join(h.bodies(), " "), "bad"))

	h.answer = func(received, http.ResponseWriter) {}
	dead, err := h.records.Deliveries(t.Context(), records.DeliveryFilter{State: records.Dead, Most: 5})
	require.NoError(t, err)
	require.Equal(t, "it answered 400", dead[0].Error)
	require.NoError(t, h.deliverer.Redeliver(t.Context(), dead[0].ID))
	h.clock.Advance(0)
	require.Equal(t, map[records.State]int{records.Delivered: 3}, h.states())
	require.ErrorIs(t, h.deliverer.Redeliver(t.Context(), "nowhere"), &api.Problem{Code: api.CodeNotFound})
}

func TestRetryAfterIsHeeded(t *testing.T) {
	for _, row := range []struct {
		status int
		header string
		wait   time.Duration
	}{
		{http.StatusTooManyRequests, "600", 10 * time.Minute},
		{http.StatusServiceUnavailable, morning.Add(time.Hour).Format(http.TimeFormat), time.Hour},
		{http.StatusServiceUnavailable, "nonsense", 5 * time.Second},
		{http.StatusInternalServerError, "600", 5 * time.Second},
	} {
		h := newHouse(t)
		h.hook("h")
		h.answer = failing(1, row.status, "Retry-After", row.header)
		h.publish("c", "x")
		h.clock.Advance(24 * time.Hour)
		require.Len(t, h.got, 2)
		require.InDelta(t, row.wait.Seconds(), h.got[1].at.Sub(h.got[0].at).Seconds(), 1, "%+v", row)
	}
}

func TestStatusGoneDisablesTheHook(t *testing.T) {
	h := newHouse(t)
	h.hook("h")
	h.answer = failing(1, http.StatusGone)
	h.publish("c", "one", "two")
	h.clock.Advance(time.Hour)
	h.publish("c", "three")
	h.clock.Advance(time.Hour)
	require.Equal(t, []string{"one"}, h.bodies())
	require.Equal(t, []string{"h"}, h.disabled)
	require.Equal(t, map[records.State]int{records.Dead: 2}, h.states(), "what waited is kept, what came later is not for it")
	h.hook("h")
	h.publish("c", "four")
	h.clock.Advance(time.Hour)
	require.Equal(t, []string{"one", "four"}, h.bodies(), "its owner switched it on again")
}

// TestPendingDeliveriesSurviveARestart checks that a new process delivers the events that were pending, in order and with
// the same ids.
func TestPendingDeliveriesSurviveARestart(t *testing.T) {
	h := newHouse(t)
	h.hook("h")
	h.answer = failing(1, http.StatusBadGateway)
	h.publish("c", "one", "two")
	h.clock.Advance(time.Second)
	h.close()
	h.open()
	h.clock.Advance(time.Minute)
	require.Equal(t, []string{"one", "one", "two"}, h.bodies())
	require.Equal(t, h.got[0].header.Get(hooks.HeaderID), h.got[1].header.Get(hooks.HeaderID))
	require.Equal(t, map[records.State]int{records.Delivered: 2}, h.states())
}

// TestEventIsSentToEveryEventHook checks that an event is sent to each event hook of its account, in the order of their priority, and to
// no other hook.
func TestEventIsSentToEveryEventHook(t *testing.T) {
	h := newHouse(t)
	h.hook("events")
	h.hook("more events", func(x *api.Hook) { x.Priority = -1 })
	h.hook("a flow", func(x *api.Hook) { x.App = api.AppFlow })
	h.publish("c", "x")
	h.clock.Advance(0)
	require.Len(t, h.got, 2)
	all, err := h.records.Deliveries(t.Context(), records.DeliveryFilter{Account: "a", Most: 9})
	require.NoError(t, err)
	require.Equal(t, "more events", all[1].Hook, "the lower priority first")
	h.deliverer.Publish(hooks.Event{Account: "nobody", Call: "c", Type: "call.test", Body: []byte("x")})
	h.clock.Advance(0)
	require.Len(t, h.got, 2)
}

func TestHookAuthTypesSetTheirHeaders(t *testing.T) {
	h := newHouse(t)
	for _, row := range []struct {
		name   string
		change func(*api.Hook)
		want   map[string]string
	}{
		{"disabled", func(*api.Hook) {}, map[string]string{"Authorization": "", "X-Key": ""}},
		{"key", func(x *api.Hook) { x.AuthType, x.APIKeyName, x.APIKeyValue = api.AuthKey, "X-Key", "k" }, map[string]string{"X-Key": "k"}},
		{"key and secret", func(x *api.Hook) {
			x.AuthType, x.APIKeyName, x.APIKeyValue, x.APISecretName, x.APISecretValue = api.AuthKeySecret, "X-Key", "k", "X-Secret", "s"
		}, map[string]string{"X-Key": "k", "X-Secret": "s"}},
		{
			"basic", func(x *api.Hook) { x.AuthType, x.APIKeyValue, x.APISecretValue = api.AuthBasic, "u", "p" },
			map[string]string{"Authorization": "Basic dTpw"},
		},
	} {
		h.hook("h", row.change)
		h.publish(row.name, "{}")
		h.clock.Advance(0)
		got := h.got[len(h.got)-1].header
		for name, value := range row.want {
			require.Equal(t, value, got.Get(name), row.name)
		}
		require.Equal(t, "application/json", got.Get("Content-Type"))
		require.Empty(t, got.Get(hooks.HeaderSignature), "no secret, no signature")
	}
}

// TestSignatureFollowsStandardWebhooks checks the signature against the example of the Standard Webhooks specification, and that deliveries
// are signed.
func TestSignatureFollowsStandardWebhooks(t *testing.T) {
	require.Equal(t, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
		hooks.Sign("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`)))
	require.Empty(t, hooks.Sign("whsec_!", "id", morning, nil))
	h := newHouse(t)
	const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"
	h.hook("h", func(x *api.Hook) { x.Secret = secret })
	h.publish("c", `{"a":1}`)
	h.clock.Advance(0)
	got := h.got[0].header
	require.Equal(t, fmt.Sprint(morning.Unix()), got.Get(hooks.HeaderTimestamp))
	require.Equal(t, hooks.Sign(secret, got.Get(hooks.HeaderID), morning, []byte(`{"a":1}`)), got.Get(hooks.HeaderSignature))
}

// TestEventIsStoredIfClosedBeforeDelivery checks that an event is stored if the deliverer is closed before it could start to
// work.
func TestEventIsStoredIfClosedBeforeDelivery(t *testing.T) {
	h := newHouse(t)
	h.hook("h")
	h.close()
	h.openOn(voice.NewVirtual(morning), hooks.Normal)
	h.publish("c", "one")
	require.NoError(t, h.deliverer.Close())
	pending, err := h.records.PendingDeliveries(t.Context())
	require.NoError(t, err)
	require.Len(t, pending, 1, "the event is kept")
}

// TestPendingBytesPerAccountAreLimited checks that at most 16 MiB of events wait for the hooks of an account. Further ones are
// dead at once and stored without bodies, a hook without pending events still receives its own, and there is space
// again after the others are delivered.
func TestPendingBytesPerAccountAreLimited(t *testing.T) {
	h := newHouse(t)
	h.hook("one")
	h.hook("other")
	down := true
	h.answer = func(r received, w http.ResponseWriter) {
		if down && r.body != "short" {
			w.WriteHeader(http.StatusBadGateway)
		}
	}
	long := strings.Repeat("x", 1<<20)
	for i := range 20 {
		h.publish(fmt.Sprint(i), long)
	}
	h.clock.Advance(time.Second)
	require.Equal(t, map[records.State]int{records.Pending: 16, records.Dead: 24}, h.states())
	dead, err := h.records.Deliveries(t.Context(), records.DeliveryFilter{State: records.Dead, Most: 1})
	require.NoError(t, err)
	kept, _, err := h.records.Delivery(t.Context(), dead[0].ID)
	require.NoError(t, err)
	require.Empty(t, kept.Body)
	require.Contains(t, kept.Error, "16 MiB")
	require.ErrorIs(t, h.deliverer.Redeliver(t.Context(), kept.ID), &api.Problem{Code: api.CodeConflict})
	h.hook("healthy")
	h.publish("c", "short")
	h.clock.Advance(time.Second)
	require.Equal(t, map[records.State]int{records.Pending: 16, records.Dead: 26, records.Delivered: 1}, h.states(), "of the short ones those to the hooks that are down are dead")

	h.close()
	h.open()
	h.publish("d", long)
	h.clock.Advance(0)
	require.Equal(t, map[records.State]int{records.Pending: 17, records.Dead: 28, records.Delivered: 1}, h.states(), "a restart forgets nothing of what waits")
	down = false
	h.clock.Advance(time.Hour)
	h.publish("c", "short")
	h.clock.Advance(0)
	require.Equal(t, map[records.State]int{records.Delivered: 21, records.Dead: 28}, h.states())
}

// TestConcurrentRedeliveriesSendOnce checks that only one of 40 simultaneous requests to send a delivery again succeeds.
func TestConcurrentRedeliveriesSendOnce(t *testing.T) {
	h := newHouse(t)
	h.hook("h")
	h.publish("c", "one")
	h.clock.Advance(0)
	list, err := h.records.Deliveries(t.Context(), records.DeliveryFilter{Most: 5})
	require.NoError(t, err)
	asked := make(chan struct{})
	h.answer = func(received, http.ResponseWriter) { <-asked } // once it is over it may be sent again
	var taken atomic.Int32
	var asking sync.WaitGroup
	for range 40 {
		asking.Go(func() {
			if h.deliverer.Redeliver(t.Context(), list[0].ID) == nil {
				taken.Add(1)
			}
		})
	}
	asking.Wait()
	close(asked)
	require.EqualValues(t, 1, taken.Load())
	h.clock.Advance(0)
	require.Equal(t, []string{"one", "one"}, h.bodies())
}

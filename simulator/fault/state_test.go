package fault_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/simulator/fault"
)

// TestRestoredFaultsContinueWithTheirCounts checks that a set that is restored from the state of another behaves like
// that one: its counts, windows, random choices and defined numbers continue.
func TestRestoredFaultsContinueWithTheirCounts(t *testing.T) {
	t.Parallel()
	changes := 0
	w := begin(t, func(o *fault.Options) { o.Changed = func() { changes++ } })
	for _, rule := range []string{
		`{"window":{"times":1},"do":{"kind":"status","status":418}}`,
		`{"id":"third","match":{"nth":3},"do":{"kind":"status","status":404}}`,
		`{"id":"often","match":{"probability":0.5},"window":{"ttl":"10m"},"do":{"kind":"status","status":503}}`,
		`{"id":"soon","window":{"skip":1,"times":2,"from":"2026-06-01T08:20:00Z"},"do":{"kind":"status","status":503,"retryAfter":"30s"}}`,
	} {
		w.add(rule)
	}
	scenario, err := fault.Read([]byte(`{"id":"play","do":{"kind":"delay","for":"2s"}}`))
	require.NoError(t, err)
	_, err = w.set.AddScenario(scenario)
	require.NoError(t, err)
	_, err = w.set.Define(907, fault.Do{Kind: "status", Status: 429})
	require.NoError(t, err)
	require.Equal(t, 6, changes)
	w.statuses(3)
	require.Equal(t, 6+3+1, changes, "a rule has seen each, and one has ended")

	text, err := w.set.State()
	require.NoError(t, err)
	again := begin(t)
	require.NoError(t, again.host.World().Clock().AdvanceTo(t.Context(), w.now()))
	require.NoError(t, again.set.Restore(text))
	for range 3 {
		require.Equal(t, w.set.List(), again.set.List())
		require.Equal(t, w.set.Magic()[len(fault.MagicNumbers()):], again.set.Magic()[len(fault.MagicNumbers()):])
		require.Equal(t, w.set.Summary(), again.set.Summary())
		require.Equal(t, w.statuses(12), again.statuses(12), "chance goes on, too")
		for _, one := range []*world{w, again} {
			require.NoError(t, one.host.World().Clock().Advance(t.Context(), 10*time.Minute))
		}
	}
	require.Equal(t, "f-2", w.add(`{"do":{"kind":"status"}}`).ID)
	require.Equal(t, "f-2", again.add(`{"do":{"kind":"status"}}`).ID)
	was, err := w.set.State()
	require.NoError(t, err)
	is, err := again.set.State()
	require.NoError(t, err)
	require.Equal(t, string(was), string(is))
}

func TestANewSetHasNoState(t *testing.T) {
	t.Parallel()
	w := begin(t)
	text, err := w.set.State()
	require.NoError(t, err)
	require.Equal(t, fault.NoState, string(text))
	w.add(`{"id":"one","do":{"kind":"status"}}`)
	require.NoError(t, w.set.Restore(text))
	require.Empty(t, w.set.List())
	require.Equal(t, []int{200}, w.statuses(1))
}

// TestStateOfEarlierVersionsIsRestored checks that faults in a stored state may have the names and
// parameters of earlier programs.
func TestStateOfEarlierVersionsIsRestored(t *testing.T) {
	t.Parallel()
	w := begin(t)
	for was, is := range map[string]string{
		`"kind":"restart"`:                          "restart",
		`"kind":"close"`:                            "close",
		`"kind":"delay","for":"2s"`:                 "delay for=2s",
		`"kind":"truncate","bytes":5`:               "close part=body bytes=5",
		`"kind":"redirect","status":301,"text":"x"`: "status value=x status=301",
		`"kind":"field-null","field":"/date"`:       "member member=/date form=null",
		`"kind":"odd-name","text":"rtl"`:            "odd-name form=rtl",
		`"kind":"cancel-answers"`:                   "member member=/status value=CANCELED part=journey",
	} {
		require.NoError(t, w.set.Restore([]byte(`{"numbers":{"900":{`+was+`}}}{"rule":{"id":"one","do":{`+was+`}}}`)), was)
		rule, numbers := w.set.List()[0], w.set.Magic()
		require.Equal(t, is, rule.Do.String())
		require.Equal(t, rule.Do, *numbers[len(numbers)-1].Do, "with its defaults")
	}
	require.NoError(t, w.set.Restore([]byte(`{}{"rule":{"do":{"kind":"cancel-answers"}}}`)))
	require.Equal(t, fault.Cancel, w.set.List()[0].Match.Op)
}

// TestInvalidStateLeavesFaultsUnchanged checks that an invalid state is refused, and leaves the
// set as it is.
func TestInvalidStateLeavesFaultsUnchanged(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.add(`{"id":"one","do":{"kind":"status"}}`)
	for text, says := range map[string]string{
		`{`:     "restore the faults: ",
		"{}\n{": "restore a rule: ",
		`{}{"rule":{"id":"two","do":{"kind":"earthquake"}}}`: "restore the rule two: ",
		`{"numbers":{"17":{"kind":"status"}}}`:               "restore the number 17: /number is 17, want 900 to 999",
	} {
		require.ErrorContains(t, w.set.Restore([]byte(text)), says)
		require.Len(t, w.set.List(), 1)
	}
}

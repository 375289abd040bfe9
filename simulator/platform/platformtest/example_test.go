package platformtest_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/simulator/platform/platformtest"
)

// books are the steps of a caller who wants a taxi now, from the first offered place to the first offered place.
var books = []platformtest.Step{
	platformtest.Expect("press 1"), platformtest.Press("1"),
	platformtest.Expect("for now, press 1"), platformtest.Press("1"),
	platformtest.Expect("where to"), platformtest.Press("1"),
	platformtest.Expect("to book it, press 1"), platformtest.Press("1"),
	platformtest.Expect("goodbye"),
}

// In a real test, t is the *testing.T, and the dispatch system is the one under test; in this example, a simulated
// one takes its place.
func ExamplePlatform_Call() {
	t := newT()
	defer t.end()

	d := dispatchtest.New(t, dispatchtest.Options{})
	p := platformtest.New(t, platformtest.Options{ThirdParty: d.URL()})
	call := p.Call("442079460002", books...)
	fmt.Println(call.Heard("your taxi is booked"), d.Latest().Status)

	// Output:
	// true WAITING
}

// TestUnmetExpectationFailsTheTest checks that a call in which an expected prompt does not come, or to an
// invalid number, fails the test, and that the log shows the transcript without the full number.
func TestUnmetExpectationFailsTheTest(t *testing.T) {
	inner := newT()
	p := platformtest.New(inner, platformtest.Options{})
	require.Equal(t, p.URL(), p.Credentials().BaseURL)
	require.NotEmpty(t, p.Credentials().Accounts[0].ClientID)
	require.PanicsWithValue(t, fatal, func() { p.Call("442079460002", platformtest.Expect("a horse")) })
	require.PanicsWithValue(t, fatal, func() { p.Call("nobody") })
	inner.end()
	require.Contains(t, inner.said, "a horse")
	require.Contains(t, inner.said, "a call from …002:")
	require.NotContains(t, inner.said, "442079460002")
}

const fatal = "the test ends here"

// exampleT implements the methods of *testing.T that this example needs.
type exampleT struct {
	testing.TB

	ctx      context.Context
	cancel   context.CancelFunc
	cleanups []func()
	said     string
	failed   bool
}

func newT() *exampleT {
	t := &exampleT{}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t
}

func (t *exampleT) Helper()                      {}
func (t *exampleT) Failed() bool                 { return t.failed }
func (t *exampleT) Context() context.Context     { return t.ctx }
func (t *exampleT) Cleanup(fn func())            { t.cleanups = append(t.cleanups, fn) }
func (t *exampleT) Logf(format string, a ...any) { t.said += fmt.Sprintf(format, a...) + "\n" }

func (t *exampleT) Fatalf(format string, a ...any) {
	t.failed = true
	t.Logf(format, a...)
	panic(fatal)
}

func (t *exampleT) end() {
	t.cancel()
	for _, cleanup := range slices.Backward(t.cleanups) {
		cleanup()
	}
}

package dispatchtest_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/fault"
)

// In a test, t is the test's own. What books would be the platform under test;
// here the client of package taxi stands in for it.
func ExampleNew() {
	t := newT()
	defer t.end()

	d := dispatchtest.New(t, dispatchtest.Options{})
	booked, err := d.Client(taxi.ClientOptions{}).Book(t.Context(), aTaxi(time.Now()))
	fmt.Println(booked.Status, err)

	err = d.Clock().UntilStatus(t.Context(), booked.JourneyID, taxi.Arrived, time.Hour)
	fmt.Println(d.Journey(booked.JourneyID).Status, err)

	// Output:
	// WAITING <nil>
	// ARRIVED <nil>
}

// A driver gives the job back, because the booking asks for it, and another one comes.
func ExampleFake_Book() {
	t := newT()
	defer t.end()

	d := dispatchtest.New(t, dispatchtest.Options{VirtualClock: true})
	booked := d.Book(taxi.BookRequest{Data: []byte(`{"simulate":{"behaviour":"drop"}}`)})
	err := d.Clock().UntilStatus(t.Context(), booked.JourneyID, taxi.Arrived, time.Hour)
	fmt.Println(d.Journey(booked.JourneyID).Status, err)

	// Output:
	// ARRIVED <nil>
}

// The first booking is answered with 503 and not done, the next one as ever.
func ExampleFake_Faults() {
	t := newT()
	defer t.end()

	d := dispatchtest.New(t, dispatchtest.Options{})
	d.Faults().Add(fault.Rule{
		Match: fault.Match{Op: fault.Book}, Window: fault.Window{Times: 1},
		Do: fault.Do{Kind: "status", Status: 503},
	})
	client := d.Client(taxi.ClientOptions{})
	_, err := client.Book(t.Context(), aTaxi(time.Now()))
	fmt.Println(err != nil, len(d.Booked()))
	_, err = client.Book(t.Context(), aTaxi(time.Now()))
	fmt.Println(err != nil, len(d.Booked()), d.Faults().List()[0].Hits)

	// Output:
	// true 0
	// false 1 1
}

// exampleT is as much of a *testing.T as an example can have.
type exampleT struct {
	testing.TB

	ctx      context.Context
	cancel   context.CancelFunc
	cleanups []func()
}

func newT() *exampleT {
	t := &exampleT{}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t
}

func (t *exampleT) Helper()                        {}
func (t *exampleT) Failed() bool                   { return false }
func (t *exampleT) Context() context.Context       { return t.ctx }
func (t *exampleT) Cleanup(fn func())              { t.cleanups = append(t.cleanups, fn) }
func (t *exampleT) Fatalf(format string, a ...any) { panic(fmt.Sprintf(format, a...)) }

func (t *exampleT) end() {
	t.cancel()
	for _, cleanup := range slices.Backward(t.cleanups) {
		cleanup()
	}
}

package dispatchtest_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cabrank/cabrank/dispatch/dispatchtest"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
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

// A driver gives the job back, and another one comes.
func ExampleFake_Book() {
	t := newT()
	defer t.end()

	d := dispatchtest.New(t, dispatchtest.Options{VirtualClock: true})
	d.Faults().Add(fault.Rule{Window: fault.Window{Times: 1}, Do: fault.Do{Kind: "driver-cancels"}})
	booked := d.Book(taxi.BookRequest{})
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

// A sandbox is a world of its own below the same address, with its own clock and faults.
func ExampleFake_Control() {
	t := newT()
	defer t.end()

	c := dispatchtest.New(t, dispatchtest.Options{}).Control()
	box, err := client.Do(t.Context(), c, control.MakeSandbox, control.SandboxOrder{Name: "ann", Cars: 3}) // a platform gets box.ThirdPartyURL
	fmt.Println(box.Name, box.Cars, err)
	moved, err := client.Do(t.Context(), c.Sandbox(box.Name), control.AdvanceClock, control.Advance{By: host.Duration(15 * time.Minute)})
	fmt.Println(moved.Now.Sub(moved.From), err)

	// Output:
	// ann 3 <nil>
	// 15m0s <nil>
}

// The platform sends a phone number as a JSON number. VerifyRules would fail the test with P-05.
func ExampleJournal_VerifyRules() {
	t := newT()
	defer t.end()

	d := dispatchtest.New(t, dispatchtest.Options{VirtualClock: true})
	resp, err := http.Post(d.URL()+"/user", "application/json", strings.NewReader(`{"phoneNumber": 442079460000}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	for _, r := range d.Journal().Requests(dispatchtest.Match{Op: "user"}) {
		fmt.Println(r, r.Findings[0].Rule, r.Findings[0].Pointer)
	}
	d.Journal().VerifyRules("P-05") // but for that rule, all is well

	// Output:
	// 1  08:00:00  POST /user …000 → 422 P-05 /phoneNumber
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

package client_test

import (
	"context"
	"fmt"
	"time"

	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
)

// A test gets a world of its own, in which the next booking is lost, and moves its clock.
// The address would be that of a 'cabrank serve'.
func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var ends []func()
	address, token := serve(ctx, func(end func()) { ends = append(ends, end) })
	defer func() { ends[0]() }()

	c, err := client.New(address, client.Options{Token: token})
	if err != nil {
		fmt.Println(err)
		return
	}
	box, err := client.Do(ctx, c, control.MakeSandbox, control.SandboxOrder{Name: "ann", Cars: 3})
	fmt.Println(box.Name, box.Cars, err)
	ann := c.Sandbox(box.Name)
	rule, err := client.Do(ctx, ann, control.AddFault, fault.Rule{
		Match: fault.Match{Op: fault.Book}, Window: fault.Window{Times: 1}, Do: fault.Do{Kind: "close", Part: "response", Reset: true},
	})
	fmt.Println(rule.ID, err)
	moved, err := client.Do(ctx, ann, control.AdvanceClock, control.Advance{By: host.Duration(15 * time.Minute)})
	fmt.Println(moved.Now.Sub(moved.From), err)

	// Output:
	// ann 3 <nil>
	// f-1 <nil>
	// 15m0s <nil>
}

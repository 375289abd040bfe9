package serving

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/judging"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
	"github.com/cabrank/cabrank/simulator/host"
)

// lender gives the console's checks access to the system.
type lender struct{ *system }

// URL is the address of the operations.
func (l lender) URL() string { return l.url }

// apartFor is how long a sandbox for a check lives if nobody removes it.
const apartFor = 15 * time.Minute

// Lend implements [console.Own]. The main world and each sandbox offer their clock and
// users to a check; with apart, the check gets a new sandbox.
func (l lender) Lend(ctx context.Context, address string, apart bool) (t dispatchside.Target, free func(), ok bool, err error) {
	free = func() {}
	prefix, own := strings.CutPrefix(address, l.url)
	if !own || prefix != "" && !strings.HasPrefix(prefix, "/s/") {
		return t, free, false, nil
	}
	t = l.target()
	t.URL, t.Restart = address, nil // others are using that world
	if prefix != "" {
		t.Agreed = nil // its town may be different
	} else if apart {
		c, err := client.New(l.open.url, client.Options{Token: l.open.token, HTTP: outbound.New(outbound.Options{Timeout: advanceWithin})})
		if err != nil {
			return t, free, false, fmt.Errorf("a world for the check: %w", err)
		}
		box, err := client.Do(ctx, c, control.MakeSandbox, control.SandboxOrder{TTL: host.Duration(apartFor)})
		if err != nil {
			return t, free, false, fmt.Errorf("a world for the check: %w", err)
		}
		t.URL, prefix = l.url+"/s/"+box.Name, "/s/"+box.Name
		free = func() { // if this fails, the sandbox expires
			_, _ = client.Do(context.WithoutCancel(ctx), c, control.EndSandbox, nil, box.Name)
		}
		t.SetClock, t.MoveClock = judging.ClockByURL(l.open.url+prefix+control.Prefix+"/clock/advance", l.open.token, advanceWithin)
	}
	if t.Advance != nil {
		t.Advance = judging.AdvanceByURL(l.open.url+prefix+control.PathAdvance, l.open.token, advanceWithin)
	}
	return t, free, true, nil
}

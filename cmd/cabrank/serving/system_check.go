package serving

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/judging"
	"github.com/cabrank/cabrank/conformance/dispatchside"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/simulator/control"
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
		box, err := l.makeApart(ctx)
		if err != nil {
			return t, free, false, err
		}
		t.URL, prefix = l.url+"/s/"+box, "/s/"+box
		free = func() { l.endApart(box) }
		t.SetClock, t.MoveClock = judging.ClockByURL(l.open.url+prefix+control.Prefix+"/clock/advance", l.open.token, advanceWithin)
	}
	if t.Advance != nil {
		t.Advance = judging.AdvanceByURL(l.open.url+prefix+control.PathAdvance, l.open.token, advanceWithin)
	}
	return t, free, true, nil
}

// ask sends a control request.
func (l lender) ask(req *http.Request) (*http.Response, error) {
	if l.open.token != "" {
		req.Header.Set("Authorization", "Bearer "+l.open.token)
	}
	return outbound.New(outbound.Options{Timeout: advanceWithin}).Do(req)
}

// makeApart creates a sandbox with the settings of the main world, and returns its name.
func (l lender) makeApart(ctx context.Context) (name string, err error) {
	order, err := json.Marshal(control.SandboxOrder{TTL: host.Duration(apartFor)})
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.open.url+control.Prefix+"/sandboxes", bytes.NewReader(order))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := l.ask(req)
	if err != nil {
		return "", fmt.Errorf("a world for the check: %w", err)
	}
	defer resp.Body.Close()
	var made struct{ Name, Detail string }
	if err := json.NewDecoder(io.LimitReader(resp.Body, 64<<10)).Decode(&made); err != nil {
		return "", fmt.Errorf("a world for the check: %w", err)
	}
	if resp.StatusCode != http.StatusCreated {
		return "", fmt.Errorf("a world for the check: %s", made.Detail)
	}
	return made.Name, nil
}

// endApart removes a sandbox. If that fails, the sandbox expires.
func (l lender) endApart(name string) {
	req, err := http.NewRequest(http.MethodDelete, l.open.url+control.Prefix+"/sandboxes/"+name, http.NoBody) //nolint:noctx // the client has a timeout
	if err != nil {
		return
	}
	if resp, err := l.ask(req); err == nil {
		_ = resp.Body.Close()
	}
}

package callingside

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// Drive is an [Actor] that posts requests to a platform's drive address.
type Drive struct {
	URL     string
	Client  *http.Client
	Timeout time.Duration // for one request; 0: 60 s
}

// Limits for a platform's report on a request, in bytes and entries.
const (
	mostTold    = 1 << 20
	mostEntries = 1000
)

// Name returns the drive address.
func (d Drive) Name() string { return d.URL }

// Act posts the request to the drive address and returns the platform's report, or why there is none.
func (d Drive) Act(ctx context.Context, task rules.Task) Acted {
	if d.Timeout == 0 {
		d.Timeout = time.Minute
	}
	ctx, stop := context.WithTimeout(ctx, d.Timeout)
	defer stop()
	body, err := json.Marshal(task.Ask)
	if err != nil {
		return Acted{Failed: err.Error()}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, bytes.NewReader(body))
	if err != nil {
		return Acted{Failed: err.Error()}
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := d.Client.Do(req)
	if err != nil {
		gone := conformance.FailureOf(err) == conformance.ErrRefused || errors.Is(err, syscall.ECONNREFUSED)
		return Acted{Failed: "no answer at the drive address: " + err.Error(), Gone: gone}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostTold))
	switch {
	case err != nil:
		return Acted{Failed: "the answer at the drive address broke off: " + err.Error()}
	case resp.StatusCode == http.StatusNotImplemented:
		return Acted{Unsupported: true}
	case resp.StatusCode != http.StatusOK:
		const most = 160
		nobody := resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusMethodNotAllowed
		return Acted{Failed: fmt.Sprintf("HTTP %d at the drive address: %s", resp.StatusCode, jsonvalue.Clip(strings.Join(strings.Fields(string(text)), " "), most)), Gone: nobody}
	}
	var answer rules.Answer
	if err := json.Unmarshal(text, &answer); err != nil {
		return Acted{Failed: "the answer at the drive address cannot be read: " + err.Error()}
	}
	if max(len(answer.Said), len(answer.Offered), len(answer.Asked), len(answer.Shown), len(answer.Legs)) > mostEntries {
		return Acted{Failed: fmt.Sprintf("the answer at the drive address has a list of more than %d entries", mostEntries)}
	}
	return Acted{Answer: &answer}
}

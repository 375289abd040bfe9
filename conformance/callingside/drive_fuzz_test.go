package callingside_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// answering is a drive address that answers all the same.
type answering struct {
	status int
	body   []byte
}

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Body: io.NopCloser(bytes.NewReader(a.body)), Request: r}, nil
}

// FuzzDriveAnswer checks that any answer at the drive address is read, taken as "not supported" or reported as
// a failure, and that a run with any task and any answer can be judged.
func FuzzDriveAnswer(f *testing.F) {
	f.Add(200, []byte(`{"outcome":"completed","said":["Your taxi is a silver Octavia."]}`), `{"scene":"one","want":"status","caller":"442079460100","checks":["P-44"]}`)
	f.Add(200, []byte(`{"shown":[{"kind":"location","longitude":-1.5}],"legs":[{"to":"driver","callerId":"+44"}]}`), `{"want":"call-driver"}`)
	f.Add(501, []byte(``), `null`)
	f.Add(500, []byte("\x1b[2J"), `{"from":"442079460100"}`)
	f.Fuzz(func(t *testing.T, status int, body []byte, task string) {
		drive := callingside.Drive{URL: "http://127.0.0.1/drive", Client: &http.Client{Transport: answering{status, body}}, Timeout: time.Minute}
		acted := drive.Act(context.Background(), rules.Task{})
		require.False(t, acted.Gone)
		require.True(t, acted.Answer != nil || acted.Unsupported || acted.Failed != "")
		told := []conformance.Observation{
			{ID: 1, Probe: "one", Kind: rules.KindTask, Text: task},
			{ID: 2, Probe: "one", Kind: rules.KindAnswer, Text: string(body)},
		}
		for _, found := range callingside.Suite.Judge(nil, told) {
			require.NotEmpty(t, found.Check)
		}
	})
}

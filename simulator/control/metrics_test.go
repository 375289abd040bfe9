package control_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/metrics"
	"github.com/cabrank/cabrank/simulator/fault"
	"github.com/cabrank/cabrank/simulator/host"
	"github.com/cabrank/cabrank/store"
)

// slowJournal advances the wall clock with each request.
type slowJournal struct {
	http.Handler
	wall *atomic.Int64
}

func (j slowJournal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	j.wall.Add(int64(40 * time.Millisecond))
	j.Handler.ServeHTTP(w, r)
}

func (slowJournal) API() http.Handler    { return http.NotFoundHandler() }
func (slowJournal) Clear()               {}
func (slowJournal) Close()               {}
func (slowJournal) StoreIn(*store.Store) {}

func (slowJournal) Stats() metrics.Journal {
	return metrics.Journal{Kept: 7, Bytes: 700, Gone: 3, Requests: map[string]int{"fail": 2}, Answers: map[string]int{"ok": 10}}
}

// metricsRig returns a server with a database, a journal, a wall clock that the test moves, and
// a token if one is named.
func metricsRig(t *testing.T, token string) (*rig, *atomic.Int64) {
	t.Helper()
	var passed atomic.Int64
	wall := func() time.Time { return monday.Add(time.Duration(passed.Load())) }
	return serveRig(t, openServer(t, control.Options{
		Config: still(), Now: wall, Version: "1.2.3", Token: token,
		Journal: func(_ string, _ func() time.Time, next http.Handler) control.Journal {
			return slowJournal{next, &passed}
		},
	}, host.Deps{People: []fixtures.Person{}, Place: store.File(filepath.Join(t.TempDir(), "taxis.db"))}, host.Deps{People: []fixtures.Person{}})), &passed
}

// page asks for a page of the rig's world.
func (r *rig) page(method, path, token, name string) (int, string) {
	r.Helper()
	req, err := http.NewRequestWithContext(r.Context(), method, r.url+path, http.NoBody)
	require.NoError(r, err)
	req.Host = name
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := r.http.Client().Do(req)
	require.NoError(r, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(r, err)
	return resp.StatusCode, string(text)
}

// scrape reads the metrics as Prometheus does, and checks them with its linter.
func (r *rig) scrape() string {
	r.Helper()
	status, text := r.page(http.MethodGet, control.PathMetrics, "", "")
	require.Equal(r, http.StatusOK, status, text)
	wrong, err := promlint.New(strings.NewReader(text)).Lint()
	require.NoError(r, err)
	require.Empty(r, wrong)
	require.NotRegexp(r, `{[^}]*[0-9]{7}`, text, "a label may be somebody's number")
	return "\n" + text
}

// ours returns the lines of the metrics of the project.
func ours(text string) string {
	var lines strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "cabrank_") {
			lines.WriteString(line)
		}
	}
	return "\n" + lines.String()
}

func TestMetricsCountRequestsFaultsAndJourneys(t *testing.T) {
	r, passed := metricsRig(t, "")
	r.book(0)
	r.book(1)
	do[fault.Listed](r, http.MethodPost, "/faults", `{"match":{"op":"config"},"window":{"times":1},"do":{"kind":"close"}}`)
	do[fault.Listed](r, http.MethodPost, "/faults", `{"id":"of-442079460000","do":{"kind":"close"},"window":{"skip":5,"ttl":"3h"}}`)
	broken := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/config", strings.NewReader(`{}`))
	require.PanicsWithValue(t, http.ErrAbortHandler, func() { r.ServeHTTP(httptest.NewRecorder(), broken) })
	require.NoError(t, r.config())
	for _, kind := range []string{`"close","part":"body","reset":true`, `"garbage"`, `"close","reset":true`} {
		do[fault.Listed](r, http.MethodPost, "/faults", `{"match":{"op":"user"},"window":{"times":1},"do":{"kind":`+kind+`}}`)
		_, err := r.desk.User(t.Context(), taxi.UserRequest{PhoneNumber: "442079460000"})
		require.Error(t, err, kind)
	}
	r.page(http.MethodGet, "/442079460000", "", "")
	do[control.Advanced](r, http.MethodPost, "/clock/advance", `{"by":"1h"}`)
	text := r.scrape()
	for range 10_000 { // whoever is reset may know it before it is counted
		if strings.Contains(text, "cabrank_request_duration_seconds_count{operation=\"user\"} 3\n") &&
			strings.Contains(text, "cabrank_requests_total{code=\"200\",operation=\"user\"} 1\n") { // which is counted next
			break
		}
		text = r.scrape()
	}
	for _, want := range []string{
		`cabrank_build_info{version="1.2.3"} 1`,
		`cabrank_requests_total{code="200",operation="book"} 2`,
		`cabrank_requests_total{code="200",operation="config"} 1`,
		`cabrank_requests_total{code="none",operation="config"} 1`,
		`cabrank_requests_total{code="200",operation="user"} 1`, // its body broke off
		`cabrank_requests_total{code="none",operation="user"} 2`,
		`cabrank_requests_total{code="404",operation="other"} 1`,
		`cabrank_request_duration_seconds_bucket{operation="book",le="0.025"} 0`,
		`cabrank_request_duration_seconds_bucket{operation="book",le="0.05"} 2`,
		`cabrank_request_duration_seconds_count{operation="cancel"} 0`,
		`cabrank_journeys{status="POB"} 0`,
		`cabrank_journey_transitions_total{status="WAITING"} 2`,
		`cabrank_journey_transitions_total{status="COMPLETE"} 2`,
		`cabrank_world_speed_ratio 0`,
		`cabrank_world_event_lag_seconds_count 0`,
		`cabrank_faults_total{fault="close"} 3`,
		`cabrank_fault_rules{state="ended"} 4`,
		`cabrank_fault_rules{state="at-work"} 1`,
		`cabrank_fault_rule_hits{fault="close",id="f-1"} 1`,
		`cabrank_fault_rule_hits{fault="close",id="of-number"} 0`,
		`cabrank_journal_calls 7`, `cabrank_journal_bytes 700`, `cabrank_journal_calls_gone 3`,
		`cabrank_journal_verdicts{about="request",verdict="fail"} 2`,
		`cabrank_journal_verdicts{about="answer",verdict="ok"} 10`,
		`cabrank_sandboxes 0`,
		`cabrank_store_commit_failures_total 0`,
	} {
		require.Contains(t, ours(text), "\n"+want+"\n")
	}
	for _, want := range []string{
		`\ncabrank_world_events_total [1-9]`, `\ncabrank_world_time_seconds 1.7`, `\ngo_goroutines `,
		`\ncabrank_store_commit_records_count [1-9]`, `\ncabrank_store_commit_duration_seconds_count [1-9]`,
	} {
		require.Regexp(t, want, text)
	}

	do[control.Sandbox](r, http.MethodPost, "/sandboxes", `{"name":"one","ttl":"10m"}`)
	one := r.at("/s/one")
	require.NoError(t, one.config())
	inside := one.scrape()
	require.Contains(t, inside, "\ncabrank_requests_total{code=\"200\",operation=\"config\"} 1\n")
	for _, absent := range []string{"cabrank_sandboxes", "cabrank_build_info", "cabrank_store_commit", "go_goroutines", `operation="book"} 2`} {
		require.NotContains(t, inside, absent)
	}
	require.Contains(t, r.scrape(), "\ncabrank_sandboxes 1\n")
	passed.Add(int64(9 * time.Minute))
	one.scrape()
	passed.Add(int64(2 * time.Minute))
	status, _ := one.page(http.MethodGet, control.PathMetrics, "", "")
	require.Equal(t, http.StatusNotFound, status, "to be watched does not keep a sandbox alive")
}

func TestMetricsAccessIsRestricted(t *testing.T) {
	open, _ := metricsRig(t, "")
	guarded, _ := metricsRig(t, "s3cret")
	for _, c := range []struct {
		r                   *rig
		method, token, name string
		want                int
	}{
		{open, http.MethodHead, "", "", 200},
		{open, http.MethodPut, "", "", 405},
		{open, http.MethodGet, "", "evil.example", 421},
		{guarded, http.MethodGet, "", "", 401},
		{guarded, http.MethodGet, "s3cret", "cab.example", 200},
	} {
		status, text := c.r.page(c.method, control.PathMetrics, c.token, c.name)
		require.Equal(t, c.want, status, text)
		require.Equal(t, c.want == 200 && c.method == http.MethodGet, strings.Contains(text, "cabrank_build_info"))
	}
	operations := &rig{TB: t, http: open.http, url: open.url}
	open.http.Config.Handler = open.Operations()
	status, _ := operations.page(http.MethodGet, control.PathMetrics, "", "")
	require.Equal(t, http.StatusNotFound, status, "whoever may book may not read them")
}

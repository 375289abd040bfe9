package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/conformance/client"
)

// TestMeasureSandboxes makes 1,000 sandboxes in three replicas, eight at once, and measures how
// long each takes, and what they need while nobody uses them. A fourth replica then joins.
func TestMeasureSandboxes(t *testing.T) {
	measures(t)
	const sandboxes, creators, idle = 1000, 8, time.Minute
	r := startReplicas(t, program(t, true), 3)
	client.Pause(t.Context(), 10*time.Second)
	before := r.needs()
	client.Pause(t.Context(), idle)
	empty := r.needs()
	t.Logf("three replicas without sandboxes, for %s: %s; %s", idle, empty.since(before, idle), machine(t))

	took := make([]times, creators)
	var creating sync.WaitGroup
	for i := range creators {
		creating.Go(func() {
			for n := i; n < sandboxes; n += creators {
				began := time.Now()
				if a := r.list()[n%3].addSandbox(fmt.Sprint("box-", n)); a.Status != http.StatusCreated {
					t.Errorf("%+v", a)
					return
				}
				took[i] = append(took[i], time.Since(began))
			}
		})
	}
	creating.Wait()
	var all times
	for _, one := range took {
		all = append(all, one...)
	}
	t.Logf("creating %d sandboxes, %d at once: %s; asked: p99 100ms; %s", sandboxes, creators, all, machine(t))

	for range 3 { // the memory of what has ended is given back to the system in minutes
		full := r.needs()
		client.Pause(t.Context(), idle)
		now := r.needs()
		t.Logf("with %d sandboxes, for %s: %s; memory of each: %d KiB; asked: 1 MB; %s", sandboxes, idle, now.since(full, idle), (now.rss-empty.rss)/sandboxes, machine(t))
	}

	began := time.Now()
	fourth := r.start()
	serves := time.Since(began)
	for fourth.worlds() < sandboxes/4 {
		client.Pause(t.Context(), 100*time.Millisecond)
		require.Less(t, time.Since(began), 5*time.Minute)
	}
	t.Logf("a fourth replica serves %s after its start, and has a quarter of the worlds %s after it; %s", serves, time.Since(began), machine(t))
}

// worlds returns how many worlds a replica runs.
func (p *process) worlds() int {
	page := clitest.Get(p.T, p.URL+"/metrics", withTeamToken)
	return metric(p.T, []byte(page.Body), "cabrank_worlds")
}

// consumption is what replicas and the database have needed.
type consumption struct {
	rss                int           // of the replicas, in KiB
	replicas, database time.Duration // of the processor
	log                int64         // bytes of WAL
}

// needs reads what the replicas and the database have needed until now.
func (r *replicas) needs() (n consumption) {
	r.t.Helper()
	inDatabase(r.t, r.url, func(conn *pgx.Conn) error {
		return conn.QueryRow(r.t.Context(), "SELECT (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint").Scan(&n.log)
	})
	for _, p := range r.list() {
		n.rss += statusOf(r.t, p, "VmRSS")
		n.replicas += processorOf(r.t, p.Cmd.Process.Pid, false)
	}
	postmaster := r.server.Process(r.t)
	n.database = processorOf(r.t, postmaster, true)
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(r.t, err)
	for _, path := range stats {
		pid, _ := strconv.Atoi(strings.Split(path, "/")[2])
		if text, err := os.ReadFile(path); err == nil && fields(string(text))[1] == fmt.Sprint(postmaster) {
			n.database += processorOf(r.t, pid, false)
		}
	}
	return n
}

// since describes what was needed in a time.
func (n consumption) since(before consumption, long time.Duration) string {
	part := func(d time.Duration) float64 { return 100 * d.Seconds() / long.Seconds() }
	return fmt.Sprintf("memory of the replicas %d MiB; processor: replicas %.1f %%, PostgreSQL %.1f %% of one core; WAL %d bytes a second",
		n.rss>>10, part(n.replicas-before.replicas), part(n.database-before.database), (n.log-before.log)/int64(long.Seconds()))
}

// fields returns the fields of /proc/PID/stat after the name of the program: 0 is the state,
// 1 the parent.
func fields(stat string) []string {
	return strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
}

// processorOf returns the time of the processor that a process has had, with that of its
// children that have ended.
func processorOf(t *testing.T, pid int, ended bool) (all time.Duration) {
	t.Helper()
	const first, last, ticks = 11, 12, 100 // utime and stime, in hundredths of a second
	found := fields(clitest.Read(t, fmt.Sprintf("/proc/%d/stat", pid)))
	most := last
	if ended {
		most += 2 // cutime and cstime
	}
	for _, text := range found[first : most+1] {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		all += time.Duration(n) * time.Second / ticks
	}
	return all
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/platform/access"
)

var (
	grow      = flag.Duration("grow", 0, "how long TestResourceUseDoesNotGrow takes")
	growSpeed = flag.Int("speed", 1000, "how fast the world of TestResourceUseDoesNotGrow is")
	growRate  = flag.Int("rate", 20, "how many bookings a second TestResourceUseDoesNotGrow makes")
)

// TestResourceUseDoesNotGrow checks that the memory, threads, open files and databases of a server and of a voice platform do
// not grow by more than a tenth under mixed traffic, once they have settled: after a sixth of the test, or when the
// first ended journeys are deleted, if that is later. The log of the database stays below 25 MiB. The test lasts as
// long as -grow says, in a world that is -speed times as fast as real time, with -rate bookings a second besides
// those of the simulated people, and with a [team] of other users.
func TestResourceUseDoesNotGrow(t *testing.T) {
	length, speed := *grow, *growSpeed
	if length == 0 {
		t.Skip("it takes as long as it is told to; -grow 1h runs it for an hour")
	}
	path := filepath.Join(t.TempDir(), "taxis.db")
	t.Setenv("GOTRACEBACK", "all")
	p := serve(t, program(t, true), "--db", path, "--speed", strconv.Itoa(speed), "--demand", "quiet")
	settled := settledAfter(length)
	var fills []string
	if settled > length*4/5 {
		t.Logf("what has ended is kept for %s by the wall, so memory and database may grow all the time: they are not judged", settled.Round(time.Second))
		settled, fills = length/6, []string{rss, database}
	}

	ctx, end := context.WithTimeout(t.Context(), length)
	defer end()
	var traffic sync.WaitGroup
	var requests atomic.Int64
	regulars(ctx, t, &traffic, p.client(), &requests)
	team := newTeam(t, p)
	for _, use := range []func(context.Context, int){team.tests, team.looks, team.looks, team.rings} {
		traffic.Go(func() { team.each(ctx, 2*time.Second, use) })
	}
	// The platform keeps the latest 1,000 chats, 2,000 telephones and 2,000 calls: full within ten minutes.
	traffic.Go(func() { team.each(ctx, time.Second/2, team.writes) })
	traffic.Go(func() { team.each(ctx, time.Second/4, team.dials) })
	traffic.Go(func() { team.each(ctx, time.Second/5, team.places) })
	all := watch(ctx, t, length/60, subject{p, path, fills}, subject{team.voice, team.database, []string{database}})
	traffic.Wait()
	require.False(t, team.voice.Over(), "%s", &team.voice.Out)
	t.Logf("%d sandboxes, calls, chats and streams; %d attempts at the event hook", team.done.Load(), team.events.Load())
	now, _ := p.now()
	require.False(t, p.Over(), "%s", &p.Out)
	t.Logf("%d requests in %s; the world is at %s", requests.Load(), length, now.Format(time.DateTime))
	for _, of := range all {
		of.judge(t, int(settled*60/length))
	}
	const (
		hooks  = 64 // attempts of an account at a time, each with a connection that has two goroutines
		worlds = 16 // that a team may just have, each with three goroutines
	)
	for of, most := range map[*process]int{p: 10*callersAtOnce + 3*worlds, team.voice: 10*callersAtOnce + 3*hooks} {
		goroutines := goroutinesOf(t, of)
		t.Logf("%s: %d goroutines at the end", of.Cmd.Args[1], goroutines)
		require.NotZero(t, goroutines)
		require.Less(t, goroutines, most, "%s", &of.Out)
	}
}

// TestReplicaMemoryDoesNotGrow watches two replicas behind HAProxy, for as long as -grow says: the memory of neither may
// grow by more than a tenth once they have settled, as in TestResourceUseDoesNotGrow.
func TestReplicaMemoryDoesNotGrow(t *testing.T) {
	length := *grow
	if length == 0 {
		t.Skip("it takes as long as it is told to; -grow 1h runs it for an hour")
	}
	settled := settledAfter(length)
	require.LessOrEqual(t, settled, length*4/5, "what has ended is kept as long, so nothing can be judged: a longer -grow, or a higher -speed")
	r := startReplicas(t, program(t, true), 2, "--speed", strconv.Itoa(*growSpeed), "--demand", "quiet")
	require.Equal(t, http.StatusCreated, r.list()[1].addSandbox("ann").Status)
	base := startProxy(t, proxyProgram(t), "haproxy.cfg", r.list())
	ctx, end := context.WithTimeout(t.Context(), length)
	defer end()
	var traffic sync.WaitGroup
	var requests atomic.Int64
	for _, world := range []string{"", "ann"} {
		client, err := taxi.NewClient(base+worldPath(world), taxi.ClientOptions{Timeout: time.Minute})
		require.NoError(t, err)
		_, err = client.Config(ctx, taxi.ConfigRequest{})
		require.NoError(t, err)
		regulars(ctx, t, &traffic, client, &requests)
	}
	all := watch(ctx, t, length/60, subject{process: r.list()[0]}, subject{process: r.list()[1]})
	traffic.Wait()
	t.Logf("%d requests in %s", requests.Load(), length)
	for _, of := range all {
		of.judge(t, int(settled*60/length))
	}
}

// settledAfter is when a test of some length expects no growth any more: when the first that has ended is forgotten.
func settledAfter(length time.Duration) time.Duration {
	keeps := dispatch.DefaultPolicy().Retention + 24*time.Hour // the world forgets once a day
	return max(length/6, keeps/time.Duration(*growSpeed))
}

// regulars has passengers book in a world, -rate times a second, until ctx ends.
func regulars(ctx context.Context, t *testing.T, traffic *sync.WaitGroup, client *taxi.Client, requests *atomic.Int64) {
	for i := range callersAtOnce {
		traffic.Go(func() {
			r := &regular{number: i, client: client, chance: rand.New(rand.NewPCG(1, uint64(i))), requests: requests}
			if err := r.useUntilDone(ctx, time.Second*callersAtOnce/time.Duration(*growRate)); err != nil {
				t.Error(err)
			}
		})
	}
}

// goroutinesOf ends a process with SIGQUIT and counts the goroutines in its stack traces.
func goroutinesOf(t *testing.T, p *process) int {
	t.Helper()
	require.NoError(t, p.Cmd.Process.Signal(syscall.SIGQUIT))
	<-p.Ended
	return len(regexp.MustCompile(`(?m)^goroutine \d+ `).FindAllString(p.Out.String(), -1))
}

// Needs that are judged in their own way.
const (
	rss      = "rss KiB"
	database = "database KiB"
	wal      = "log KiB"
)

// needs are what a process has, sample by sample, by the name of a need.
type needs struct {
	of      subject
	samples map[string][]int
}

// subject is a process that is watched.
type subject struct {
	*process
	database string   // its file; "": none
	fills    []string // needs that may grow: what has ended is kept for longer than the test
}

// watch looks at processes until ctx ends.
func watch(ctx context.Context, t *testing.T, every time.Duration, subjects ...subject) []needs {
	all := make([]needs, len(subjects))
	for i, of := range subjects {
		all[i] = needs{of, map[string][]int{}}
	}
	for tick := time.NewTicker(every); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return all
		case <-tick.C:
		}
		for _, n := range all {
			t.Log(n.of.Cmd.Args[1], n.sample(t))
		}
	}
}

// sample adds what the process needs now, and says it.
func (n needs) sample(t *testing.T) string {
	now := map[string]int{
		rss: statusOf(t, n.of.process, "VmRSS"), "threads": statusOf(t, n.of.process, "Threads"), "files": openFiles(t, n.of.process),
	}
	if n.of.database != "" {
		now[database], now[wal] = sizeOf(t, n.of.database), sizeOf(t, n.of.database+"-wal")
	}
	if page := n.of.get("/metrics").Body; strings.Contains(page, "go_goroutines") { // a platform has no such page
		now["goroutines"], now["journal KiB"] = metric(t, page, "go_goroutines"), metric(t, page, "cabrank_journal_bytes")>>10
	}
	var line strings.Builder
	for _, name := range slices.Sorted(maps.Keys(now)) {
		n.samples[name] = append(n.samples[name], now[name])
		fmt.Fprintf(&line, "  %s %d", name, now[name])
	}
	return line.String()
}

// judge compares the last quarter of the samples with the quarter after the process has
// settled.
func (n needs) judge(t *testing.T, settled int) {
	for name, samples := range n.samples {
		rest := samples[min(settled, len(samples)):]
		require.GreaterOrEqual(t, len(rest), 8, "samples of %s", name)
		early, late := middle(rest[:len(rest)/4]), middle(rest[len(rest)*3/4:])
		t.Logf("%s: %s: %d when it had settled, %d at the end", n.of.Cmd.Args[1], name, early, late)
		if name == wal || slices.Contains(n.of.fills, name) { // the log is bounded by itself
			continue
		}
		require.LessOrEqual(t, late, early+early/10+10, "%s grows", name)
	}
	require.Less(t, slices.Max(append(n.samples[wal], 0)), 25<<10)
}

// metric reads a figure of a page of /metrics.
func metric(t *testing.T, page string, name string) int {
	t.Helper()
	found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindStringSubmatch(page)
	require.NotNil(t, found, "%s in %s", name, page)
	value, err := strconv.ParseFloat(found[1], 64)
	require.NoError(t, err)
	return int(value)
}

func middle(samples []int) int {
	return slices.Sorted(slices.Values(samples))[len(samples)/2]
}

// statusOf reads a figure of a process from the kernel.
func statusOf(t *testing.T, p *process, name string) int {
	t.Helper()
	text := clitest.Read(t, fmt.Sprintf("/proc/%d/status", p.Cmd.Process.Pid))
	for line := range strings.Lines(text) {
		if value, found := strings.CutPrefix(line, name+":"); found {
			n, err := strconv.Atoi(strings.Fields(value)[0])
			require.NoError(t, err)
			return n
		}
	}
	t.Fatalf("no %s", name)
	return 0
}

func openFiles(t *testing.T, p *process) int {
	t.Helper()
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.Cmd.Process.Pid))
	require.NoError(t, err)
	return len(files)
}

func sizeOf(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return int(info.Size() >> 10)
}

// regular books for people who come again, and follows what it has booked for a while.
type regular struct {
	number   int
	client   *taxi.Client
	chance   *rand.Rand
	requests *atomic.Int64
}

// useUntilDone books once in a while until ctx ends.
func (r *regular) useUntilDone(ctx context.Context, every time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := r.useOnce(ctx); ctx.Err() == nil && err != nil {
			return err
		}
	}
}

// useOnce is one call of a passenger.
func (r *regular) useOnce(ctx context.Context) error {
	number := taxi.E164(fmt.Sprintf("+4420%d", 79_200_000+r.number*1000+r.chance.IntN(1000)))
	places := fixtures.Places()
	n := r.chance.IntN(len(places) - 1)
	ahead := time.Duration(r.chance.IntN(3)*r.chance.IntN(20)) * time.Hour
	j, err := r.client.Book(ctx, taxi.BookRequest{
		Name: "Regular", PhoneNumber: number, Pickup: &places[n].Address, Dropoffs: []taxi.Address{places[n+1].Address},
		PickupTime: taxi.At(time.Now().Add(ahead).Truncate(time.Second)),
	})
	if err := r.asked(err); err != nil {
		return err
	}
	u, err := r.client.User(ctx, taxi.UserRequest{PhoneNumber: number.Digits()})
	if err := r.asked(err); err != nil {
		return err
	}
	ref := taxi.JourneyRef{UserID: u.UserID, JourneyID: j.JourneyID}
	for range r.chance.IntN(4) {
		_, err := r.client.Status(ctx, ref)
		if err := r.asked(err); err != nil {
			return err
		}
	}
	if r.chance.IntN(3) == 0 {
		_, err := r.client.Cancel(ctx, ref)
		return r.asked(err)
	}
	return nil
}

// asked counts a request. A refusal that a world gives reasons for is an answer.
func (r *regular) asked(err error) error {
	r.requests.Add(1)
	if p, refused := errors.AsType[*taxi.Problem](err); refused && p.Status < 500 {
		return nil
	}
	return err
}

// team simulates the other users of a server: testers with sandboxes and faults, a console
// that is open, and people who ring up and write to a voice platform that books here,
// and an account there whose event hook fails now and then.
type team struct {
	t             *testing.T
	program       string
	server, voice *process
	database      string // of voice
	account       access.AccountCredentials
	script        string
	done          atomic.Int64
	events        atomic.Int64 // that the account's hook was sent
}

func newTeam(t *testing.T, server *process) *team {
	t.Helper()
	dir := t.TempDir()
	u := &team{t: t, program: server.Cmd.Path, server: server, script: filepath.Join(dir, "call.json")}
	require.NoError(t, os.WriteFile(u.script, []byte(`[{"expect":"for you?"},{"say":"from the station to the town hall now"},{"expect":"name"},{"say":"Ann Other"},{"expect":"book it"},{"say":"yes"},{"wait":"5s"},{"hangup":true}]`), 0o600))
	credentials := filepath.Join(dir, "credentials.json")
	u.database = filepath.Join(dir, "platform.db")
	u.voice = beginAs(t, u.program, "platform", "--third-party", server.URL, "--speed", "50", "--db", u.database,
		"--credentials-file", credentials, "--allow-private-hooks").serving()
	hook := httptest.NewServer(http.HandlerFunc(u.hears))
	t.Cleanup(hook.Close)
	t.Cleanup(hook.CloseClientConnections)
	u.account = withEventHook(t, u.voice, credentials, hook.URL)
	return u
}

// each does something again and again until ctx ends.
func (u *team) each(ctx context.Context, every time.Duration, do func(ctx context.Context, n int)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do(ctx, n)
			u.done.Add(1)
		}
	}
}

// run runs a command of the program. What it says matters to nobody, unless it hangs or crashes.
func (u *team) run(ctx context.Context, args ...string) {
	ctx, end := context.WithTimeout(ctx, time.Minute)
	defer end()
	cmd := exec.CommandContext(ctx, u.program, args...)
	out, _ := cmd.CombinedOutput()
	if strings.Contains(string(out), "panic:") {
		u.t.Errorf("%v: %s", args, out)
	}
}

// tests makes a sandbox, books there under a fault, and ends it; every other sandbox is left.
func (u *team) tests(ctx context.Context, n int) {
	name := fmt.Sprintf("soak-%d", n%20)
	u.run(ctx, "sandbox", "add", name, "--town", "none", "--cars", "2", "--url", u.server.URL)
	u.run(ctx, "fault", "add", []string{"commit-then-drop", "delay", "status", "dribble"}[n%4], "--op", "book", "--times", "1", "--url", u.server.URL, "--sandbox", name)
	u.run(ctx, "book", "--url", u.server.URL, "--sandbox", name, "--timeout", "5s")
	if n%2 == 0 {
		u.run(ctx, "sandbox", "rm", name, "--url", u.server.URL)
	}
}

// looks has a console's stream of events open for a while.
func (u *team) looks(ctx context.Context, _ int) {
	ctx, end := context.WithTimeout(ctx, 20*time.Second)
	defer end()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.server.URL+"/_control/v1/events", nil)
	require.NoError(u.t, err)
	req.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

// rings books by telephone.
func (u *team) rings(ctx context.Context, n int) {
	u.run(ctx, "call", "taxi", "--from", fmt.Sprintf("4420794600%02d", n%100), "--platform", u.voice.URL, "--script", u.script)
}

// places has the account place a call by the Voice API.
func (u *team) places(ctx context.Context, _ int) {
	u.made(ctx, "/channels/voice", `{"target":{"phoneNumber":{"number":"+442079460001"}},"verbs":[{"say":{"text":["Hello."]}}]}`, func(r *http.Request) {
		r.SetBasicAuth(u.account.ID, u.account.ClientID)
	})
}

// hears is the account's event hook: of a hundred events it fails ten, and never answers two.
func (u *team) hears(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	switch n := u.events.Add(1); {
	case n%50 == 0:
		<-r.Context().Done()
	case n%10 == 3:
		w.WriteHeader(http.StatusInternalServerError)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

// writes begins a chat and goes away.
func (u *team) writes(ctx context.Context, n int) {
	answer := u.made(ctx, "/sim/v1/chats", fmt.Sprintf(`{"from":"4420794601%02d"}`, n%100))
	var chat struct{ ID string }
	if json.Unmarshal([]byte(answer), &chat) == nil && chat.ID != "" {
		_, _ = clitest.Try(ctx, http.MethodPost, u.voice.URL+"/sim/v1/chats/"+chat.ID, `{"text":"hello, from the station to the harbour now"}`)
	}
}

// dials rings up and hangs up again.
func (u *team) dials(ctx context.Context, n int) {
	u.made(ctx, "/sim/v1/phones", fmt.Sprintf(`{"from":"4420794602%02d","to":"taxi","script":[{"wait":"5s"},{"hangup":true}]}`, n%100))
}

// made has the platform make something.
func (u *team) made(ctx context.Context, path, body string, shows ...func(*http.Request)) string {
	answer, err := clitest.Try(ctx, http.MethodPost, u.voice.URL+path, body, shows...)
	if ctx.Err() == nil && answer.Status != http.StatusCreated {
		u.t.Errorf("%s: %d %s %v", path, answer.Status, answer.Body, err)
	}
	return answer.Body
}

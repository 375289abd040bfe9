//go:build ignore

// Compare answers one journey from cabrank and from well-known mock servers, and
// prints what each of them takes for it; .ci/compare installs the mocks and runs it.
//
// Everybody answers POST /status with the journey that cabrank has really booked:
// tomorrow's, so HELD, which stays as it is meanwhile. All get the same bytes from
// the same clients and send the same body, a round of one and a round of the next in
// turn, so that their ratios hold on a noisy machine. Where there is a choice it is
// made in the mocks' favour: each is at its quietest and remembers nothing it can do
// without.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

const (
	clients     = 32
	freshStarts = 10 // of cabrank alone, each with a new database
	starts      = 3  // of each server; the last one stays up for the load
	warmFor     = 10 * time.Second
	rounds      = 9
	roundFor    = 1500 * time.Millisecond
	startWithin = 30 * time.Second
	idleAfter   = time.Second
)

func main() {
	cabrank := flag.String("cabrank", "", "the cabrank binary")
	version := flag.String("version", "dev", "its version")
	mocks := flag.String("mocks", "", "folder of the npm prefixes prism, mockoon and wiremock; one that is absent is left out")
	work := flag.String("work", "", "an empty folder to work in")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGPIPE)
	defer stop()
	if err := run(ctx, *cabrank, *version, *mocks, *work); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, cabrank, version, mocks, work string) error {
	if err := printOwn(ctx, cabrank, work); err != nil {
		return err
	}
	database := filepath.Join(work, "journey.db")
	s, err := bookSubject(ctx, cabrank, database)
	if err != nil {
		return err
	}
	if err := writeMockFiles(work, s.answer); err != nil {
		return err
	}
	reference := &contender{name: "cabrank serve", version: version, command: serve(cabrank, database)}
	servers := []*contender{reference}
	defer func() {
		for _, c := range servers {
			c.process.stop()
		}
	}()
	if err := reference.start(ctx, s); err != nil {
		return err
	}
	for _, c := range mockServers(mocks, work) {
		if err := c.start(ctx, s); err != nil {
			fmt.Printf("%s is left out: %v\n\n", c.name, err)
			continue
		}
		servers = append(servers, c)
	}
	if err := loadAll(ctx, servers, s.request); err != nil {
		return err
	}
	printTable(servers)
	return nil
}

// printOwn tells what cabrank promises of itself: ready soon with a fresh database,
// small when idle, one small file.
func printOwn(ctx context.Context, cabrank, work string) error {
	var ready []float64
	var idle float64
	for n := range freshStarts {
		database := filepath.Join(work, fmt.Sprintf("fresh%d.db", n))
		p, took, err := launch(ctx, serve(cabrank, database), get("/readyz"))
		if err != nil {
			return err
		}
		ready = append(ready, milliseconds(took))
		if n == freshStarts-1 {
			<-time.After(idleAfter)
			idle = memoryMB(p.cmd.Process.Pid)
		}
		p.stop()
	}
	binary, err := os.Stat(cabrank)
	if err != nil {
		return err
	}
	fmt.Printf("cabrank: ready %.0f ms after start with a fresh database (median of %d, best %.0f), %.0f MB idle, binary %.1f MB\n\n",
		median(ready), freshStarts, slices.Min(ready), idle, float64(binary.Size())/1e6)
	return nil
}

// subject is what everybody is asked, and what everybody answers.
type subject struct {
	request []byte // the whole POST /status
	answer  []byte // the journey, as cabrank writes it
}

// bookSubject books a journey for tomorrow, which the database then keeps.
func bookSubject(ctx context.Context, cabrank, database string) (subject, error) {
	p, _, err := launch(ctx, serve(cabrank, database), get("/readyz"))
	if err != nil {
		return subject{}, err
	}
	defer p.stop()
	client, err := taxi.NewClient("http://"+p.address, taxi.ClientOptions{})
	if err != nil {
		return subject{}, err
	}
	const caller = "442079460123" // from the numbers kept free for drama
	journey, err := client.Book(ctx, taxi.BookRequest{
		Name: "Ann Other", PhoneNumber: caller,
		Pickup: &taxi.Address{
			Address:  "Otterbridge Station, Station Road, Otterbridge, ZT1 1AA",
			Location: &taxi.Point{Longitude: 2.0978, Latitude: 54.7012},
		},
		Dropoffs: []taxi.Address{{
			Address:  "Otterbridge General Hospital, Infirmary Lane, Otterbridge, ZT3 4BD",
			Location: &taxi.Point{Longitude: 2.1113, Latitude: 54.7074},
		}},
		PickupTime: taxi.At(time.Now().Add(24 * time.Hour).Truncate(time.Second)),
	})
	if err != nil {
		return subject{}, fmt.Errorf("book the journey to compare with: %w", err)
	}
	if journey.Status != taxi.Held {
		return subject{}, fmt.Errorf("tomorrow's journey is %s, want %s", journey.Status, taxi.Held)
	}
	user, err := client.User(ctx, taxi.UserRequest{PhoneNumber: caller})
	if err != nil {
		return subject{}, fmt.Errorf("look up who booked it: %w", err)
	}
	body, err := json.Marshal(taxi.JourneyRef{UserID: user.UserID, JourneyID: journey.JourneyID})
	if err != nil {
		return subject{}, err
	}
	s := subject{request: post(taxi.PathStatus, body)}
	s.answer, err = ask(p.address, s.request)
	return s, err
}

// The mocks' versions of the journey. Prism gets the project's own document with
// these paths only, so that the journey is its one example and no Prefer header need
// choose it. Mockoon's --repair fills in what its environment leaves out.
const (
	prismPaths = `{"/status": {"post": {
		"requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/JourneyRef"}}}},
		"responses": {"200": {"description": "The journey.", "content": {"application/json": {
			"schema": {"$ref": "#/components/schemas/JourneyAnswer"}, "example": %s}}}}}}}`
	mockoonEnvironment = `{"uuid": "6a0c6f0e-7c3c-4c55-8f3f-8d1f2a100000", "name": "journey", "lastMigration": 33,
		"rootChildren": [{"type": "route", "uuid": "6a0c6f0e-7c3c-4c55-8f3f-8d1f2a100001"}],
		"routes": [{"uuid": "6a0c6f0e-7c3c-4c55-8f3f-8d1f2a100001", "type": "http", "method": "post", "endpoint": "status",
			"responses": [{"uuid": "6a0c6f0e-7c3c-4c55-8f3f-8d1f2a100002", "default": true, "statusCode": 200,
				"headers": [{"key": "Content-Type", "value": "application/json"}],
				"bodyType": "INLINE", "disableTemplating": true, "body": %s}]}]}`
	wireMockMapping = `{"request": {"method": "POST", "urlPath": "/status"},
		"response": {"status": 200, "headers": {"Content-Type": "application/json"}, "body": %s}}`
)

func writeMockFiles(work string, answer []byte) error {
	var document map[string]any
	if err := yaml.Unmarshal(taxi.OpenAPI, &document); err != nil {
		return fmt.Errorf("read openapi.yaml: %w", err)
	}
	document["paths"] = json.RawMessage(fmt.Appendf(nil, prismPaths, answer))
	prism, err := json.Marshal(document)
	if err != nil {
		return fmt.Errorf("write the document for Prism: %w", err)
	}
	quoted, err := json.Marshal(string(answer))
	if err != nil {
		return err
	}
	mappings := filepath.Join(work, "wiremock", "mappings")
	return errors.Join(
		os.MkdirAll(mappings, 0o755),
		os.WriteFile(filepath.Join(work, "prism.json"), prism, 0o644),
		os.WriteFile(filepath.Join(work, "mockoon.json"), fmt.Appendf(nil, mockoonEnvironment, quoted), 0o644),
		os.WriteFile(filepath.Join(mappings, "status.json"), fmt.Appendf(nil, wireMockMapping, quoted), 0o644),
	)
}

// contender is a server to compare, and what was measured of it.
type contender struct {
	name, version string
	command       command

	process     *process
	starts      []float64 // ms from process start to the first 200
	rates, p99s []float64 // of each round: answers a second, ms
	clients     []float64 // of each round: cores that the clients took
}

// command is how to start a server on a port of the loopback interface.
type command func(port string) []string

func serve(cabrank, database string) command {
	return func(port string) []string {
		return []string{cabrank, "serve", "--listen", "127.0.0.1:" + port, "--db", database, "--log", "off"}
	}
}

// mockServers tells how to run each mock. WireMock's jar runs without the Node.js
// process that its package puts before it. Mockoon keeps one transaction, since with
// 0 it keeps them all and grows slower with each.
func mockServers(mocks, work string) []*contender {
	module := func(prefix, name string) string { return filepath.Join(mocks, prefix, "node_modules", name) }
	prism, mockoon, wiremock := module("prism", "@stoplight/prism-cli"), module("mockoon", "@mockoon/cli"), module("wiremock", "wiremock")
	return []*contender{
		{name: "Prism", version: installedVersion(prism), command: func(port string) []string {
			return []string{
				"node", filepath.Join(prism, "dist", "index.js"), "mock", filepath.Join(work, "prism.json"),
				"--host", "127.0.0.1", "--port", port, "--cors=false", "--verboseLevel", "silent",
			}
		}},
		{name: "Mockoon", version: installedVersion(mockoon), command: func(port string) []string {
			return []string{
				"node", filepath.Join(mockoon, "bin", "run.js"), "start", "--data", filepath.Join(work, "mockoon.json"), "--repair",
				"--hostname", "127.0.0.1", "--port", port,
				"--disable-log-to-file", "--disable-admin-api", "--max-transaction-logs", "1",
			}
		}},
		{name: "WireMock", version: installedVersion(wiremock), command: func(port string) []string {
			jar, _ := filepath.Glob(filepath.Join(wiremock, "build", "wiremock-standalone-*.jar")) // the pattern is well formed
			return slices.Concat([]string{"java", "-jar"}, jar, []string{
				"--root-dir", filepath.Join(work, "wiremock"), "--bind-address", "127.0.0.1", "--port", port, "--disable-banner",
				"--no-request-journal", "--disable-request-logging", "--use-chunked-encoding", "never",
			})
		}},
	}
}

// installedVersion reads the version of the package that npm put into a folder, or
// returns "" when there is none.
func installedVersion(module string) string {
	text, _ := os.ReadFile(filepath.Join(module, "package.json")) // none is the answer ""
	var manifest struct {
		Version string `json:"version"`
	}
	_ = json.Unmarshal(text, &manifest)
	return manifest.Version
}

// start starts the server several times, leaves the last one running, and makes sure
// that it answers the journey.
func (c *contender) start(ctx context.Context, s subject) error {
	if c.version == "" {
		return errors.New("it is not installed")
	}
	for range starts {
		c.process.stop()
		var took time.Duration
		var err error
		if c.process, took, err = launch(ctx, c.command, s.request); err != nil {
			return err
		}
		c.starts = append(c.starts, milliseconds(took))
	}
	answer, err := ask(c.process.address, s.request)
	if err == nil && !bytes.Equal(answer, s.answer) {
		err = fmt.Errorf("it answers %s, want %s", answer, s.answer)
	}
	if err != nil {
		c.process.stop()
	}
	return err
}

// loadAll warms everybody up, and then loads them in turn.
func loadAll(ctx context.Context, servers []*contender, request []byte) error {
	for _, c := range servers {
		if _, err := load(ctx, c.process.address, request, warmFor); err != nil {
			return fmt.Errorf("warm up %s: %w", c.name, err)
		}
	}
	for range rounds {
		for _, c := range servers {
			r, err := load(ctx, c.process.address, request, roundFor)
			if err != nil {
				return fmt.Errorf("load %s: %w", c.name, err)
			}
			c.rates = append(c.rates, r.rate)
			c.p99s = append(c.p99s, r.p99)
			c.clients = append(c.clients, r.cores)
		}
	}
	return nil
}

// process is a running server; nil is none.
type process struct {
	address string
	cmd     *exec.Cmd
	cancel  context.CancelFunc
	ended   chan struct{}
}

// launch starts a server and returns how long it took until it answered the request
// with 200.
func launch(ctx context.Context, c command, request []byte) (*process, time.Duration, error) {
	port, err := freePort()
	if err != nil {
		return nil, 0, err
	}
	args := c(port)
	ctx, cancel := context.WithCancel(ctx)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "NODE_ENV=production")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	began := time.Now()
	if err := cmd.Start(); err != nil {
		cancel()
		return nil, 0, err
	}
	p := &process{"127.0.0.1:" + port, cmd, cancel, make(chan struct{})}
	go func() {
		defer close(p.ended)
		_ = cmd.Wait() // how it ends is not what is measured
	}()
	if err := p.ready(request, began.Add(startWithin)); err != nil {
		p.stop()
		return nil, 0, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	return p, time.Since(began), nil
}

// ready waits for the first 200.
func (p *process) ready(request []byte, deadline time.Time) error {
	for {
		_, err := ask(p.address, request)
		if err == nil || time.Now().After(deadline) {
			return err
		}
		select {
		case <-p.ended:
			return fmt.Errorf("it ended by itself: %v", p.cmd.ProcessState)
		case <-time.After(500 * time.Microsecond):
		}
	}
}

func (p *process) stop() {
	if p != nil {
		p.cancel()
		<-p.ended
	}
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, errors.Join(err, l.Close())
}

// memoryMB is the resident memory of a process and of all that it started.
func memoryMB(pid int) float64 {
	var total float64
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // one that has ended has none
	if _, after, ok := bytes.Cut(status, []byte("VmRSS:")); ok {
		kib, _ := strconv.ParseFloat(string(bytes.Fields(after)[0]), 64) // the kernel writes digits
		total = kib * 1024 / 1e6
	}
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is well formed
	for _, task := range tasks {
		children, _ := os.ReadFile(task) // a thread that has ended has none
		for child := range strings.FieldsSeq(string(children)) {
			n, _ := strconv.Atoi(child) // the kernel writes digits
			total += memoryMB(n)
		}
	}
	return total
}

// round is what one spell of load has shown.
type round struct {
	rate  float64 // answers a second
	p99   float64 // ms
	cores float64 // seconds of processor time that the clients took, a second
}

// load keeps the clients busy for a while.
func load(ctx context.Context, address string, request []byte, d time.Duration) (round, error) {
	lines := make([]*line, clients)
	for i := range lines {
		l, err := dial(address)
		if err != nil {
			return round{}, err
		}
		defer l.close()
		lines[i] = l
	}
	took, failed := make([][]time.Duration, clients), make([]error, clients)
	var wg sync.WaitGroup
	busy, began := processorTime(), time.Now()
	for i, l := range lines {
		wg.Go(func() { took[i], failed[i] = l.keepAsking(ctx, request, began.Add(d)) })
	}
	wg.Wait()
	elapsed, all := time.Since(began), slices.Sorted(slices.Values(slices.Concat(took...)))
	if err := errors.Join(append(failed, ctx.Err())...); err != nil {
		return round{}, err
	}
	return round{
		rate:  float64(len(all)) / elapsed.Seconds(),
		p99:   milliseconds(all[len(all)*99/100]),
		cores: (processorTime() - busy).Seconds() / elapsed.Seconds(),
	}, nil
}

func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // fails only for a bad address
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// line is one keep-alive connection with as little client as possible, so that what
// is measured is the server.
type line struct {
	conn net.Conn
	r    *bufio.Reader
}

func dial(address string) (*line, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &line{conn, bufio.NewReader(conn)}, conn.SetDeadline(time.Now().Add(startWithin))
}

func (l *line) close() { _ = l.conn.Close() }

// keepAsking returns how long each answer took.
func (l *line) keepAsking(ctx context.Context, request []byte, end time.Time) ([]time.Duration, error) {
	took := make([]time.Duration, 0, 1<<14)
	for asked := time.Now(); asked.Before(end) && ctx.Err() == nil; {
		if err := l.exchange(request, io.Discard); err != nil {
			return nil, err
		}
		answered := time.Now()
		took = append(took, answered.Sub(asked))
		asked = answered
	}
	return took, nil
}

// exchange sends the request and copies the body of the answer, which must be a 200
// that tells its length.
func (l *line) exchange(request []byte, body io.Writer) error {
	if _, err := l.conn.Write(request); err != nil {
		return err
	}
	status, err := l.r.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200")) {
		return fmt.Errorf("it answers %s", bytes.TrimSpace(status))
	}
	length := int64(-1)
	for {
		header, err := l.r.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(header) <= len("\r\n") {
			break
		}
		if name, value, _ := bytes.Cut(header, []byte(":")); bytes.EqualFold(name, []byte("Content-Length")) {
			if length, err = strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64); err != nil {
				return err
			}
		}
	}
	if length < 0 {
		return errors.New("it answers without a Content-Length")
	}
	_, err = io.CopyN(body, l.r, length)
	return err
}

// ask asks once, on a connection of its own.
func ask(address string, request []byte) ([]byte, error) {
	l, err := dial(address)
	if err != nil {
		return nil, err
	}
	defer l.close()
	var body bytes.Buffer
	err = l.exchange(request, &body)
	return body.Bytes(), err
}

func get(path string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path)
}

func post(path string, body []byte) []byte {
	return append(fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
		path, len(body)), body...)
}

// printTable prints the figures in Markdown, cabrank first.
func printTable(servers []*contender) {
	fmt.Println("| server | version | requests/s | cabrank is | start ms | memory MB | p99 ms |")
	fmt.Println("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
	for _, c := range servers {
		fmt.Printf("| %s | %s | %.0f | %.1f × | %.0f | %.0f | %.1f |\n", c.name, c.version, median(c.rates),
			median(ratios(servers[0].rates, c.rates)), median(c.starts), memoryMB(c.process.cmd.Process.Pid), median(c.p99s))
	}
	fmt.Printf(`
POST /status, %d keep-alive clients, medians of %d rounds of %v after %v of warming up; the
ratio is the median of the rounds' own. Start: from process start to the first 200, median of %d.
Memory: resident, after the load. Prism validates by this project's openapi.yaml, with the journey
as the example; Mockoon and WireMock match method and path only. The clients share the machine's
%d cores with the server: while cabrank answered they took %.1f of them.
`, clients, rounds, roundFor, warmFor, starts, runtime.NumCPU(), median(servers[0].clients))
}

// ratios divides round by round, since neighbours in time suffer the same noise.
func ratios(a, b []float64) []float64 {
	r := make([]float64, len(a))
	for i := range a {
		r[i] = a[i] / b[i]
	}
	return r
}

func median(x []float64) float64 { return slices.Sorted(slices.Values(x))[len(x)/2] }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

//go:build ignore

// Compare serves one journey from cabrank and from well-known mock servers, and prints the
// performance of each; .ci/compare installs the mocks and runs it.
//
// Everybody answers POST /status with the journey that cabrank has really booked:
// tomorrow's, so HELD, which stays as it is meanwhile. All get the same bytes from
// the same clients and send the same body, a round of one and a round of the next in
// turn, so that their ratios hold on a noisy machine. Where there is a choice it is
// made in the mocks' favour: each is at its quietest and remembers nothing it can do
// without.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"
)

const (
	freshStarts = 10 // of cabrank alone, each with a new database
	starts      = 3  // of each server; the last one stays up for the load
	warmFor     = 10 * time.Second
	rounds      = 9
	roundFor    = 1500 * time.Millisecond
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
	s, err := bookIn(ctx, cabrank, database)
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

// printOwn prints cabrank's own figures: start time with a fresh database, idle memory and
// binary size.
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

// bookIn books a journey for tomorrow in a database.
func bookIn(ctx context.Context, cabrank, database string) (subject, error) {
	p, _, err := launch(ctx, serve(cabrank, database), get("/readyz"))
	if err != nil {
		return subject{}, err
	}
	defer p.stop()
	return bookSubject(ctx, p)
}

// loadAll warms up all servers, and then loads them in turn.
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

// ratios divides round by round, since neighbouring rounds have the same noise.
func ratios(a, b []float64) []float64 {
	r := make([]float64, len(a))
	for i := range a {
		r[i] = a[i] / b[i]
	}
	return r
}

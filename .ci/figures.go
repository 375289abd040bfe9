//go:build ignore

// Figures measures what a change has made slower or faster: it builds two commits, HEAD and
// an earlier one, measures both in turns, and prints the ratio of each figure. It exits with
// 1 if HEAD is clearly worse. .ci/figures runs it.
//
// A figure is worse if the ratio of the medians is below 0.85 and, by the Mann-Whitney test,
// the chance of such a difference between equal commits is at most 1 %. Figures that look
// worse are measured for as many rounds again and judged by all of them, since a shared
// machine is slow from time to time.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
)

// fewestRounds is the minimum for a significant result at 1 %.
const fewestRounds = 5

// row is one figure, and how to measure it.
type row struct {
	pkg    string // folder of the benchmark
	name   string // as go test prints it, without "Benchmark"
	times  string // -test.benchtime
	unit   string
	higher bool // is better
}

// rows are the benchmarks. Those of "cabrank serve" are in figures_serve.go.
var rows = []row{
	{"simulator", "Day/default", "3x", "ns/op", false},
	{"simulator", "Journeys/plane=5000", "20000x", "journeys/s", true},
	{"simulator", "Journeys/default=5000", "5000x", "journeys/s", true},
	{"simulator/platform/booking", "Booking", "200x", "conversations/s", true},
	{"simulator/platform/booking/grammar", "Hear", "300ms", "ns/op", false},
}

func main() {
	rounds := flag.Int("rounds", 7, "how often each commit is measured, 5 or more")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, flag.Args(), *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, rounds int) error {
	if len(args) > 1 || rounds < fewestRounds {
		return fmt.Errorf("usage: bash .ci/figures [-rounds N] [COMMIT], with %d rounds or more", fewestRounds)
	}
	before, head, err := twoCommits(args)
	if err != nil {
		return err
	}
	if before == head {
		fmt.Printf("HEAD is %.12s itself: there is nothing to compare\n", before)
		return nil
	}
	work, err := os.MkdirTemp("", "figures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	sides := [2]*side{{commit: before, dir: filepath.Join(work, "before")}, {commit: head, dir: filepath.Join(work, "head")}}
	for _, s := range sides {
		if err := s.build(ctx, rows); err != nil {
			return err
		}
	}
	figures, err := measureAll(ctx, sides, rounds)
	if err != nil {
		return err
	}
	return report(sides, figures, rounds)
}

// measureAll measures everything, and repeats the figures that look worse.
func measureAll(ctx context.Context, sides [2]*side, rounds int) ([]*figure, error) {
	benchmarks := make([]*figure, len(rows))
	for i, r := range rows {
		benchmarks[i] = &figure{row: r}
	}
	if err := measureBenchmarks(ctx, sides, benchmarks, rounds); err != nil {
		return nil, err
	}
	var again []*figure
	for _, f := range benchmarks {
		if f.worse() {
			again = append(again, f)
		}
	}
	if err := measureBenchmarks(ctx, sides, again, rounds); err != nil {
		return nil, err
	}
	served, err := measureServers(ctx, sides, rounds)
	return append(benchmarks, served...), err
}

// report prints a table in Markdown.
func report(sides [2]*side, figures []*figure, rounds int) error {
	fmt.Printf("| figure | %.7s | HEAD | unit | HEAD is | worst to best | chance | |\n", sides[0].commit)
	fmt.Println("| --- | ---: | ---: | --- | ---: | --- | ---: | --- |")
	worse, gone := 0, 0
	for _, f := range figures {
		fmt.Println(f.line())
		if f.worse() {
			worse++
		}
		if len(f.values[1]) == 0 {
			gone++
		}
	}
	fmt.Printf(`
%.12s and HEAD (%.12s), %d rounds of each in turns on %d cores with %s. "HEAD is" is the ratio of the
medians, turned so that more than 1 is better; beside it are the worst and the best round's own
ratio. Worse: below %.2f, and at most %.2f is the chance that equal commits differ so (one-sided
Mann-Whitney test).
`, sides[0].commit, sides[1].commit, rounds, runtime.NumCPU(), runtime.Version(), tolerated, chance)
	if gone > 0 {
		return errors.New("a figure is not there at HEAD: its benchmark has another name, or prints another unit")
	}
	if worse > 0 {
		return errors.New("HEAD is worse than " + sides[0].commit[:12])
	}
	return nil
}

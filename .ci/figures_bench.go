//go:build ignore

// Benchmarks of the tests.

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// measureBenchmarks runs each benchmark on both sides in turn, alternating the
// first.
func measureBenchmarks(ctx context.Context, sides [2]*side, figures []*figure, rounds int) error {
	for round := range rounds {
		printed := map[string]string{} // by side and benchmark: one may have several figures
		for _, f := range figures {
			for i := range sides {
				which := (round + i) % 2
				key := fmt.Sprint(which, f.pkg, f.name)
				if _, ran := printed[key]; !ran {
					out, err := sides[which].benchmark(ctx, f.row)
					if err != nil {
						return err
					}
					printed[key] = out
				}
				if value, found := read(printed[key], f.row); found {
					f.values[which] = append(f.values[which], value)
				}
			}
		}
	}
	return nil
}

// benchmark runs a benchmark once and returns its output: "" if this commit does not have
// it.
func (s *side) benchmark(ctx context.Context, r row) (string, error) {
	if _, err := os.Stat(s.test(r.pkg)); err != nil {
		return "", nil
	}
	cmd := exec.CommandContext(ctx, s.test(r.pkg), "-test.run", "^$", "-test.bench", pattern(r.name), "-test.benchtime", r.times, "-test.timeout", "5m")
	cmd.Dir = filepath.Join(s.dir, r.pkg)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s at %.12s: %w: %s", r.name, s.commit, err, out)
	}
	return string(out), nil
}

// pattern matches the one benchmark of a name: each part of it between slashes is a pattern
// of its own.
func pattern(name string) string {
	parts := strings.Split("Benchmark"+name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// cores matches the suffix of a result's name on several cores.
var cores = regexp.MustCompile(`-\d+$`)

// read finds a row's value in what a benchmark prints: name, number of runs, and then each
// value with its unit.
func read(out string, r row) (value float64, found bool) {
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 4 || cores.ReplaceAllString(fields[0], "") != "Benchmark"+r.name {
			continue
		}
		for i := 2; i+1 < len(fields); i += 2 {
			if fields[i+1] == r.unit {
				value, err := strconv.ParseFloat(fields[i], 64)
				return value, err == nil
			}
		}
	}
	return 0, false
}

// Package ledger compares what work costs with a page that is kept: allocations, bytes,
// rows, requests. Counts are the same on every machine, where times are not.
//
// Each package that has something to count has a test TestLedger with one section of the
// page cmd/cabrank/docs/ledger.md. A count that is more than two hundredths off its row fails
// the test, a saving too: the page is written again, and a reviewer sees the difference.
//
//	go test ./store -run TestLedger -ledger
package ledger

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tolerance is how far a count may differ from its row, as a fraction of the row. Maps and slices grow by chance in a
// few places.
const tolerance = 0.02

var update = flag.Bool("ledger", false, "write the section of this package in the ledger")

// Row is a row of the ledger: some work, and how much of something it took, such as 42 allocations.
type Row struct {
	What  string
	Count float64
	Unit  string
}

// Work calls do repeatedly, and returns the allocations and the allocated bytes of a call, on average over n calls.
// Nothing else may run meanwhile: a test that calls it is not parallel.
func Work(what string, n int, do func()) []Row {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection empties pools
	runtime.GC()                                     // one that has begun ends before
	for range n/10 + 1 {                             // what is made once, and what pools hold, is not counted
		do()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		do()
	}
	runtime.ReadMemStats(&after)
	return []Row{
		{what, float64(after.Mallocs-before.Mallocs) / float64(n), "allocations"},
		{what, float64(after.TotalAlloc-before.TotalAlloc) / float64(n), "bytes allocated"},
	}
}

// Countable skips the test where counts differ for another reason than the code: under the race detector, and with
// another release of Go than the page names, unless -ledger is set. A test with long work calls it first; [Compare]
// calls it as well.
func Countable(t *testing.T) {
	t.Helper()
	if raceDetector {
		t.Skip("the race detector allocates too")
	}
	if named := read(t).release; named != release() && !*update {
		t.Skipf("the page was written with %s, this is %s", named, release())
	}
}

// Compare compares rows with a section of the page, or writes the section with -ledger.
func Compare(t *testing.T, section string, rows ...Row) {
	t.Helper()
	Countable(t)
	p := read(t)
	if *update {
		p.write(t, section, rows)
		return
	}
	for _, row := range rows {
		kept, known := p.counts[section][row.key()]
		require.True(t, known, "%s has no row %q: -run TestLedger -ledger writes it", p.path, row.key())
		if math.Abs(row.Count-kept) > tolerance*kept {
			t.Errorf("%s: %.6g %s, the ledger has %.6g: find out why, or write it again with -ledger", row.What, row.Count, row.Unit, kept)
		}
	}
	require.Len(t, p.counts[section], len(rows), "rows of section %s that nothing counts any more", section)
}

func (r Row) key() string { return r.What + ", " + r.Unit }

// release returns the release of Go without its patch number, such as go1.26.
func release() string {
	part := strings.SplitN(runtime.Version(), ".", 3)
	return strings.Join(part[:min(2, len(part))], ".")
}

// page is the content of the ledger's file.
type page struct {
	path, release string
	head          string            // up to the first section
	order         []string          // names of the sections
	text          map[string]string // of each section
	counts        map[string]counts // by section
}

type counts map[string]float64 // by Row.key

const between = "\n## "

func read(t *testing.T) *page {
	t.Helper()
	p := &page{path: find(t), text: map[string]string{}, counts: map[string]counts{}}
	text, err := os.ReadFile(p.path)
	require.NoError(t, err)
	sections := strings.Split(string(text), between)
	p.head = sections[0]
	_, after, _ := strings.Cut(p.head, "written with ")
	p.release, _, _ = strings.Cut(after, ":")
	for _, s := range sections[1:] {
		name, body, _ := strings.Cut(s, "\n")
		p.order = append(p.order, name)
		p.text[name], p.counts[name] = body, parse(t, body)
	}
	return p
}

// parse returns the counts in the table of a section, whose rows are | what | count | unit |.
func parse(t *testing.T, body string) counts {
	t.Helper()
	all := counts{}
	for line := range strings.Lines(body) {
		var r Row
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(cells) != 3 {
			continue
		}
		r.What, r.Unit = strings.TrimSpace(cells[0]), strings.TrimSpace(cells[2])
		if _, err := fmt.Sscan(strings.ReplaceAll(cells[1], ",", ""), &r.Count); err == nil {
			all[r.key()] = r.Count
		}
	}
	return all
}

// write replaces one section of the file, or adds it.
func (p *page) write(t *testing.T, section string, rows []Row) {
	t.Helper()
	var body strings.Builder
	body.WriteString("\n| what | count | of |\n| --- | ---: | --- |\n")
	for _, r := range rows {
		fmt.Fprintf(&body, "| %s | %s | %s |\n", r.What, thousands(r.Count), r.Unit)
	}
	if _, there := p.text[section]; !there {
		p.order = append(p.order, section)
	}
	p.text[section] = body.String()
	var all strings.Builder
	all.WriteString(strings.Replace(p.head, "written with "+p.release+":", "written with "+release()+":", 1))
	for _, name := range p.order {
		all.WriteString(between + name + "\n" + p.text[name])
	}
	require.NoError(t, os.WriteFile(p.path, []byte(all.String()), 0o644))
}

// thousands formats a count: whole and with commas from 100 on, with at most one decimal place below.
func thousands(v float64) string {
	if v < 100 {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
	}
	digits := fmt.Sprintf("%.0f", v)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// find returns the path of the ledger in the module that the test belongs to.
func find(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "cmd", "cabrank", "docs", "ledger.md")
		}
		require.NotEqual(t, dir, filepath.Dir(dir), "no go.mod above the test")
	}
}

package matrix

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cabrank/cabrank/conformance"
)

// Subject is a correct server from which mutants are made, and how to test it.
type Subject struct {
	Handler http.Handler
	Now     func() time.Time
	Test    func(context.Context, Place) (*conformance.Report, error) // runs the suite against the server at a place
	Stop    func()                                                    // nil: nothing to stop
}

// Place is the address at which the server made from a subject is reached, and how to test it there.
type Place struct {
	*Port
	URL     string           // base address
	Now     func() time.Time // clock by which calls to it are timed
	Only    []string         // the chosen checks; none: all
	Own     bool             // it does not use the correct server, so that server's credentials and hooks do not apply
	Restart func()           // to be called when the server is restarted
}

// Matrix holds, for each server on which a suite was tried, which checks failed it and whether they should
// have.
type Matrix struct {
	Mutants  []MatrixRow
	Variants []MatrixRow
	Peers    []MatrixRow
	Took     time.Duration
}

// MatrixRow is the result of one server.
type MatrixRow struct {
	Mutant
	OK      bool     // the suite judged the server as it should
	Killers []string // the verdicts that failed
	Warners []string // the verdicts that warned
	Problem string   // why it is not OK
	First   []string // the verdicts that its report names first
	Took    time.Duration
	broken  []string // the verdicts that the suite did not reach
	only    []string
	Report  *conformance.Report // of a row that is not OK; nil: there was nothing to test
}

// OK reports whether the suite judged every server as it should.
func (m *Matrix) OK() bool {
	return !slices.ContainsFunc(slices.Concat(m.Mutants, m.Variants, m.Peers), func(r MatrixRow) bool { return !r.OK })
}

// Trial configures a matrix. Suite, Sound and Now are required.
type Trial struct {
	Suite *conformance.Suite
	Sound func(context.Context) (Subject, error) // makes a correct server, a new one for each row
	Now   func() time.Time                       // to measure how long judging takes
	Width int                                    // servers tried at the same time; 0: 2

	// Virtual makes [Judge] try each server in its own testing/synctest bubble, where the servers listen inside
	// the process.
	Virtual bool

	within func(func(context.Context)) // calls its argument, which tries a server; nil: without a bubble

	Mutants, Variants, Peers []Mutant

	// Behind has, by name of a mutant, why its report may first name a check that is not one of those that have
	// to fail.
	Behind map[string]string

	// Focused judges each mutant only by the checks that it names. That is quick, but does not show which other
	// checks would fail.
	Focused bool
}

// KillMatrix runs the suite against every mutant, variant and null peer. It returns an error if a server
// could not be made; wrong judgements are only in the matrix.
func KillMatrix(ctx context.Context, trial Trial) (*Matrix, error) {
	started := trial.Now()
	m := &Matrix{Mutants: rowsOf(trial.Mutants), Variants: rowsOf(trial.Variants), Peers: rowsOf(trial.Peers)}
	if trial.Focused {
		for i := range m.Mutants {
			m.Mutants[i].focus(trial.Suite)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(cmp.Or(trial.Width, 2))
	for _, part := range []struct {
		rows  []MatrixRow
		judge func(*MatrixRow, Trial, error)
	}{{m.Mutants, (*MatrixRow).judgeKill}, {m.Variants, (*MatrixRow).judgeSpared}, {m.Peers, (*MatrixRow).judgeRed}} {
		for i := range part.rows {
			row := &part.rows[i]
			g.Go(func() error {
				began := trial.Now()
				row.Problem = "the suite came to no end" // a bubble that fails ends this goroutine
				report, err := row.try(ctx, trial)
				row.Problem = ""
				row.Took = trial.Now().Sub(began)
				stopped, unreachable := errors.AsType[*conformance.Unreachable](err)
				if err != nil && !unreachable {
					return fmt.Errorf("%s: %w", row.Name, err)
				}
				row.sortVerdicts(report, stopped)
				part.judge(row, trial, err)
				if len(row.broken) > 0 {
					row.Problem = "the suite came to no verdict on " + strings.Join(row.broken, ", ")
				}
				if row.OK = row.Problem == ""; row.OK {
					row.Report = nil // hundreds of histories would be kept
				}
				return nil
			})
		}
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	m.Took = trial.Now().Sub(started)
	return m, nil
}

// focus limits a row to the checks that its mutant names.
func (r *MatrixRow) focus(suite *conformance.Suite) {
	for name := range strings.FieldsSeq(r.KilledBy + " " + r.Warns) {
		id, _, _ := strings.Cut(name, "@")
		r.only = append(r.only, id)
	}
	r.Most = 5 * len(suite.Checks)
}

func rowsOf(mutants []Mutant) []MatrixRow {
	rows := make([]MatrixRow, len(mutants))
	for i, m := range mutants {
		rows[i].Mutant = m
	}
	return rows
}

// try runs the suite against one server, in a bubble if the trial has them.
func (r *MatrixRow) try(ctx context.Context, trial Trial) (report *conformance.Report, err error) {
	if trial.within == nil {
		return r.tryIn(ctx, trial)
	}
	trial.within(func(ctx context.Context) { report, err = r.tryIn(ctx, trial) })
	return report, err
}

func (r *MatrixRow) tryIn(ctx context.Context, trial Trial) (*conformance.Report, error) {
	subject, err := trial.Sound(ctx)
	if err != nil {
		return nil, err
	}
	if subject.Stop != nil {
		defer subject.Stop()
	}
	stage := &stage{mutant: r.Mutant, suite: trial.Suite, sound: subject.Handler, now: subject.Now}
	stage.restart()
	port, stop, err := stage.serve(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	return subject.Test(ctx, Place{
		Port: port, URL: port.URL + r.Path, Now: stage.clock(subject.Now), Only: r.only, Own: r.Own, Restart: stage.restart,
	})
}

// stage serves a mutant on this machine, and has a clock that the mutant's lag moves.
type stage struct {
	mutant Mutant
	suite  *conformance.Suite
	sound  http.Handler
	now    func() time.Time
	lag    func(conformance.Operation) time.Duration

	mu      sync.RWMutex
	server  http.Handler
	pending atomic.Int64 // lag by which the clock moves when it is next read
}

// restart makes the mutant anew, so that it forgets what it remembered.
func (s *stage) restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server = s.mutant.Wrap(s.sound)
	if s.mutant.Path != "" {
		s.server = http.StripPrefix(s.mutant.Path, s.server)
	}
	if s.mutant.Lag != nil {
		s.lag = s.mutant.Lag()
	}
}

// ServeHTTP passes a request to the mutant, and records its lag.
func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.RLock()
	server, lag := s.server, s.lag
	s.mu.RUnlock()
	if op, _, ok := s.suite.Match(r.Method, r.URL); ok && lag != nil {
		s.pending.Add(int64(lag(op)))
	}
	w.Header().Set("Date", s.now().UTC().Format(http.TimeFormat))
	server.ServeHTTP(w, r)
}

// clock returns the clock of the run: now, moved by the recorded lag of the mutant each time it is read.
func (s *stage) clock(now func() time.Time) func() time.Time {
	return func() time.Time { return now().Add(time.Duration(s.pending.Swap(0))) }
}

// serve serves the mutant on a port until stop is called.
func (s *stage) serve(ctx context.Context) (port *Port, stop func(), err error) {
	if s.mutant.Listen != nil {
		port, err = s.mutant.Listen(s.now())
	} else {
		port, err = plainPort(ctx)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("a port: %w", err)
	}
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	go func() { _ = server.Serve(port) }() // ends with stop
	return port, func() { _ = server.Close() }, nil
}

// plainPort opens a free port of this machine for plain HTTP.
func plainPort(ctx context.Context) (*Port, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &Port{Listener: listener, URL: "http://" + listener.Addr().String()}, nil
}

// sortVerdicts stores the failed, warned and missing verdicts of a run, or the check of the preflight step
// that stopped it.
func (r *MatrixRow) sortVerdicts(report *conformance.Report, stopped *conformance.Unreachable) {
	if stopped != nil {
		if id := stopped.Steps[len(stopped.Steps)-1].Check; id != "" {
			r.Killers = append(r.Killers, id+"@preflight")
		}
	}
	if r.Report = report; report == nil {
		r.First = r.Killers
		return
	}
	r.First = report.FirstNamed()
	for _, c := range report.Checks {
		switch name := c.ID + "@" + string(c.Operation); c.Outcome {
		case conformance.Broken:
			r.broken = append(r.broken, name)
		case conformance.Fail:
			r.Killers = append(r.Killers, name)
		case conformance.Warn:
			r.Warners = append(r.Warners, name)
		}
	}
}

// judgeKill sets the row's problem unless a mutant failed the checks that it names and few others, and its
// report names one of them first.
func (r *MatrixRow) judgeKill(trial Trial, unreachable error) {
	const few = 4
	named := strings.Fields(r.KilledBy)
	most := max(r.Most, len(named)+few)
	switch {
	case unreachable != nil && len(r.Killers) == 0:
		r.Problem = unreachable.Error()
	case len(missing(named, r.Killers)) > 0:
		r.Problem = "not failed by " + strings.Join(missing(named, r.Killers), ", ")
	case len(missing(strings.Fields(r.Warns), r.Warners)) > 0:
		r.Problem = "no warning by " + strings.Join(missing(strings.Fields(r.Warns), r.Warners), ", ")
	case len(r.Killers) > most:
		r.Problem = fmt.Sprintf("failed by %d checks, at most %d expected", len(r.Killers), most)
	case len(named) > 0 && len(missing(named, r.First)) == len(named) && trial.Behind[r.Name] == "":
		r.Problem = "its report names first: " + strings.Join(r.First, " ")
	}
}

// missing returns those of the named checks on which the list has no verdict.
func missing(named, verdicts []string) []string {
	return slices.DeleteFunc(slices.Clone(named), func(id string) bool {
		return slices.ContainsFunc(verdicts, func(v string) bool { return v == id || strings.HasPrefix(v, id+"@") })
	})
}

// judgeSpared sets the row's problem if a server that is unusual but correct did not pass.
func (r *MatrixRow) judgeSpared(trial Trial, unreachable error) {
	switch {
	case unreachable != nil:
		r.Problem = unreachable.Error()
	case len(r.Killers) > 0:
		r.Problem = "failed, and it is right"
	case len(missing(strings.Fields(r.Warns), r.Warners)) > 0:
		r.Problem = "no warning by " + r.Warns
	case r.Report.Summary.Pass < trial.Suite.Least:
		r.Problem = fmt.Sprintf("only %d verdicts are green", r.Report.Summary.Pass)
	case len(r.Report.Leftovers) > 0:
		r.Problem = conformance.Count(len(r.Report.Leftovers), trial.Suite.ThingName()) + " left over"
	}
}

// judgeRed sets the row's problem if a peer that does nothing passes as a whole, or passes a check that
// such a peer should not pass.
func (r *MatrixRow) judgeRed(trial Trial, unreachable error) {
	if unreachable != nil {
		return // it was found out before the run began
	}
	if r.Report.ExitCode() == conformance.ExitPass {
		r.Problem = "a server that does nothing passes"
	}
	for _, c := range r.Report.Checks {
		if check, _ := trial.Suite.Lookup(c.ID); c.Outcome == conformance.Pass && !check.Idle {
			r.Problem = c.ID + " is green for a server that does nothing"
		}
	}
}

// String returns the matrix as a table for people.
func (m *Matrix) String() string {
	var b strings.Builder
	for _, part := range []struct {
		title string
		rows  []MatrixRow
	}{
		{"Servers broken on purpose, and the checks that fail them", m.Mutants},
		{"Servers that are odd and right", m.Variants},
		{"Peers that do nothing", m.Peers},
	} {
		if len(part.rows) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s\n", part.title)
		for _, r := range part.rows {
			r.print(&b)
		}
		fmt.Fprintln(&b)
	}
	fmt.Fprintf(&b, "%s, %s, %s in %s\n", conformance.Count(len(m.Mutants), "mutant"), conformance.Count(len(m.Variants), "variant"),
		conformance.Count(len(m.Peers), "null peer"), m.Took.Round(time.Millisecond))
	return b.String()
}

func (r *MatrixRow) print(w io.Writer) {
	word := "ok  "
	if !r.OK {
		word = "FAIL"
	}
	fmt.Fprintf(w, "  %s %-48s %s\n", word, r.Name, strings.Join(slices.Concat(r.Killers, r.Warners), " "))
	if r.Problem != "" {
		fmt.Fprintf(w, "       %s\n", r.Problem)
	}
}

package speech

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// trial is one recognition. Its programs read their models at once, which takes longer than recognising a few words, and
// wait until their input has the name of the file with the sound.
type trial struct {
	dir    string
	run    runner
	cancel context.CancelFunc
	ready  chan struct{} // closed when there is such a file
	done   chan struct{} // closed when the programs have ended

	answer, witness hearing
	err             error
}

// begin starts a recognition, which ends with ctx.
func (s *sphinx) begin(ctx context.Context, grammar voice.Grammar, run runner) *trial {
	ctx, cancel := context.WithCancel(ctx)
	t := &trial{run: run, cancel: cancel, ready: make(chan struct{}), done: make(chan struct{})}
	if t.dir, t.err = os.MkdirTemp("", "cabrank-speech-"); t.err != nil {
		cancel()
		close(t.done)
		return t
	}
	go func() { // ends with ctx, or when its programs have ended
		defer close(t.done)
		defer os.RemoveAll(t.dir)
		defer cancel()
		var both errgroup.Group
		both.Go(func() (err error) { t.answer, err = s.answer(ctx, t, grammar); return err })
		if isWitnessed(grammar) {
			both.Go(func() (err error) {
				t.witness, err = s.hear(ctx, t, "witness", strings.Fields(frequent), nil, "-lm", s.general)
				return err
			})
		}
		t.err = both.Wait()
	}()
	return t
}

// isWitnessed reports whether an answer is also recognised with the general model: one to a yes-or-no question, or one
// that may describe a trip.
func isWitnessed(grammar voice.Grammar) bool {
	return grammar.YesOrNo || grammar.Question == questionOpening || grammar.Question == questionPickup
}

func (t *trial) over() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

var errEnded = errors.New("the program has ended before it was told what to hear")

// hear recognises the speech in samples.
func (t *trial) hear(ctx context.Context, pcm []int16) (Heard, error) {
	if t.over() {
		return Heard{}, cmp.Or(t.err, errEnded)
	}
	if err := os.WriteFile(filepath.Join(t.dir, "speech.raw"), bare(pcm), 0o600); err != nil {
		t.cancel()
		return Heard{}, err
	}
	defer context.AfterFunc(ctx, t.cancel)()
	close(t.ready)
	<-t.done
	if t.err != nil {
		return Heard{}, t.err
	}
	return t.answer.heard(t.witness.text), nil
}

// names is the input of the programs: the name of the file with the sound, once that file exists.
type names struct {
	ctx   context.Context
	ready chan struct{}
	text  io.Reader
}

func (n *names) Read(p []byte) (int, error) {
	select {
	case <-n.ready:
		return n.text.Read(p)
	case <-n.ctx.Done():
		return 0, n.ctx.Err()
	}
}

// early limits the recognitions that begin while somebody is still speaking. Beyond the limit, the models are read only
// in the pause.
var early = make(chan struct{}, runtime.GOMAXPROCS(0))

// start implements starter.
func (s *sphinx) start(ctx context.Context, grammar voice.Grammar) Listener {
	if !isEnglish(grammar) {
		return s
	}
	select {
	case early <- struct{}{}:
	default:
		return s
	}
	b := &begun{sphinx: s, trial: s.begin(ctx, grammar, runNow)}
	go func() { // ends with ctx
		<-b.trial.done
		<-early
	}()
	return b
}

// begun is a listener whose first recognition is already running.
type begun struct {
	*sphinx

	trial *trial
	used  atomic.Bool
}

// Listen implements [Listener].
func (b *begun) Listen(ctx context.Context, pcm []int16, grammar voice.Grammar) (Heard, error) {
	if !b.used.Swap(true) {
		if heard, err := b.trial.hear(ctx, pcm); err == nil || ctx.Err() != nil {
			return heard, err
		} // somebody who speaks for long outlasts its programs
	}
	return b.sphinx.Listen(ctx, pcm, grammar)
}

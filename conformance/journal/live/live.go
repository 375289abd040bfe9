package live

import (
	"cmp"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/cabrank/cabrank/conformance"
)

// The headers with which a [Journal] tells a caller what it keeps. RequestHeader is
// the id of the call: the handler's own where it sets one. FaultHeader is set by whoever
// made something go wrong on purpose.
const (
	RequestHeader = "X-Cabrank-Request"
	VerdictHeader = "X-Cabrank-Verdict"
	FaultHeader   = "X-Cabrank-Fault"
)

// Options says what a [Journal] keeps and how it judges. Request, Answer and Now are required; the zero value of the rest works.
type Options struct {
	Request *conformance.Suite // judges what callers send
	Answer  *conformance.Suite // judges what they are answered

	Now   func() time.Time // the wall
	World func() time.Time // the clock of what is called; nil: the wall

	// Most is how many calls are kept at most, MostBytes how many bytes of memory they
	// may take together, and MostBody how many bytes are kept of one body. The oldest call
	// makes room for the newest. 0: 1,000 calls, 16 MiB, 64 KiB.
	Most, MostBytes, MostBody int

	// Slow is from when an answer is slow, which is a finding under a check of Answer. 0: 2.5 seconds.
	Slow time.Duration

	// Bare keeps every header that begins with X-Cabrank- out of the answers.
	Bare bool

	// File receives every call as a line of JSON once it is judged, credentials left out;
	// nil: none. Calls are then judged as fast as they come: who calls faster waits, so that
	// none makes room before it is written. It is the caller's to close. One call of Write
	// takes a line, whole or not at all; after an error the line comes again.
	File io.Writer

	// FileTold hears once that File takes no calls, and why, and once that it does again, and how
	// many calls are not in it; nil: nobody does.
	FileTold func(err error, lost int)
}

// Journal keeps the last calls of a handler as they were really sent and answered, and tells
// what the rules of two suites make of each: those of callers of what was sent, those of
// servers of what was answered. It is an [http.Handler]; its methods may be called from
// any goroutine.
//
// What a call was sent is judged by itself before it is answered, as a header tells of
// it. All else is judged when there is time, and at the latest when somebody asks: then
// the question waits. Calls are never lost to that, but under more load than a machine
// can judge the oldest make room unjudged; the report counts them.
type Journal struct {
	opts  Options
	next  http.Handler
	ops   map[string]conformance.Operation // by their path
	early *earlyVerdicts
	alike alike

	requests, answers judge

	tokens atomic.Uint64
	pace   *rate.Limiter // of judging in between
	wake   chan struct{}
	done   chan struct{}

	released chan struct{} // closed when nobody may wait or listen any more
	release  sync.Once
	working  sync.WaitGroup
	shut     sync.Once

	judging sync.Mutex // held by who judges, before mu

	mu       sync.Mutex
	kept     []*Call // by id
	bytes    int
	last     int           // the id of the newest
	judged   int           // all up to this id are judged by themselves
	together int           // and together with others up to this one
	cleared  int           // the last id that was taken away on request
	gone     int           // calls that made room, since then
	unjudged int           // of them without a verdict
	counts   tally         // since then
	news     chan struct{} // closed when a call is kept; nil: nobody listens
	begun    []*Call       // whose answers have begun, and that have not ended

	inFile journalFile
}

// What is kept unless told otherwise, and how much is judged in between.
const (
	UsualMost  = 1000
	usualBytes = 16 << 20
	usualBody  = 64 << 10
	usualSlow  = 2500 * time.Millisecond

	betweenRate  = 50 // calls a second that are judged although nobody asks
	betweenBurst = 100
)

// New returns a journal of what a handler is asked. [Journal.Close] ends it.
func New(next http.Handler, opts Options) *Journal {
	opts.Most, opts.MostBytes, opts.MostBody = cmp.Or(opts.Most, UsualMost), cmp.Or(opts.MostBytes, usualBytes), cmp.Or(opts.MostBody, usualBody)
	opts.Slow = cmp.Or(opts.Slow, usualSlow)
	if opts.World == nil {
		opts.World = opts.Now
	}
	l := &Journal{
		opts: opts, next: next, ops: map[string]conformance.Operation{},
		requests: newJudge(opts.Request, conformance.AboutRequest), answers: newJudge(opts.Answer, conformance.AboutAnswer), pace: rate.NewLimiter(betweenRate, betweenBurst), wake: make(chan struct{}, 1), done: make(chan struct{}), released: make(chan struct{}),
		counts: newTally(),
	}
	l.inFile.opts = &l.opts
	l.early = newEarlyVerdicts(l.requests)
	for _, op := range opts.Request.Operations {
		l.ops[op.Path()] = op
	}
	l.working.Go(l.judgeInBetween)
	return l
}

// Clear forgets all calls. Ids go on counting.
func (l *Journal) Clear() {
	l.judging.Lock()
	defer l.judging.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.kept)
	l.kept, l.bytes, l.gone, l.unjudged, l.counts = nil, 0, 0, 0, newTally()
	l.cleared, l.judged, l.together = l.last, l.last, l.last
}

// Release ends those who wait or listen, for good: a server that shuts down would wait
// for them.
func (l *Journal) Release() { l.release.Do(func() { close(l.released) }) }

// Close judges what is left, for the file, and ends those who wait or listen. It returns
// why the file is not whole.
func (l *Journal) Close() error {
	l.Release()
	l.shut.Do(func() {
		close(l.done)
		l.working.Wait()
		if l.opts.File != nil {
			l.settle()
		}
	})
	return l.FileTrouble()
}

// keep takes in a call that has ended.
func (l *Journal) keep(k *Call) {
	l.mu.Lock()
	l.unlist(k)
	l.last++
	k.X.ID = l.last
	l.kept = append(l.kept, k)
	l.bytes += k.Weight
	for len(l.kept) > 1 && (len(l.kept) > l.opts.Most || l.bytes > l.opts.MostBytes) {
		if l.opts.File != nil && l.kept[0].X.ID > l.judged { // it is written first
			l.mu.Unlock()
			l.settle()
			l.mu.Lock()
			continue
		}
		l.dropOldest()
	}
	late := l.opts.File != nil && l.last-l.judged > max(1, len(l.kept)/2)
	if l.news != nil {
		close(l.news)
		l.news = nil
	}
	l.mu.Unlock()
	switch {
	case late:
		l.settle()
	case l.opts.File != nil || l.pace.AllowN(k.X.Wall(), 1):
		select {
		case l.wake <- struct{}{}:
		default:
		}
	}
}

// dropOldest makes room; mu is held.
func (l *Journal) dropOldest() {
	oldest := l.kept[0]
	l.kept[0] = nil
	l.kept = l.kept[1:]
	l.bytes -= oldest.Weight
	l.gone++
	if !oldest.isJudged {
		l.unjudged++
		l.judged = max(l.judged, oldest.X.ID)
	}
}

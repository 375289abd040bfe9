package live

import (
	"cmp"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/inbound"
)

// The headers that a [Journal] adds to answers. RequestHeader is the id of the call: the
// handler's own if it sets one. FaultHeader is set by the handler that injected a
// fault.
const (
	RequestHeader = "X-Cabrank-Request"
	VerdictHeader = "X-Cabrank-Verdict"
	FaultHeader   = "X-Cabrank-Fault"
	KindHeader    = "X-Cabrank-Fault-Kind" // of that fault
)

// Options are the options of a [Journal]. Request, Answer and Now are required; the zero value of the others works.
type Options struct {
	Request *conformance.Suite // judges requests
	Answer  *conformance.Suite // judges answers

	Now   func() time.Time // real time
	World func() time.Time // the server's virtual time; nil: real time

	// Most limits the number of stored calls, MostBytes their memory in total, and MostBody
	// the stored bytes of one body. The oldest call is dropped for the newest. 0: 1,000
	// calls, 16 MiB, 64 KiB.
	Most, MostBytes, MostBody int

	// Changed is called when a call has been stored in the journal, and when the journal has
	// been cleared, so that a [Saver] has more; it must not block. Nil: not called.
	Changed func()
}

// Journal records the last calls of a handler as they were really sent and answered, and
// judges each by two suites: the request by the suite for callers, the answer by the suite
// for servers. It is an [http.Handler]; its methods may be called from any goroutine.
//
// A request is judged singly before the answer, since a header carries the verdict. All
// other rules run in the background, and at the latest for a query, which then waits. Under
// more load than the machine can judge, the oldest calls are dropped without a verdict; the
// report counts them.
type Journal struct {
	opts   Options
	next   http.Handler
	target string                           // base address of the server behind a proxy; "": the handler is the server
	ops    map[string]conformance.Operation // by path
	early  *earlyVerdicts
	alike  alike

	requests, answers judge

	newToken func() string // an id for a call without one from its handler

	pace *rate.Limiter // of judging in the background
	wake chan struct{}
	done chan struct{}

	released chan struct{} // closed when waiting and listening must end
	release  sync.Once
	working  sync.WaitGroup
	shut     sync.Once

	judging sync.Mutex // held while judging; acquired before mu

	mu       sync.Mutex
	kept     []*Call // by id
	bytes    int
	last     int           // the id of the newest
	judged   int           // all calls up to this id are judged singly
	together int           // all calls up to this id are judged together
	cleared  int           // the last id when the journal was cleared
	gone     int           // calls dropped since then
	unjudged int           // dropped calls without a verdict
	counts   tally         // counts since then
	news     chan struct{} // closed when a call is stored; nil: nobody listens
	begun    []*Call       // calls whose answers have started and not ended
}

// Defaults of [Options], and the rate of judging in the background.
const (
	UsualMost  = 1000
	usualBytes = 16 << 20
	usualBody  = 64 << 10

	slow = 2500 * time.Millisecond // an answer that takes as long is a finding under a check of Answer

	betweenRate  = 50 // calls a second that are judged in the background
	betweenBurst = 100
)

// New returns a journal of a handler's calls. [Journal.Close] ends it.
func New(next http.Handler, opts Options) *Journal {
	opts.Most, opts.MostBytes, opts.MostBody = cmp.Or(opts.Most, UsualMost), cmp.Or(opts.MostBytes, usualBytes), cmp.Or(opts.MostBody, usualBody)
	if opts.World == nil {
		opts.World = opts.Now
	}
	l := &Journal{
		opts: opts, next: next, ops: map[string]conformance.Operation{},
		requests: newJudge(opts.Request, conformance.AboutRequest), answers: newJudge(opts.Answer, conformance.AboutAnswer), pace: rate.NewLimiter(betweenRate, betweenBurst), wake: make(chan struct{}, 1), done: make(chan struct{}), released: make(chan struct{}),
		counts: newTally(), newToken: inbound.RequestIDs(),
	}
	l.early = newEarlyVerdicts(l.requests)
	for _, op := range opts.Request.Operations {
		l.ops[op.Path()] = op
	}
	l.working.Go(l.judgeInBetween)
	return l
}

// Clear removes all calls. Ids continue.
func (l *Journal) Clear() {
	l.clear()
	l.changed()
}

// changed reports a change to the one who stores the calls.
func (l *Journal) changed() {
	if l.opts.Changed != nil {
		l.opts.Changed()
	}
}

func (l *Journal) clear() {
	l.judging.Lock()
	defer l.judging.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.kept)
	l.kept, l.bytes, l.gone, l.unjudged, l.counts = nil, 0, 0, 0, newTally()
	l.cleared, l.judged, l.together = l.last, l.last, l.last
}

// Release permanently ends waiting and listening, so that a server that shuts down does
// not wait for it.
func (l *Journal) Release() { l.release.Do(func() { close(l.released) }) }

// Close ends judging, waiting and listening.
func (l *Journal) Close() {
	l.Release()
	l.shut.Do(func() {
		close(l.done)
		l.working.Wait()
	})
}

// keep stores a call that has ended.
func (l *Journal) keep(k *Call) {
	l.mu.Lock()
	l.unlist(k)
	l.last++
	k.X.ID = l.last
	l.kept = append(l.kept, k)
	l.bytes += k.Weight
	for l.full() {
		l.dropOldest()
	}
	if l.news != nil {
		close(l.news)
		l.news = nil
	}
	l.mu.Unlock()
	l.changed()
	if l.pace.AllowN(k.X.Wall(), 1) {
		select {
		case l.wake <- struct{}{}:
		default:
		}
	}
}

// full reports whether the oldest call has to be dropped; mu is held.
func (l *Journal) full() bool {
	return len(l.kept) > 1 && (len(l.kept) > l.opts.Most || l.bytes > l.opts.MostBytes)
}

// dropOldest drops the oldest call; mu is held.
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

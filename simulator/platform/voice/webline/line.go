package webline

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// Rate is the sample rate of the sound in both directions.
const Rate = 16000

const (
	frameTime  = 20 * time.Millisecond
	frameBytes = 2 * Rate / int(time.Second/frameTime)

	mostMessage = 4 << 10 // bytes of a message

	sendWithin = 5 * time.Second  // timeout of sending a message
	byeWithin  = time.Second      // the same after the end of the call
	quietMost  = 60 * time.Second // after this time without a message the call ends
	quietEvery = 10 * time.Second // interval of that check
)

// Limits of the rates of messages. A browser sends 50 frames a second; frames that the network has delayed
// arrive together, at most those of ten seconds.
const (
	framesPerSecond = 55
	framesAtOnce    = 500
	actsPerSecond   = 20
	actsAtOnce      = 60
	bytesPerSecond  = 128 << 10 // with empty fragments and pongs, which are no messages
	bytesAtOnce     = 640 << 10
)

// errFast is the error of a connection that receives more than a browser sends in real time.
var errFast = errors.New("more arrives than a page sends")

// metered is a response writer whose upgraded connection limits the data that it receives.
type metered struct {
	http.ResponseWriter

	clock voice.Clock
}

// Hijack implements [http.Hijacker].
func (m metered) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(m.ResponseWriter).Hijack()
	return meteredConn{conn, m.clock, rate.NewLimiter(bytesPerSecond, bytesAtOnce)}, buffered, err
}

// WriteHeaderNow sends the status and the headers: gin holds them back.
func (m metered) WriteHeaderNow() {
	if w, ok := m.ResponseWriter.(interface{ WriteHeaderNow() }); ok {
		w.WriteHeaderNow()
	}
}

type meteredConn struct {
	net.Conn

	clock voice.Clock
	pace  *rate.Limiter
}

// Read implements [net.Conn].
func (c meteredConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p[:min(len(p), bytesAtOnce)])
	if n > 0 && !c.pace.AllowN(c.clock.Now(), n) {
		return 0, errFast
	}
	return n, err
}

// Line is the line of one call. It is a [soundline.Wire].
type Line struct {
	clock voice.Clock
	conn  *websocket.Conn
	out   *queue
	stop  context.CancelFunc
	ctx   context.Context

	mu     sync.Mutex
	far    soundline.Far
	report func(voice.LegEvent) // receives typed words, which do not pass soundline
	peer   voice.Leg            // bridged with the caller
	heard  time.Time            // time of the browser's last message
	over   bool
	quiet  voice.Timer

	asleep   bool // nothing came for quietMost
	expelled bool // nothing more is read, not even the closing handshake
}

var _ soundline.Wire = (*Line)(nil)

// Accept upgrades a request to a WebSocket and returns the line of a call. Requests from pages of other servers
// are refused. If it returns an error, it has sent the response. The line ends with [Line.Serve] or [Line.Refuse].
func Accept(w http.ResponseWriter, r *http.Request, clock voice.Clock, call string) (*Line, error) {
	l := &Line{clock: clock, out: newQueue(), heard: clock.Now()}
	l.ctx, l.stop = context.WithCancel(context.WithoutCancel(r.Context()))
	pings := rate.NewLimiter(actsPerSecond, actsAtOnce) // which pages cannot send
	conn, err := websocket.Accept(metered{w, clock}, r, &websocket.AcceptOptions{
		Subprotocols: []string{Protocol}, CompressionMode: websocket.CompressionDisabled,
		OnPingReceived: func(context.Context, []byte) bool {
			allowed := pings.AllowN(clock.Now(), 1)
			if !allowed {
				l.stop() // which ends the reading
			}
			return allowed
		},
	})
	if err != nil {
		l.stop()
		return nil, err
	}
	conn.SetReadLimit(mostMessage)
	l.conn = conn
	l.tell(told{Call: call})
	return l, nil
}

// Protocol is the subprotocol that the browser requests. Further ones in its list are for the handlers in front
// of this package.
const Protocol = "cabrank-line"

// Serve carries the sound of the call and returns when the call is over.
func (l *Line) Serve() {
	l.watch()
	sent := make(chan struct{})
	go func() { // ends with the line
		defer close(sent)
		l.sendAll()
	}()
	cause, reason := l.readAll()
	l.end(cause, reason)
	<-sent
	_ = l.conn.CloseNow() // the browser has been told of the end
	l.stop()
}

// Refuse sends the reason why there is no call, and ends the line.
func (l *Line) Refuse(why string) {
	l.out.addText(told{Refused: why}.text())
	l.close()
	l.sendAll()
	l.stop()
}

// close ends the line after the queued messages have been sent.
func (l *Line) close() {
	l.mu.Lock()
	l.over = true
	if l.quiet != nil {
		l.quiet.Stop()
	}
	l.mu.Unlock()
	l.out.close()
}

// end closes the line and reports the end of the call, unless that was over.
func (l *Line) end(cause voice.Cause, reason string) {
	l.mu.Lock()
	over, far := l.over, l.far
	l.mu.Unlock()
	l.close()
	if !over && far != nil {
		far.Ended(cause, reason)
	}
}

// watch ends the call when the browser has sent nothing for quietMost.
func (l *Line) watch() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return
	}
	if l.clock.Now().Sub(l.heard) >= quietMost {
		l.asleep = true
		l.stop() // ends readAll
		return
	}
	l.quiet = l.clock.AfterFunc(quietEvery, l.watch)
}

// readAll reads messages until the browser disconnects or the call ends. It returns the cause of the end.
func (l *Line) readAll() (voice.Cause, string) {
	frames, acts := rate.NewLimiter(framesPerSecond, framesAtOnce), rate.NewLimiter(actsPerSecond, actsAtOnce)
	pcm := make([]int16, frameBytes/2)
	var row row
	for {
		kind, body, err := l.conn.Read(l.ctx)
		if errors.Is(err, websocket.ErrMessageTooBig) {
			return l.endForViolation("a message is longer than any that a page sends")
		}
		if errors.Is(err, errFast) {
			return l.endForViolation(errFast.Error())
		}
		if err != nil {
			return l.causeOfError(err)
		}
		now := l.clock.Now()
		l.mu.Lock()
		l.heard = now
		far := l.far
		if l.over {
			far = nil // sound after the end is ignored
		}
		l.mu.Unlock()
		switch {
		case kind == websocket.MessageText && !acts.AllowN(now, 1), kind == websocket.MessageBinary && !frames.AllowN(now, 1):
			return l.endForViolation("messages come faster than sound does")
		case kind == websocket.MessageBinary && len(body) != frameBytes:
			return l.endForViolation("a message of sound has 640 bytes")
		case kind == websocket.MessageBinary:
			if far != nil {
				samples(pcm, body)
				far.Frame(row.next(now), pcm)
			}
		default:
			a, err := readAct(body)
			if err != nil {
				return l.endForViolation(err.Error())
			}
			if a.Hangup {
				return voice.CauseNormal, ""
			}
			l.act(far, a)
		}
	}
}

// row assigns times to the frames of a continuous recording. The times of arrival are not used: some frames arrive
// late, which would leave gaps in the speech.
type row struct{ due time.Time }

// brokenAfter is the delay after which a frame begins a new recording: the page was suspended.
const brokenAfter = time.Second

// next returns the time at which the frame that arrives now was recorded.
func (r *row) next(now time.Time) time.Time {
	if now.Sub(r.due) > brokenAfter {
		r.due = now
	}
	at := r.due
	r.due = at.Add(frameTime)
	return at
}

// causeOfError returns the cause for an error of reading.
func (l *Line) causeOfError(err error) (voice.Cause, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch status := websocket.CloseStatus(err); {
	case l.asleep:
		return voice.CauseNormal, fmt.Sprintf("nothing came from the browser for %g s", quietMost.Seconds())
	case status == websocket.StatusNormalClosure, status == websocket.StatusGoingAway:
		return voice.CauseNormal, ""
	}
	return voice.CauseNormal, "the browser has gone"
}

// protocolError is "protocol error, unspecified" of ITU-T Q.850.
var protocolError = voice.Cause{SIP: 400, Q850: 111}

// endForViolation ends the line because the browser has violated the protocol; it returns the cause and the reason.
func (l *Line) endForViolation(why string) (voice.Cause, string) {
	l.tell(told{State: ended, Reason: why})
	l.mu.Lock()
	l.expelled = true
	l.mu.Unlock()
	return protocolError, why
}

// act performs the action that a browser's text message requests.
func (l *Line) act(far soundline.Far, a act) {
	l.mu.Lock()
	report, peer := l.report, l.peer
	l.mu.Unlock()
	switch {
	case a.Key != "" && far != nil:
		far.Key(a.Key[0])
	case a.Say != "" && report != nil:
		said := voice.Utterance{Text: a.Say, Audio: voice.Paced{}.Speak(a.Say)}
		report(voice.LegEvent{Kind: voice.LegSpeechStarted})
		report(voice.LegEvent{Kind: voice.LegSpeechEnded, Speech: said})
		if peer != nil {
			peer.Hear(voice.Sound{Text: a.Say, Audio: said.Audio})
		}
	}
}

// sendAll sends the queued messages until the queue is closed or sending fails.
func (l *Line) sendAll() {
	defer func() { _ = l.conn.CloseNow() }() // ends readAll
	for {
		list, last := l.out.take()
		for _, m := range list {
			if l.send(m, last) != nil {
				return
			}
		}
		if last {
			l.farewell()
			return
		}
		select {
		case <-l.out.more:
		case <-l.ctx.Done():
			return
		}
	}
}

// farewell closes the connection and waits for the browser to do the same, which takes a hostile one up to five
// seconds.
func (l *Line) farewell() {
	l.mu.Lock()
	expelled := l.expelled
	l.mu.Unlock()
	if !expelled {
		_ = l.conn.Close(websocket.StatusNormalClosure, "") // the browser may have disconnected
	}
}

// send sends a message; the timeout is shorter after the end of the call.
func (l *Line) send(m message, last bool) error {
	within, kind := sendWithin, websocket.MessageBinary
	if last {
		within = byeWithin
	}
	if m.text {
		kind = websocket.MessageText
	}
	ctx, cancel := context.WithTimeout(l.ctx, within)
	defer cancel()
	return l.conn.Write(ctx, kind, m.body)
}

// tell queues a text message. If too many are queued, it ends the call.
func (l *Line) tell(t told) {
	if !l.out.addText(t.text()) {
		l.stop()
	}
}

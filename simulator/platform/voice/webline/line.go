package webline

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
)

// Rate is how many samples a second a browser sends and is sent.
const Rate = 16000

const (
	frameTime  = 20 * time.Millisecond
	frameBytes = 2 * Rate / int(time.Second/frameTime)

	mostMessage = 4 << 10 // bytes of a message

	sendWithin = 5 * time.Second  // a message has to be taken by then
	byeWithin  = time.Second      // and what is left when the call is over
	quietMost  = 60 * time.Second // nothing at all was heard from the browser: it has gone
	quietEvery = 10 * time.Second // how often that is looked at
)

// A browser sends 50 frames a second. Those that were held up on their way come at once: as many as
// arrive in ten seconds.
const (
	framesPerSecond = 55
	framesAtOnce    = 500
	actsPerSecond   = 20
	actsAtOnce      = 60
)

// Line is the line of one call. It is a [soundline.Wire].
type Line struct {
	clock voice.Clock
	conn  *websocket.Conn
	out   *queue
	stop  context.CancelFunc
	ctx   context.Context

	mu     sync.Mutex
	far    soundline.Far
	report func(voice.LegEvent) // what is typed is reported beside soundline
	peer   voice.Leg            // who is bridged with the caller
	heard  time.Time            // something came from the browser
	over   bool
	quiet  voice.Timer

	expelled bool // nothing more is read, also no farewell
}

var _ soundline.Wire = (*Line)(nil)

// Accept makes the line of a call from a request for a WebSocket that a page of this server makes; if
// it returns an error, it has answered the request. The line ends with [Line.Serve] or [Line.Refuse].
func Accept(w http.ResponseWriter, r *http.Request, clock voice.Clock, call string) (*Line, error) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{Protocol}, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(mostMessage)
	l := &Line{clock: clock, conn: conn, out: newQueue(), heard: clock.Now()}
	l.ctx, l.stop = context.WithCancel(context.WithoutCancel(r.Context()))
	l.tell(told{Call: call})
	return l, nil
}

// Protocol is the subprotocol that a browser names. Others in its list are for whoever stands
// before this package.
const Protocol = "cabrank-line"

// Serve carries sound until the call is over.
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
	_ = l.conn.CloseNow() // the end was told
	l.stop()
}

// Refuse ends a line for which there is no call.
func (l *Line) Refuse(why string) {
	l.out.addText(told{Refused: why}.text())
	l.close()
	l.sendAll()
	l.stop()
}

// close has the line end once all that waits is sent.
func (l *Line) close() {
	l.mu.Lock()
	l.over = true
	if l.quiet != nil {
		l.quiet.Stop()
	}
	l.mu.Unlock()
	l.out.close()
}

// end reports that the browser has gone, unless the call was over.
func (l *Line) end(cause voice.Cause, reason string) {
	l.mu.Lock()
	over, far := l.over, l.far
	l.mu.Unlock()
	l.close()
	if !over && far != nil {
		far.Ended(cause, reason)
	}
}

// watch hangs up a browser that sends nothing any more.
func (l *Line) watch() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return
	}
	if l.clock.Now().Sub(l.heard) >= quietMost {
		l.stop() // which ends the reading
		return
	}
	l.quiet = l.clock.AfterFunc(quietEvery, l.watch)
}

// readAll takes what the browser sends, until it or the call ends.
func (l *Line) readAll() (voice.Cause, string) {
	frames, acts := rate.NewLimiter(framesPerSecond, framesAtOnce), rate.NewLimiter(actsPerSecond, actsAtOnce)
	pcm := make([]int16, frameBytes/2)
	var row row
	for {
		kind, body, err := l.conn.Read(l.ctx)
		if err != nil {
			return gone(err)
		}
		now := l.clock.Now()
		l.mu.Lock()
		l.heard = now
		far := l.far
		if l.over {
			far = nil // what comes after the end is not heard
		}
		l.mu.Unlock()
		switch {
		case kind == websocket.MessageText && !acts.AllowN(now, 1), kind == websocket.MessageBinary && !frames.AllowN(now, 1):
			return l.expel("messages come faster than sound does")
		case kind == websocket.MessageBinary && len(body) != frameBytes:
			return l.expel("a message of sound has 640 bytes")
		case kind == websocket.MessageBinary:
			if far != nil {
				samples(pcm, body)
				far.Frame(row.next(now), pcm)
			}
		default:
			a, err := readAct(body)
			if err != nil {
				return l.expel(err.Error())
			}
			if a.Hangup {
				return voice.CauseNormal, ""
			}
			l.act(far, a)
		}
	}
}

// row is frames that were recorded one after the other. The connection delivers each of them, some late: the time
// at which a frame arrives would leave gaps in what is said.
type row struct{ due time.Time }

// brokenAfter is how late a frame is that begins another row: the page was suspended.
const brokenAfter = time.Second

// next returns when the frame that has come now was recorded.
func (r *row) next(now time.Time) time.Time {
	if now.Sub(r.due) > brokenAfter {
		r.due = now
	}
	at := r.due
	r.due = at.Add(frameTime)
	return at
}

// gone says why nothing can be read any more.
func gone(err error) (voice.Cause, string) {
	switch websocket.CloseStatus(err) {
	case websocket.StatusNormalClosure, websocket.StatusGoingAway:
		return voice.CauseNormal, ""
	}
	return voice.CauseNormal, "the browser has gone"
}

// protocolError is that of ITU-T Q.850.
var protocolError = voice.Cause{SIP: 400, Q850: 111}

// expel ends the line of a browser that does what none may.
func (l *Line) expel(why string) (voice.Cause, string) {
	l.tell(told{State: ended, Reason: why})
	l.mu.Lock()
	l.expelled = true
	l.mu.Unlock()
	return protocolError, why
}

// act does what a browser asks for besides sound.
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

// sendAll sends what is in the queue until that is closed, or the browser takes nothing.
func (l *Line) sendAll() {
	defer func() { _ = l.conn.CloseNow() }() // the reading ends as well
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

// farewell waits for the browser to close its side, which it does at once unless it is hostile.
func (l *Line) farewell() {
	l.mu.Lock()
	expelled := l.expelled
	l.mu.Unlock()
	if !expelled {
		_ = l.conn.Close(websocket.StatusNormalClosure, "") // the browser may have gone
	}
}

// send sends a message; the browser has less time for it once the call is over.
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

// tell tells the browser something. One that lets too much wait is hung up on.
func (l *Line) tell(t told) {
	if !l.out.addText(t.text()) {
		l.stop()
	}
}

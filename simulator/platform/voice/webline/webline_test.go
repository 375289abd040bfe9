package webline_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/webline"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// far records the events of a line.
type far struct{ said chan string }

func (f far) Ringing()    {}
func (f far) EarlyMedia() {}
func (f far) Answered()   {}

func (f far) Frame(_ time.Time, pcm []int16) {
	if pcm[0] != 0 {
		f.said <- "sound"
	}
}
func (f far) Key(k byte) { f.said <- "key " + string(rune(k)) }
func (f far) Ended(cause voice.Cause, reason string) {
	f.said <- strings.TrimSpace("ended " + http.StatusText(cause.SIP) + " " + reason)
}

// quiet is a leg that plays nothing.
type quiet struct{ voice.Leg }

func (quiet) Start(func(voice.LegEvent)) {}
func (quiet) Play(voice.Prompt)          {}
func (quiet) Stop()                      {}
func (quiet) Bridge(voice.Leg)           {}

// rig is a server that accepts lines.
type rig struct {
	t      *testing.T
	server *httptest.Server
	clock  *voice.Virtual
	lines  chan *webline.Line
	legs   chan voice.Leg
	far    far
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, clock: voice.NewVirtual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)), lines: make(chan *webline.Line, 1), legs: make(chan voice.Leg, 1), far: far{make(chan string, 1000)}}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New() // as the platform serves it: gin holds the headers of an upgrade back
	engine.GET("/", func(c *gin.Context) {
		line, err := webline.Accept(c.Writer, c.Request, r.clock, "c1")
		if err != nil {
			return
		}
		line.Start(r.far)
		leg := line.Leg(quiet{}, nil)
		leg.Start(func(ev voice.LegEvent) {
			if ev.Kind == voice.LegSpeechEnded {
				r.far.said <- "said " + ev.Speech.Text
			}
		})
		r.lines <- line
		r.legs <- leg
		line.Serve()
	})
	r.server = httptest.NewServer(engine)
	t.Cleanup(r.server.Close)
	return r
}

// dial opens a line from a page with an origin.
func (r *rig) dial(origin string) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	conn, resp, err := websocket.Dial(ctx, r.server.URL, &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {origin}}})
	if err != nil && resp != nil && resp.Body != nil {
		_ = resp.Body.Close()
	}
	return conn, err
}

// call opens a line and reads the first message.
func (r *rig) call() *websocket.Conn {
	r.t.Helper()
	conn, err := r.dial(r.server.URL)
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = conn.CloseNow() })
	require.JSONEq(r.t, `{"call": "c1"}`, r.read(conn))
	return conn
}

// read returns the next message: JSON, or "sound" for a binary one.
func (r *rig) read(conn *websocket.Conn) string {
	r.t.Helper()
	kind, body, err := conn.Read(r.t.Context())
	require.NoError(r.t, err)
	if kind == websocket.MessageBinary {
		require.Len(r.t, body, 640)
		return "sound"
	}
	return string(body)
}

func write(conn *websocket.Conn, kind websocket.MessageType, body []byte) error {
	return conn.Write(context.Background(), kind, body)
}

// TestALineCarriesSoundKeysAndWords checks the messages of a line in both directions: sound, keys, texts, states and
// the end of the call.
func TestALineCarriesSoundKeysAndWords(t *testing.T) {
	r := newRig(t)
	conn := r.call()
	line, leg := <-r.lines, <-r.legs
	require.NoError(t, write(conn, websocket.MessageBinary, bytes.Repeat([]byte{1}, 640)))
	require.Equal(t, "sound", <-r.far.said)
	for sent, want := range map[string]string{`{"key": "#"}`: "key #", `{"say": " to the station "}`: "said to the station"} {
		require.NoError(t, write(conn, websocket.MessageText, []byte(sent)))
		require.Equal(t, want, <-r.far.said)
	}
	line.Ring()
	line.Answer()
	line.Key('7')
	for _, want := range []string{`{"state": "ringing"}`, `{"state": "answered"}`, `{"key": "7"}`} {
		require.JSONEq(t, want, r.read(conn))
	}
	line.Send(make([]int16, 320)) // silence is not sent
	line.Send(append([]int16{1}, make([]int16, 319)...))
	require.Equal(t, "sound", r.read(conn))
	leg.Stop() // nothing is played
	leg.Play(voice.Prompt{ID: 1})
	leg.Stop()
	require.JSONEq(t, `{"stop": true}`, r.read(conn))
	line.Hangup(voice.CauseNormal, "goodbye")
	require.JSONEq(t, `{"state": "ended", "reason": "goodbye"}`, r.read(conn))
	_, _, err := conn.Read(t.Context())
	require.Equal(t, websocket.StatusNormalClosure, websocket.CloseStatus(err))
	require.Empty(t, r.far.said, "who is hung up on does not report it")
}

// TestHangupOrDisconnectEndsTheCall checks that the call ends when the page sends a hangup, or closes or loses the
// connection.
func TestHangupOrDisconnectEndsTheCall(t *testing.T) {
	for _, leave := range []func(*websocket.Conn) error{
		func(c *websocket.Conn) error { return write(c, websocket.MessageText, []byte(`{"hangup": true}`)) },
		func(c *websocket.Conn) error { return c.CloseNow() },
		func(c *websocket.Conn) error { return c.Close(websocket.StatusGoingAway, "") },
	} {
		r := newRig(t)
		require.NoError(t, leave(r.call()))
		require.Contains(t, <-r.far.said, "ended OK")
	}
}

// TestInactivePageEndsTheCallWithAReason checks that a call ends, with a reason, if its page sends nothing for 60 s.
func TestInactivePageEndsTheCallWithAReason(t *testing.T) {
	r := newRig(t)
	r.call()
	for {
		select {
		case said := <-r.far.said:
			require.Equal(t, "ended OK nothing came from the browser for 60 s", said)
			return
		default:
			r.clock.Advance(10 * time.Second)
		}
	}
}

// TestInvalidMessagesEndTheCall checks that a message that is not part of the protocol ends the call.
func TestInvalidMessagesEndTheCall(t *testing.T) {
	rows := map[string]struct {
		kind websocket.MessageType
		body string
	}{
		"short sound":     {websocket.MessageBinary, "ab"},
		"long sound":      {websocket.MessageBinary, strings.Repeat("a", 642)},
		"a huge message":  {websocket.MessageBinary, strings.Repeat("a", 1<<20)},
		"no JSON":         {websocket.MessageText, "hello"},
		"two members":     {websocket.MessageText, `{"key": "1", "say": "a"}`},
		"unknown member":  {websocket.MessageText, `{"press": "1"}`},
		"two objects":     {websocket.MessageText, `{"key": "1"}{"key": "2"}`},
		"no key":          {websocket.MessageText, `{"key": "A"}`},
		"a long sentence": {websocket.MessageText, `{"say": "` + strings.Repeat("a", 1001) + `"}`},
		"nothing":         {websocket.MessageText, `{}`},
	}
	for name, row := range rows {
		r := newRig(t)
		conn := r.call()
		_ = write(conn, row.kind, []byte(row.body)) // the line may close meanwhile
		require.Contains(t, <-r.far.said, "ended ", name)
	}
}

// TestSoundFasterThanRealTimeEndsTheCall checks that the call ends if sound is sent much faster than real time. Some seconds of it may
// be late.
func TestSoundFasterThanRealTimeEndsTheCall(t *testing.T) {
	r := newRig(t)
	conn := r.call()
	sent := 0
	for write(conn, websocket.MessageBinary, make([]byte, 640)) == nil && sent < 100_000 {
		sent++
	}
	require.Less(t, sent, 100_000)
	require.Equal(t, "ended Bad Request messages come faster than sound does", <-r.far.said)
}

// TestHugeMessagesAndPingsEndTheCall checks that a message in many fragments cannot exceed the maximum length, and that many
// pings end the call.
func TestHugeMessagesAndPingsEndTheCall(t *testing.T) {
	r := newRig(t)
	conn := r.call()
	w, err := conn.Writer(t.Context(), websocket.MessageBinary)
	require.NoError(t, err)
	for range 100_000 {
		if _, err = w.Write([]byte("a")); err != nil {
			break
		}
	}
	require.Error(t, err)
	require.Equal(t, "ended Bad Request a message is longer than any that a page sends", <-r.far.said)

	r = newRig(t)
	conn = r.call()
	conn.CloseRead(t.Context()) // which takes the pongs
	for range 61 {
		if err = conn.Ping(t.Context()); err != nil {
			break
		}
	}
	require.Error(t, err)
	require.Equal(t, "ended OK the browser has gone", <-r.far.said)
}

// TestFloodOfPongsOrEmptyFramesIsStopped checks that a flood of unsolicited pongs, or of empty fragments of a message without an
// end, closes the connection.
func TestFloodOfPongsOrEmptyFramesIsStopped(t *testing.T) {
	for name, frame := range map[string]string{"pongs": "\x8a\x80\x00\x00\x00\x00", "empty parts": "\x00\x80\x00\x00\x00\x00"} {
		r := newRig(t)
		conn, err := net.Dial("tcp", strings.TrimPrefix(r.server.URL, "http://"))
		require.NoError(t, err)
		defer conn.Close()
		require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
		_, err = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
			"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n\x01\x80\x00\x00\x00\x00")
		require.NoError(t, err)
		many := strings.Repeat(frame, 1000)
		for range 1000 { // 6 MB
			if _, err = io.WriteString(conn, many); err != nil {
				break
			}
		}
		require.Error(t, err, name)
		require.Contains(t, <-r.far.said, "ended", name)
	}
}

// TestSlowReaderSkipsOldSound checks that a page that does not read does not block the line, and that old sound is
// dropped for it.
func TestSlowReaderSkipsOldSound(t *testing.T) {
	r := newRig(t)
	conn := r.call()
	line := <-r.lines
	const frames = 200_000 // more than the kernel holds
	for i := range frames {
		line.Send(append([]int16{int16(1 + i%1000)}, make([]int16, 319)...))
	}
	line.Hangup(voice.CauseNormal, "")
	got := 0
	for {
		kind, _, err := conn.Read(t.Context())
		if err != nil {
			break
		}
		if kind == websocket.MessageBinary {
			got++
		}
	}
	require.Less(t, got, frames/2)
}

// TestInactivityTimeIsOneMinute checks that a call is not ended within 59 s after the last message of the
// browser, but is later.
func TestInactivityTimeIsOneMinute(t *testing.T) {
	r := newRig(t)
	conn := r.call()
	<-r.lines
	require.NoError(t, write(conn, websocket.MessageText, []byte(`{"key": "1"}`)))
	require.Equal(t, "key 1", <-r.far.said)
	r.clock.Advance(59 * time.Second)
	require.Empty(t, r.far.said)
	r.clock.Advance(20 * time.Second)
	require.Contains(t, <-r.far.said, "ended OK")
}

// TestCrossOriginPagesAreRefused checks that connections from pages of other origins are refused, and so are requests
// that are not WebSocket handshakes.
func TestCrossOriginPagesAreRefused(t *testing.T) {
	r := newRig(t)
	for _, origin := range []string{"https://evil.example", "null", "http://127.0.0.1:1"} {
		_, err := r.dial(origin)
		require.ErrorContains(t, err, "403", origin)
	}
	resp, err := http.Get(r.server.URL)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusUpgradeRequired, resp.StatusCode)
}

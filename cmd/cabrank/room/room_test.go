package room_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"
	"rsc.io/qr"

	"github.com/cabrank/cabrank/cmd/cabrank/room"
)

const host = "192.168.1.20:8443"

// venue is a room over a platform and a world that note what they are asked.
type venue struct {
	t    *testing.T
	room *room.Room
	key  string
	now  time.Time

	mu    sync.Mutex
	asked []string          // method, path and body
	state map[string]string // of calls
	line  http.Header       // of the request for the latest line
	ended int

	calling func() // is called while a call begins, if it is set
}

func newVenue(t *testing.T, change ...func(*room.Options)) *venue {
	t.Helper()
	v := &venue{t: t, now: time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC), state: map[string]string{}}
	o := room.Options{Platform: http.HandlerFunc(v.platform), World: http.HandlerFunc(v.world), Now: func() time.Time { return v.now }, Most: 3}
	for _, c := range change {
		c(&o)
	}
	v.room = room.New(o, "https://"+host, func() { v.ended++ })
	v.key = strings.TrimPrefix(v.room.URL(), "https://"+host+"/j/")
	return v
}

func (v *venue) note(r *http.Request) string {
	body, _ := io.ReadAll(r.Body)
	asked := strings.TrimSpace(r.Method + " " + r.URL.RequestURI() + " " + string(body))
	v.mu.Lock()
	defer v.mu.Unlock()
	v.asked = append(v.asked, asked)
	return asked
}

func (v *venue) platform(w http.ResponseWriter, r *http.Request) {
	asked := v.note(r)
	switch {
	case asked == "GET /sim/v1/sound":
		_, _ = io.WriteString(w, `{"speaks":true,"understands":false}`)
	case strings.HasPrefix(asked, "POST /sim/v1/phones {"):
		v.state["c1"] = "in-progress"
		if v.calling != nil {
			v.calling()
		}
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"id":"p1","callId":"c1"}`)
	case strings.HasPrefix(asked, "GET /sim/v1/stories/"):
		_, _ = io.WriteString(w, `{"call":{"status":"`+v.state["c1"]+`","from":"+12025550100","transcript":[{"party":"platform","kind":"say","text":"Where to?"},
			{"party":"caller","kind":"speech","text":"the pub"},{"party":"callee","kind":"say","text":"secret","leg":1}]},
			"turns":[{"speech":"the pub","confidence":0.87,"unsure":true,"requests":[{"path":"/book"}]}],"sound":true,"journeyId":"J1","answers":[{"key":"1","label":"yes"}]}`)
	case strings.HasPrefix(asked, "DELETE /sim/v1/calls/"):
		v.state["c1"] = "completed"
		w.WriteHeader(http.StatusNoContent)
	case strings.HasPrefix(asked, "GET /sim/v1/lines"):
		w.Header().Set("X-Cabrank-Call", "c1")
		v.line = r.Header
		v.state["c1"] = "in-progress"
		conn, err := websocket.Accept(w, r, nil)
		if err == nil {
			_ = conn.Close(websocket.StatusNormalClosure, "")
		}
	}
}

func (v *venue) world(w http.ResponseWriter, r *http.Request) {
	switch asked := v.note(r); {
	case strings.HasSuffix(asked, "/town"):
		_, _ = io.WriteString(w, `{"features":[]}`)
	case strings.HasSuffix(asked, "/route"):
		_, _ = io.WriteString(w, `{"journeyId":"J1","driver":"+441632960999","features":[{"geometry":{"coordinates":[[2.1,54.7],[2.2,54.7]]},"properties":{"to":"pickup","done":true,"phone":"+441632960999"}}]}`)
	case strings.HasPrefix(asked, "GET "):
		_, _ = io.WriteString(w, `{"journeyId":"J1","status":"EN_ROUTE","passenger":{"name":"Zoë","phoneNumber":"+12025550100"},
			"vehicle":{"description":"White Toyota","registration":"ZT19 AAA"},"driver":{"name":"Agnes","phoneNumber":"+441632960999"},"eta":{"value":3},
			"location":{"longitude":2.1,"latitude":54.7}}`)
	}
}

// send makes a request of a guest; "" is somebody without a cookie.
func (v *venue) send(cookie, method, path, body string, edit ...func(*http.Request)) *httptest.ResponseRecorder {
	v.t.Helper()
	r := httptest.NewRequestWithContext(v.t.Context(), method, "https://"+host+path, strings.NewReader(body))
	if cookie != "" {
		r.AddCookie(&http.Cookie{Name: "cabrank-room", Value: cookie})
	}
	for _, e := range edit {
		e(r)
	}
	w := httptest.NewRecorder()
	v.room.ServeHTTP(w, r)
	return w
}

// join takes a guest in and returns the cookie.
func (v *venue) join(name string) string {
	v.t.Helper()
	w := v.send("", http.MethodPost, "/api/join", `{"key":"`+v.key+`","name":"`+name+`"}`)
	require.Equal(v.t, http.StatusNoContent, w.Code, w.Body)
	cookie := w.Result().Cookies()[0]
	require.True(v.t, cookie.HttpOnly && cookie.Secure && cookie.SameSite == http.SameSiteStrictMode)
	return cookie.Value
}

func TestAGuestCallsFromTheirOwnNumber(t *testing.T) {
	v := newVenue(t)
	zoe := v.join("Zoë")
	require.Equal(t, []string{`PUT /_control/v1/users/12025550100 {"name":"Zoë"}`}, v.asked)
	require.Equal(t, http.StatusConflict, v.send(zoe, http.MethodPost, "/api/act", `{"press":"1"}`).Code, "there is no call")
	require.Equal(t, http.StatusNoContent, v.send(zoe, http.MethodPost, "/api/call", "").Code)
	require.Contains(t, v.asked, `POST /sim/v1/phones {"from":"+12025550100","to":"taxi"}`)
	require.Equal(t, http.StatusConflict, v.send(zoe, http.MethodPost, "/api/call", "").Code, "there is one call at a time")
	require.Equal(t, http.StatusNoContent, v.send(zoe, http.MethodPost, "/api/act", `{"say":"the pub"}`).Code)
	require.Contains(t, v.asked, `POST /sim/v1/phones/p1 {"say":"the pub"}`)
	got := v.send(zoe, http.MethodGet, "/api/phone", "")
	require.JSONEq(t, `{"name":"Zoë","speaks":true,"understands":false,"call":{"up":true,"sound":true,"lines":[{"you":false,"text":"Where to?"},
		{"you":true,"text":"the pub","sure":87,"unsure":true}]},"answers":[{"key":"1","label":"yes"}],
		"ride":{"status":"EN_ROUTE","vehicle":"White Toyota, ZT19 AAA","driver":"Agnes","minutes":3,"car":{"longitude":2.1,"latitude":54.7}}}`, got.Body.String(), "no number, and nobody else's words")
	require.JSONEq(t, `{"features":[{"geometry":{"coordinates":[[2.1,54.7],[2.2,54.7]]},"properties":{"to":"pickup","stop":0,"done":true}}]}`,
		v.send(zoe, http.MethodGet, "/api/route", "").Body.String(), "the way of their own taxi, and no number")
	require.JSONEq(t, `{"features":[]}`, v.send(zoe, http.MethodGet, "/api/town", "").Body.String())
	require.Equal(t, http.StatusNoContent, v.send(zoe, http.MethodPost, "/api/act", `{"hangup":true}`).Code)
	require.Contains(t, v.asked, "DELETE /sim/v1/calls/c1")
	require.Equal(t, http.StatusNoContent, v.send(zoe, http.MethodPost, "/api/coming", "").Code)
	require.Contains(t, v.asked, `POST /sim/v1/phones {"from":"+12025550100","to":"taxi","script":[{"wait":"1s"},{"say":"I am coming now"},{"expect":"driver"},{"hangup":true}]}`)
	v.join("zoë")
	require.Contains(t, v.asked, `PUT /_control/v1/users/12025550101 {"name":"zoë 2"}`)
}

// A guest's requests for paths that the page of the room does not use are answered with 404, and reach neither the
// platform nor the world.
func TestGuestsCannotReachOtherPaths(t *testing.T) {
	v := newVenue(t)
	zoe := v.join("Zoë")
	v.asked = nil
	for _, path := range []string{
		"/sim/v1/phones", "/sim/v1/calls", "/_control/v1/users", "/console/", "/console/platform/sim/v1/calls", "/api/", "/api/phone/p2", "/api/phone/../../sim/v1/calls",
		"/j/" + v.key + "/x", "/room.go", "/static/room.js", "/api.js", "/phone/calls.js", "/../room.go", "//api/phone", "/api%2Fphone2", "/book", "/openapi.yaml", "/metrics",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodPut} {
			require.Equal(t, http.StatusNotFound, v.send(zoe, method, path, "{}").Code, "%s %s", method, path)
			v.now = v.now.Add(time.Second)
		}
	}
	require.Empty(t, v.asked)
	for path, kind := range map[string]string{"/": "text/html", "/j/anything": "text/html", "/room.js": "text/javascript", "/room.css": "text/css", "/vendor/preact.js": "text/javascript", "/phone/worklet.js": "text/javascript"} {
		got := v.send("", http.MethodGet, path, "")
		require.Equal(t, http.StatusOK, got.Code, path)
		require.Contains(t, got.Header().Get("Content-Type"), kind, path)
		require.Contains(t, got.Header().Get("Content-Security-Policy"), "default-src 'none'")
		v.now = v.now.Add(time.Second)
	}
}

func TestHostileRequestsAreRefused(t *testing.T) {
	v := newVenue(t)
	zoe := v.join("Zoë")
	as := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	rows := []struct {
		cookie, method, path, body string
		edit                       func(*http.Request)
		want                       int
	}{
		{"", "GET", "/api/phone", "", nil, 204},
		{"guess", "GET", "/api/town", "", nil, 401},
		{"", "GET", "/api/route", "", nil, 401},
		{"", "POST", "/api/coming", "", nil, 401},
		{"guess", "POST", "/api/call", "", nil, 401},
		{"", "POST", "/api/join", `{"key":"wrong","name":"A"}`, nil, 403},
		{"", "POST", "/api/join", `{"name":"A"}`, nil, 403},
		{"", "POST", "/api/join", `{"key":"` + v.key + `","name":"A","number":"442079460001"}`, nil, 400},
		{zoe, "POST", "/api/act", `{"press":"1","phone":"p2"}`, nil, 400},
		{zoe, "POST", "/api/act", `{"press":"A"}`, nil, 400},
		{zoe, "POST", "/api/act", `{"press":"` + strings.Repeat("1", 21) + `"}`, nil, 400},
		{zoe, "POST", "/api/act", `{"say":"` + strings.Repeat("a", 301) + `"}`, nil, 400},
		{zoe, "POST", "/api/act", `{"say":"` + strings.Repeat("a", 3000) + `"}`, nil, 400},
		{zoe, "POST", "/api/act", `{"say":"` + strings.Repeat("ж", 300) + `"}`, nil, 409},
		{zoe, "POST", "/api/act", `[]`, nil, 400},
		{zoe, "POST", "/api/act", `{"say":"a"}{"say":"b"}`, nil, 400},
		{zoe, "POST", "/api/call", "", as("Sec-Fetch-Site", "cross-site"), 403},
		{zoe, "POST", "/api/call", "", as("Origin", "https://evil.example"), 403},
		{zoe, "GET", "/api/phone", "", func(r *http.Request) { r.Host = "evil.example" }, 421},
	}
	for _, row := range rows {
		if row.edit == nil {
			row.edit = func(*http.Request) {}
		}
		require.Equal(t, row.want, v.send(row.cookie, row.method, row.path, row.body, row.edit).Code, "%s %s %s", row.method, row.path, row.body)
		v.now = v.now.Add(5 * time.Second)
	}
}

func TestNames(t *testing.T) {
	for name, ok := range map[string]bool{
		"Zoë": true, "  Ann   Other ": true, "O'Neil-Smith Jr.": true, "李小龙": true, "อนุทิน": true, "A1": true, strings.Repeat("a", 24): true,
		"": false, "   ": false, "12": false, strings.Repeat("a", 25): false, "<b>x</b>": false, "a\\u0000b": false, "a\\u202eb": false, "a\\nb": true, "{{.}}": false, "a;b": false, "😀": false,
	} {
		v := newVenue(t)
		w := v.send("", http.MethodPost, "/api/join", `{"key":"`+v.key+`","name":"`+name+`"}`)
		require.Equal(t, ok, w.Code == http.StatusNoContent, "%q: %d", name, w.Code)
	}
}

// A full room refuses new guests until one has been away for ten minutes: that guest is then removed.
func TestRoomLimitsItsGuests(t *testing.T) {
	v := newVenue(t)
	first := v.join("A")
	v.join("B")
	v.join("C")
	full := `{"key":"` + v.key + `","name":"D"}`
	require.Equal(t, http.StatusServiceUnavailable, v.send("", http.MethodPost, "/api/join", full).Code)
	v.now = v.now.Add(11 * time.Minute)
	require.Equal(t, http.StatusOK, v.send(first, http.MethodGet, "/api/phone", "").Code)
	v.join("D")
	require.Equal(t, http.StatusOK, v.send(first, http.MethodGet, "/api/phone", "").Code, "who was seen stays")
	require.Contains(t, v.asked, `PUT /_control/v1/users/12025550101 {"name":"D"}`, "B's number is free")
}

// The call of a guest who is removed for another one is ended, and so is a call that is still starting when the room
// ends.
func TestCallsOfRemovedGuestsAreEnded(t *testing.T) {
	v := newVenue(t, func(o *room.Options) { o.Most = 1 })
	first := v.join("A")
	require.Equal(t, http.StatusNoContent, v.send(first, http.MethodPost, "/api/call", "").Code)
	v.now = v.now.Add(11 * time.Minute)
	second := v.join("B")
	require.Contains(t, v.asked, "DELETE /sim/v1/calls/c1")
	require.Equal(t, http.StatusNoContent, v.send(first, http.MethodGet, "/api/phone", "").Code)

	v.asked, v.state = nil, map[string]string{}
	v.calling = v.room.End
	require.Equal(t, http.StatusNoContent, v.send(second, http.MethodPost, "/api/call", "").Code)
	require.Equal(t, "DELETE /sim/v1/calls/c1", v.asked[len(v.asked)-1])
}

func TestRoomLimitsRequestRates(t *testing.T) {
	codes := func(times int, send func() int) (last int) {
		for range times {
			last = send()
		}
		return last
	}
	v := newVenue(t)
	zoe := v.join("Zoë")
	look := func() int { return v.send(zoe, http.MethodGet, "/api/phone", "").Code }
	require.Equal(t, http.StatusTooManyRequests, codes(60, look), "of a guest")
	v.now = v.now.Add(10 * time.Second)
	require.Equal(t, http.StatusOK, look())
	page := func() int { return v.send("", http.MethodGet, "/", "").Code }
	require.Equal(t, http.StatusTooManyRequests, codes(300, page), "of an address")
	v.now = v.now.Add(10 * time.Second)
	guess := func() int { return v.send("", http.MethodPost, "/api/join", `{"key":"a","name":"A"}`).Code }
	require.Equal(t, http.StatusTooManyRequests, codes(20, guess), "of guesses at the key")
}

func TestRoomEndsAtItsTime(t *testing.T) {
	v := newVenue(t, func(o *room.Options) { o.Until = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC) })
	zoe := v.join("Zoë")
	require.Equal(t, http.StatusNoContent, v.send(zoe, http.MethodPost, "/api/call", "").Code)
	v.now = v.now.Add(2 * time.Hour)
	require.Equal(t, http.StatusNoContent, v.send(zoe, http.MethodGet, "/api/phone", "").Code)
	require.Equal(t, http.StatusGone, v.send("", http.MethodPost, "/api/join", `{"key":"`+v.key+`","name":"B"}`).Code)
	v.room.End()
	v.room.End()
	require.Equal(t, 1, v.ended)
	require.Contains(t, v.asked, "DELETE /sim/v1/calls/c1")
}

// The line of a microphone is that of the guest's number, whatever the request asks for.
func TestMicrophoneCallUsesTheGuestsNumber(t *testing.T) {
	v := newVenue(t)
	zoe := v.join("Zoë")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = host // as the browser names it
		v.room.ServeHTTP(w, r)
	}))
	defer server.Close()
	dial := func(cookie, origin string) (*websocket.Conn, int) {
		header := http.Header{"Cookie": {"cabrank-room=" + cookie}, "Origin": {origin}, "Authorization": {"Bearer guess"}, "X-Forwarded-For": {"127.0.0.1"}}
		conn, resp, _ := websocket.Dial(t.Context(), server.URL+"/api/line?from=442079460001&to=441632960999", &websocket.DialOptions{HTTPHeader: header}) //nolint:bodyclose // there is none once it is a WebSocket
		return conn, resp.StatusCode
	}
	const here = "https://" + host
	_, status := dial("guess", here)
	require.Equal(t, http.StatusUnauthorized, status)
	for _, origin := range []string{"https://evil.example", "https://192.168.1.20:9443", "null"} {
		_, status = dial(zoe, origin)
		require.Equal(t, http.StatusForbidden, status, origin)
	}
	conn, status := dial(zoe, here)
	require.Equal(t, http.StatusSwitchingProtocols, status)
	_, _, err := conn.Read(context.Background())
	require.Error(t, err)
	require.Contains(t, v.asked, "GET /sim/v1/lines?to=taxi&from=%2B12025550100")
	for _, name := range []string{"Cookie", "Authorization", "X-Forwarded-For"} {
		require.NotContains(t, v.line, name)
	}
	_, status = dial(zoe, here)
	require.Equal(t, http.StatusConflict, status, "the call of the line is known, and up")
	var view room.View
	require.NoError(t, json.Unmarshal(v.send(zoe, http.MethodGet, "/api/phone", "").Body.Bytes(), &view))
	require.True(t, view.Call.Up)
}

// The last call is available as a film at the address that contains the room's key, and at no other.
func TestRoomFilmNeedsTheKey(t *testing.T) {
	film := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "film of "+r.URL.Path+r.Header.Get("Cookie"))
	})
	v := newVenue(t, func(o *room.Options) { o.Film = film })
	zoe := v.join("Zoë")
	got := v.send(zoe, http.MethodGet, "/f/"+v.key, "")
	require.Equal(t, "film of /console/film/latest", got.Body.String())
	require.Contains(t, got.Header().Get("Content-Security-Policy"), "default-src 'none'")
	for _, path := range []string{"/f/", "/f/guess", "/f/" + v.key + "/x"} {
		require.Equal(t, http.StatusNotFound, v.send(zoe, http.MethodGet, path, "").Code, path)
	}
	require.Equal(t, http.StatusNotFound, newVenue(t).send("", http.MethodGet, "/f/"+v.key, "").Code, "there are none")
}

// The certificate is stored and used again, and replaced if it has expired or lacks an address.
func TestRoomCertificateIsReused(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "below")
	at, other := []net.IP{net.IPv4(192, 168, 1, 20)}, []net.IP{net.IPv4(10, 0, 0, 7)}
	now := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
	made := func(addresses []net.IP, at time.Time) string {
		c, kept, err := room.Certificate(folder, addresses, at)
		require.NoError(t, err)
		require.NoError(t, kept)
		require.NoError(t, c.Leaf.VerifyHostname(addresses[0].String()))
		return string(c.Certificate[0])
	}
	first := made(at, now)
	require.Equal(t, first, made(at, now.AddDate(0, 6, 0)))
	require.NotEqual(t, first, made(at, now.AddDate(2, 0, 0)), "it has expired")
	second := made(at, now)
	require.NotEqual(t, second, made(other, now), "another address")
	info, err := os.Stat(filepath.Join(folder, "room.pem"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	anew := t.TempDir()
	var rooms sync.WaitGroup
	shown := make([]string, 8)
	for i := range shown {
		rooms.Go(func() {
			c, kept, err := room.Certificate(anew, at, now)
			shown[i] = fmt.Sprint(c.Certificate, kept, err)
		})
	}
	rooms.Wait()
	require.Len(t, slices.Compact(shown), 1, "rooms that begin at once have one certificate")

	_, kept, err := room.Certificate(filepath.Join(folder, "room.pem", "x"), at, now)
	require.NoError(t, err)
	require.Error(t, kept, "it is good for the run")
}

// The code for terminals and that of the page have the modules of the library's.
func TestRoomQRCodeMatchesLibraryEncoding(t *testing.T) {
	const text = "https://192.168.1.20:8443/j/abcdefghij"
	want, err := qr.Encode(text, qr.M)
	require.NoError(t, err)
	code, err := room.NewCode(text)
	require.NoError(t, err)
	require.Equal(t, want.Size+8, code.Side())
	dark := 0
	for y := range want.Size {
		for x := range want.Size {
			if want.Black(x, y) {
				dark++
			}
		}
	}
	require.Equal(t, dark, strings.Count(code.Path(), "M"))
	require.Contains(t, code.Path(), "M4 4h1v1h-1z", "the corner of the first eye")
	var plain, coloured bytes.Buffer
	require.NoError(t, code.Print(&plain, false))
	require.NoError(t, code.Print(&coloured, true))
	require.Equal(t, strings.Repeat("█", code.Side()), strings.Split(plain.String(), "\n")[0], "the margin")
	light := strings.Count(plain.String(), "█")*2 + strings.Count(plain.String(), "▀") + strings.Count(plain.String(), "▄")
	require.Equal(t, code.Side()*(code.Side()+1)-dark, light)
	require.Contains(t, coloured.String(), "\x1b[")
}

// The server refuses requests that are too large, and answers guests while other connections say nothing.
func TestRoomServerLimitsClients(t *testing.T) {
	folder := t.TempDir()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	v := newVenue(t)
	o := room.Options{Platform: http.HandlerFunc(v.platform), World: http.HandlerFunc(v.world), Now: time.Now, Most: 3}
	served, err := room.Serve(o, l, folder, make(chan error, 1))
	require.NoError(t, err)
	t.Cleanup(served.End)
	authorities := x509.NewCertPool()
	text, err := os.ReadFile(filepath.Join(folder, "room.pem"))
	require.NoError(t, err)
	require.True(t, authorities.AppendCertsFromPEM(text))
	secured := &tls.Config{RootCAs: authorities, MinVersion: tls.VersionTLS12}
	for i := range 60 {
		conn, err := net.Dial("tcp", l.Addr().String())
		require.NoError(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		if i%2 == 0 { // the others do not even begin with TLS
			half := tls.Client(conn, &tls.Config{RootCAs: authorities, ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12})
			_, err = half.Write([]byte("GET / HTTP/1.1\r\nHost: "))
			require.NoError(t, err)
		}
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: secured}}
	t.Cleanup(client.CloseIdleConnections)
	for size, want := range map[int]int{100: http.StatusNoContent, 20 << 10: http.StatusRequestHeaderFieldsTooLarge} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+l.Addr().String()+"/api/phone", nil)
		require.NoError(t, err)
		req.Header.Set("Cookie", "cabrank-room="+strings.Repeat("a", size))
		resp, err := client.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, want, resp.StatusCode)
	}
}

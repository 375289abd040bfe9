package room

import (
	"bufio"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

const (
	mostBody   = 2 << 10 // bytes
	cookieName = "cabrank-room"

	mostSaid    = 300 // characters of a sentence
	mostPressed = 20  // keys
)

// policy allows the page to run and fetch only what this server sends.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP implements [http.Handler]. It serves the page, its files, and the five calls of a guest.
func (r *Room) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "microphone=(self), camera=(), geolocation=()")
	h.Set("Cache-Control", "no-store")
	if !r.isHere(req.Host) {
		taxi.NewProblem(http.StatusMisdirectedRequest, "", "this is not the address of the room").Send(w)
		return
	}
	if !r.paces.mayAsk(req, r.options.Now()) {
		slowDown(w)
		return
	}
	if err := crossOrigin.Check(req); err != nil {
		taxi.NewProblem(http.StatusForbidden, "", "a page of another site asks").Send(w)
		return
	}
	r.route(w, req)
}

var crossOrigin = http.NewCrossOriginProtection()

// isHere reports whether a request names the room's address. Other host names are refused, to prevent DNS
// rebinding.
func (r *Room) isHere(host string) bool {
	return strings.HasPrefix(r.url, "https://"+host+"/")
}

// route passes a request to its handler; there are no other paths.
func (r *Room) route(w http.ResponseWriter, req *http.Request) {
	switch asked := req.Method + " " + req.URL.Path; asked {
	case "POST /api/join":
		r.postJoin(w, req)
	case "GET /api/phone":
		r.asGuest(w, req, r.getPhone)
	case "POST /api/call":
		r.asGuest(w, req, r.postCall)
	case "POST /api/act":
		r.asGuest(w, req, r.postAct)
	case "GET /api/line":
		r.asGuest(w, req, r.getLine)
	default:
		name, _ := strings.CutPrefix(asked, "GET /")
		if strings.HasPrefix(name, "j/") && strings.Count(name, "/") == 1 || name == "" {
			name = "index.html"
		}
		if file, known := r.files[name]; known {
			file.ServeHTTP(w, req)
			return
		}
		taxi.NewProblem(http.StatusNotFound, "", "nothing is served at this path").Send(w)
	}
}

func slowDown(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "5")
	taxi.NewProblem(http.StatusTooManyRequests, "", "too many requests").Send(w)
}

// asGuest calls do for the guest whose cookie a request has.
func (r *Room) asGuest(w http.ResponseWriter, req *http.Request, do func(http.ResponseWriter, *http.Request, *guest)) {
	var g *guest
	if cookie, err := req.Cookie(cookieName); err == nil {
		g = r.guest(cookie.Value)
	}
	if g == nil {
		taxi.NewProblem(http.StatusUnauthorized, "", "you have no phone in this room").Send(w)
		return
	}
	now := r.options.Now()
	if !g.pace.AllowN(now, 1) {
		slowDown(w)
		return
	}
	g.mu.Lock()
	g.seen = now
	g.mu.Unlock()
	do(w, req, g)
}

// postJoin adds a guest.
func (r *Room) postJoin(w http.ResponseWriter, req *http.Request) {
	if !r.paces.mayJoin(req, r.options.Now()) {
		slowDown(w)
		return
	}
	var given struct {
		Key  string `json:"key"`
		Name string `json:"name"`
	}
	if !read(w, req, &given) {
		return
	}
	g, err := r.join(req.Context(), given.Key, given.Name)
	if err != nil {
		refuse(w, err)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: g.cookie, Path: "/", HttpOnly: true, Secure: true, SameSite: http.SameSiteStrictMode})
	w.WriteHeader(http.StatusNoContent)
}

func (r *Room) getPhone(w http.ResponseWriter, req *http.Request, g *guest) {
	view, err := r.look(req.Context(), g)
	if err != nil {
		refuse(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(view) // who has gone needs no answer
}

func (r *Room) postCall(w http.ResponseWriter, req *http.Request, g *guest) {
	answerEmpty(w, r.dial(req.Context(), g))
}

func (r *Room) postAct(w http.ResponseWriter, req *http.Request, g *guest) {
	var a act
	if !read(w, req, &a) {
		return
	}
	if len(a.Press) > mostPressed || strings.Trim(a.Press, "0123456789*#") != "" || utf8.RuneCountInString(a.Say) > mostSaid {
		taxi.NewProblem(http.StatusBadRequest, "", "want up to 20 keys, or a sentence of up to 300 characters").Send(w)
		return
	}
	answerEmpty(w, r.do(req.Context(), g, a))
}

// getLine starts a call with the guest's microphone. The call always comes from the guest's number.
func (r *Room) getLine(w http.ResponseWriter, req *http.Request, g *guest) {
	done, err := r.begin(req.Context(), g)
	if err != nil {
		refuse(w, err)
		return
	}
	asked := req.Clone(req.Context())
	asked.URL.Path, asked.URL.RawQuery = "/sim/v1/lines", "to=taxi&from=%2B"+g.number
	asked.RequestURI = ""
	asked.Header = http.Header{}
	for _, name := range lineHeaders {
		asked.Header[name] = req.Header[name]
	}
	r.options.Platform.ServeHTTP(&upgrade{w, func(call string) {
		r.hold(req.Context(), g, call, "")
		done()
	}}, asked)
	done()
}

// lineHeaders are the headers of a request for a WebSocket. No other header of a guest is sent to the platform.
var lineHeaders = []string{"Connection", "Upgrade", "Origin", "Sec-Websocket-Key", "Sec-Websocket-Version", "Sec-Websocket-Protocol"}

// callHeader is the header in which the platform returns the id of a line's call.
const callHeader = "X-Cabrank-Call"

// upgrade passes on the id of the call when a request becomes a WebSocket.
type upgrade struct {
	http.ResponseWriter
	begun func(call string)
}

// WriteHeader implements [http.ResponseWriter].
func (u *upgrade) WriteHeader(status int) {
	if status == http.StatusSwitchingProtocols {
		u.begun(u.Header().Get(callHeader))
	}
	u.ResponseWriter.WriteHeader(status)
}

// Hijack implements [http.Hijacker].
func (u *upgrade) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(u.ResponseWriter).Hijack()
}

// read parses the body of a request. It reports false if it has refused the request.
func read(w http.ResponseWriter, req *http.Request, into any) bool {
	if err := (inbound.Reading{Known: true}).DecodeBody(w, req, mostBody, into); err != nil {
		taxi.NewProblem(http.StatusBadRequest, "", "want a small JSON object: %s", err).Send(w)
		return false
	}
	return true
}

func answerEmpty(w http.ResponseWriter, err error) {
	if err != nil {
		refuse(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// statuses are the HTTP statuses of refusals.
var statuses = map[error]int{
	errKey: http.StatusForbidden, errFull: http.StatusServiceUnavailable, errOver: http.StatusGone, errName: http.StatusBadRequest,
	errBusy: http.StatusConflict, errNoCall: http.StatusConflict,
}

// refuse sends an error. Details of errors of the program's own handlers are not sent.
func refuse(w http.ResponseWriter, err error) {
	for known, status := range statuses {
		if errors.Is(err, known) {
			taxi.NewProblem(status, "", "%s", known).Send(w)
			return
		}
	}
	taxi.NewProblem(http.StatusServiceUnavailable, "", "this cannot be done at the moment").Send(w)
}

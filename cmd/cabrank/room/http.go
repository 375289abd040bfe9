package room

import (
	"bufio"
	"crypto/subtle"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"path"
	"strings"
	"unicode/utf8"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/cabrank/cabrank/cmd/cabrank/console"
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

// ServeHTTP implements [http.Handler]. It serves the page, its files, and the calls of a guest.
func (r *Room) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "microphone=(self), camera=(), geolocation=()")
	h.Set("Cache-Control", "no-store")
	if !r.namesRoom(req.Host) {
		taxi.NewProblem(http.StatusMisdirectedRequest, "", "this is not the address of the room").Send(w)
		return
	}
	if !limiter(r.paces.asks, req, asksPerSecond, asksAtOnce).AllowN(r.options.Now(), 1) {
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

// namesRoom reports whether a request names the room's address. Other host names are refused, to prevent DNS
// rebinding.
func (r *Room) namesRoom(host string) bool {
	return strings.HasPrefix(r.url, "https://"+host+"/")
}

// route passes a request to its handler; there are no other paths.
func (r *Room) route(w http.ResponseWriter, req *http.Request) {
	asked := req.Method + " " + req.URL.Path
	if asked == "POST /api/join" {
		r.postJoin(w, req)
		return
	}
	if do := guestCalls[asked]; do != nil {
		r.asGuest(w, req, func(w http.ResponseWriter, req *http.Request, g *guest) { do(r, w, req, g) })
		return
	}
	name, _ := strings.CutPrefix(asked, "GET /")
	if film := r.filmURL(); film != "" && subtle.ConstantTimeCompare([]byte("https://"+req.Host+"/"+name), []byte(film)) == 1 {
		r.getFilm(w, req)
		return
	}
	if strings.HasPrefix(name, "j/") && strings.Count(name, "/") == 1 || name == "" {
		name = "index.html"
	}
	if file, known := r.files[name]; known {
		file.ServeHTTP(w, req)
		return
	}
	taxi.NewProblem(http.StatusNotFound, "", "nothing is served at this path").Send(w)
}

// guestCalls maps the requests that a guest may make to their handlers, by method and path.
var guestCalls = map[string]func(*Room, http.ResponseWriter, *http.Request, *guest){
	"GET /api/phone": (*Room).getPhone, "POST /api/call": (*Room).postCall, "POST /api/act": (*Room).postAct, "POST /api/coming": (*Room).postComing,
	"GET /api/town": (*Room).getTown, "GET /api/route": (*Room).getRoute, "GET /api/line": (*Room).getLine,
}

func slowDown(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "5")
	taxi.NewProblem(http.StatusTooManyRequests, "", "too many requests").Send(w)
}

// asGuest calls do for the guest who owns the cookie of a request, and responds with an error if there is none.
func (r *Room) asGuest(w http.ResponseWriter, req *http.Request, do func(http.ResponseWriter, *http.Request, *guest)) {
	var g *guest
	if cookie, err := req.Cookie(cookieName); err == nil {
		g = r.guest(cookie.Value)
	}
	switch {
	case g == nil && req.URL.Path == "/api/phone": // a page asks this to learn whether somebody has joined
		w.WriteHeader(http.StatusNoContent)
		return
	case g == nil:
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

// postJoin adds a guest to the room, and responds with a cookie for them.
func (r *Room) postJoin(w http.ResponseWriter, req *http.Request) {
	if !limiter(r.paces.joins, req, joinsPerSecond, joinsAtOnce).AllowN(r.options.Now(), 1) {
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

// getTown responds with the town as GeoJSON.
func (r *Room) getTown(w http.ResponseWriter, req *http.Request, _ *guest) {
	var town json.RawMessage
	if err := ask(req.Context(), r.options.World, http.MethodGet, "/_control/v1/town", nil, &town); err != nil {
		refuse(w, err)
		return
	}
	inbound.NewFile("application/geo+json", town).ServeHTTP(w, req)
}

// filmPolicy allows the page of a film its own script, and nothing else.
const filmPolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// getFilm responds with the last call as a page that plays by itself. It contains no phone number.
func (r *Room) getFilm(w http.ResponseWriter, req *http.Request) {
	asked, err := http.NewRequestWithContext(req.Context(), http.MethodGet, "http://127.0.0.1/console/film/latest", nil)
	var a inbound.Recorder
	if err == nil {
		r.options.Film.ServeHTTP(&a, asked)
	}
	if err != nil || a.Status != http.StatusOK {
		taxi.NewProblem(http.StatusNotFound, "", "nobody has called yet").Send(w)
		return
	}
	w.Header().Set("Content-Security-Policy", filmPolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(a.Body.Bytes()) // who has gone needs no answer
}

// getRoute responds with the route of the guest's taxi as GeoJSON, which has no lines if there is no taxi.
func (r *Room) getRoute(w http.ResponseWriter, req *http.Request, g *guest) {
	w.Header().Set("Content-Type", "application/geo+json")
	_ = json.NewEncoder(w).Encode(r.wayOf(req.Context(), g)) // who has gone needs no answer
}

// postComing makes the guest's phone call the firm and say that the guest is coming now.
func (r *Room) postComing(w http.ResponseWriter, req *http.Request, g *guest) {
	answerEmpty(w, r.dial(req.Context(), g, comingNow...))
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
		r.storeCall(req.Context(), g, call, "")
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

// read parses the body of a request. It returns false if that failed; it has then sent an error response.
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

// refuse responds with an error. It does not send the details of unexpected errors.
func refuse(w http.ResponseWriter, err error) {
	for known, status := range statuses {
		if errors.Is(err, known) {
			taxi.NewProblem(status, "", "%s", known).Send(w)
			return
		}
	}
	taxi.NewProblem(http.StatusServiceUnavailable, "", "this cannot be done at the moment").Send(w)
}

// Limits of the rate of requests. A page requests its view about twice a second.
const (
	actsPerSecond = 8 // for each guest
	actsAtOnce    = 40

	asksPerSecond = 30 // for each address, which several guests may share
	asksAtOnce    = 200

	joinsPerSecond = 0.2 // for each address
	joinsAtOnce    = 10

	mostAddresses = 4096 // whose limits are remembered
)

// paces holds rate limiters by client address: for all requests, and for joining.
type paces struct {
	asks, joins *lru.Cache[string, *rate.Limiter]
}

func newPaces() *paces {
	made := func() *lru.Cache[string, *rate.Limiter] {
		cache, err := lru.New[string, *rate.Limiter](mostAddresses)
		if err != nil {
			panic(err) // only for a size that is not positive
		}
		return cache
	}
	return &paces{asks: made(), joins: made()}
}

// limiter returns the rate limiter for a request's client address, and adds one if there is none.
func limiter(of *lru.Cache[string, *rate.Limiter], r *http.Request, limit rate.Limit, burst int) *rate.Limiter {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	made := rate.NewLimiter(limit, burst)
	if known, had, _ := of.PeekOrAdd(inbound.Network(host), made); had {
		return known
	}
	return made
}

//go:embed static
var static embed.FS

// shared lists the files of the console that a guest's page also uses.
var shared = []string{
	"vendor/preact.js", "store.js", "phone/line.js", "phone/pcm.js", "phone/worklet.js", "icon.svg",
	"town/shape.js", "town/draw.js", "town/cars.js", "town/marks.js", "town/route.js",
}

var kinds = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

// files returns the files that a guest's browser may fetch, by path.
func files() map[string]http.Handler {
	all := map[string]http.Handler{}
	for _, name := range shared {
		all[name] = console.File(name)
	}
	sub, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is embedded
	}
	for _, name := range []string{"index.html", "room.js", "hand.js", "room.css"} {
		text, err := fs.ReadFile(sub, name)
		if err != nil {
			panic(err) // it is embedded
		}
		all[name] = inbound.NewFile(kinds[path.Ext(name)], text)
	}
	return all
}

// Package console serves the page that shows Cabrank in a browser: the town with its
// cars, the telephone, the calls with their verdicts, faults and clock, and the suite.
// `cabrank serve` and `cabrank demo` serve it below [Prefix], beside the control API that
// it is made from.
//
// The browser receives the files of static/: modules of JavaScript, style sheets, and the few libraries that
// vendor.json lists with their versions, licences and checksums. The style sheet is that of the suite's report (report.Look), so that a verdict has
// one colour everywhere.
//
// How the page is made:
//
//	app.js      the frame: navigation, keys, help, the world's clock
//	screens.js  the screens and their order; each is a module of its own in screens/
//	town/       the town drawn by ourselves, its cars, and the map that both are on; a guest's page of a room uses it, too
//	hub.js      the connection that all tabs of a browser share: a SharedWorker, where there is one
//	world.js    the world as its events tell it; of where the cars are only while a screen
//	            watches
//	story.js    the six scenes of 'cabrank demo --story'
//	phone/      calls, the bar of a call that goes on, captions, the cast of a demo
//	api.js      calls of the control API, of a demo's voice platform and of this package
//	address.js  the page's address, which is its state
//	parts.js    what all screens are made of
//	store.js    values that parts of the page look at
//	keys.js     what keys do
//
// The page can only run and fetch what its own server sends (policy). Requests other than
// for files are guarded like the control API: they need the token if there is one, and
// pages of other sites cannot make them.
package console

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/conformance/report"
)

// Prefix is the path of the console.
const Prefix = "/console/"

// Options configures a [Console]. Guard is required.
type Options struct {
	// Guard passes on only requests of clients that may call the control API.
	Guard func(http.Handler) http.Handler

	// Own is the server that serves the console, as a target of checks; nil: the page
	// suggests no server.
	Own Own

	// World is the control API, whose data films are made from; nil: there are no films.
	World http.Handler

	// PlatformComes says that Connect will be called soon: requests for the voice
	// platform wait for that, up to ten seconds.
	PlatformComes bool

	// Now returns the time, for checks. Version is the program's, for their reports.
	Now     func() time.Time
	Version string
}

// Console serves the page, and the requests of the page that the control API does not
// cover.
type Console struct {
	files    files
	calls    http.Handler
	checks   *checks
	platform atomic.Pointer[http.Handler]
	room     atomic.Pointer[Room]
	world    http.Handler

	platformComes bool
	connected     chan struct{} // closed by Connect
}

// New creates a console.
func New(o Options) *Console {
	c := &Console{files: embedded(report.Look()), checks: &checks{options: o}, world: o.World, platformComes: o.PlatformComes, connected: make(chan struct{})}
	calls := http.NewServeMux()
	calls.HandleFunc("GET "+Prefix+"film/{call}", c.makeFilm)
	calls.HandleFunc("GET "+Prefix+"platform/about", c.aboutPlatform)
	calls.HandleFunc("GET "+Prefix+"room", c.showRoom)
	calls.HandleFunc("DELETE "+Prefix+"room", c.endRoom)
	calls.HandleFunc(Prefix+"platform/sim/", c.callPlatform)
	c.checks.routes(calls)
	c.calls = o.Guard(calls)
	return c
}

// Close stops the running checks and accepts no new ones. The checks can cancel their
// journeys until ctx ends.
func (c *Console) Close(ctx context.Context) { c.checks.close(ctx) }

// Connect connects the console to a voice platform, whose control API the page's
// telephone uses. It must be called at most once.
func (c *Console) Connect(platform http.Handler) {
	c.platform.Store(&platform)
	close(c.connected)
}

// ServeHTTP implements [http.Handler] for paths below [Prefix].
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	dress(w.Header())
	path, inside := strings.CutPrefix(r.URL.Path, Prefix)
	if !inside {
		http.Redirect(w, r, Prefix, http.StatusFound)
		return
	}
	showToken(r)
	if first, _, below := strings.Cut(path, "/"); below && (first == "platform" || first == "film") || first == "checks" || first == "room" {
		c.calls.ServeHTTP(w, r)
		return
	}
	c.files.serve(w, r, path)
}

// tokenProtocol begins the WebSocket subprotocol in which a page sends its token, as it cannot set headers for a
// WebSocket. The token follows, escaped as in URLs.
const tokenProtocol = "cabrank-token."

// showToken copies the token of a WebSocket request to the Authorization header, where other requests have it.
func showToken(r *http.Request) {
	for one := range strings.SplitSeq(r.Header.Get("Sec-WebSocket-Protocol"), ",") {
		encoded, shown := strings.CutPrefix(strings.TrimSpace(one), tokenProtocol)
		if token, err := url.PathUnescape(encoded); shown && err == nil {
			r.Header.Set("Authorization", "Bearer "+token)
		}
	}
}

const mostWait = 10 * time.Second // for a voice platform that is starting

// voice returns the handler of the voice platform, or nil if there is none. It waits for a platform that is starting.
func (c *Console) voice(r *http.Request) http.Handler {
	if c.platformComes {
		ctx, cancel := context.WithTimeout(r.Context(), mostWait)
		defer cancel()
		select {
		case <-c.connected:
		case <-ctx.Done():
		}
	}
	if platform := c.platform.Load(); platform != nil {
		return *platform
	}
	return nil
}

// aboutPlatform responds whether there is a voice platform; the page asks this before it shows a telephone.
func (c *Console) aboutPlatform(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = fmt.Fprintf(w, "{\"there\":%t}\n", c.voice(r) != nil) // the client may have disconnected
}

func noPlatform(w http.ResponseWriter) {
	problem(w, http.StatusNotFound, "no-platform", "this server has no voice platform beside it: 'cabrank demo' starts one")
}

// callPlatform forwards a request to the voice platform.
func (c *Console) callPlatform(w http.ResponseWriter, r *http.Request) {
	platform := c.voice(r)
	if platform == nil {
		noPlatform(w)
		return
	}
	r.Header.Del("Authorization") // it was for the console
	http.StripPrefix(strings.TrimSuffix(Prefix, "/")+"/platform", platform).ServeHTTP(w, r)
}

// Before returns a handler that serves the console below its prefix, and passes everything else to next. It redirects a
// browser from the server's root to the console.
func (c *Console) Before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, Prefix), r.URL.Path+"/" == Prefix,
			r.URL.Path == "/" && r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html"):
			c.ServeHTTP(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// Room is a room of guests who have phones of their own; the page shows how to join it.
type Room interface {
	View() RoomView
	End()
}

// RoomView is what the page shows of a room. Path is the QR code of its address: the dark modules as the path of an SVG
// picture.
type RoomView struct {
	Open   bool   `json:"open"`
	URL    string `json:"url,omitempty"`
	Path   string `json:"path,omitempty"`
	Side   int    `json:"side,omitempty"` // of the picture
	Guests int    `json:"guests"`
	Most   int    `json:"most"`

	Film     string `json:"film,omitempty"` // the address of the last call as a page, and its code
	FilmPath string `json:"filmPath,omitempty"`
	FilmSide int    `json:"filmSide,omitempty"`
}

// Invite makes the page show a room and how to join it.
func (c *Console) Invite(r Room) { c.room.Store(&r) }

// showRoom responds with the view of the room. Without a room, the view says that none is open.
func (c *Console) showRoom(w http.ResponseWriter, _ *http.Request) {
	var view RoomView
	if room := c.room.Load(); room != nil {
		view = (*room).View()
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(view) // who has gone needs no answer
}

// endRoom ends the room, if there is one.
func (c *Console) endRoom(w http.ResponseWriter, _ *http.Request) {
	if room := c.room.Load(); room != nil {
		(*room).End()
	}
	w.WriteHeader(http.StatusNoContent)
}

// Package room gives everybody in a room a telephone of their own: 'cabrank demo --room' serves it to the
// local network over https. A guest who scans the QR code gets a page with a phone, which can only call the
// taxi firm, from a number of its own.
//
// Guests are not trusted. The server has only the few paths of [Room.ServeHTTP]. The number that calls, the call
// that is acted on and the journey that is shown follow from the guest's cookie, never from the request. The size
// and rate of requests and the number of guests are limited.
package room

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Numbers is how the numbers of guests begin: +1 202 555 0100 to 0199 are kept free for drama, and nobody in the world
// has them. The console's map shows the names of callers with such numbers.
const Numbers = "120255501"

// MostGuests is the maximum number of guests of a room: one for each number.
const MostGuests = 100

// Options configures a [Room]; all but Film are required.
type Options struct {
	Platform http.Handler // control API of the voice platform; must accept requests without a token
	World    http.Handler // control API of the world; must accept requests without a token
	Now      func() time.Time
	Most     int       // guests
	Until    time.Time // the room ends by itself; zero: it does not

	Film http.Handler // answers "/console/film/latest" with the last call as a page; nil: there are no films
}

// Room holds the guests and their phones.
type Room struct {
	options Options
	key     string // part of the address in the QR code
	url     string
	files   map[string]http.Handler
	paces   *paces

	mu     sync.Mutex
	guests []*guest // as they came
	ended  bool
	end    func() // called when the room ends
}

// guest is a person with a phone in the room.
type guest struct {
	cookie string
	number string // digits
	name   string
	pace   *rate.Limiter

	mu    sync.Mutex
	seen  time.Time
	call  string // the latest call; "": none yet
	phone string // the phone that made the call; "": a microphone
	busy  bool   // a call is being started
}

// New returns a room whose address is, for example, https://192.168.1.20:8443. end is called once, when the room
// ends.
func New(o Options, address string, end func()) *Room {
	r := &Room{options: o, key: strings.ToLower(rand.Text()[:10]), files: files(), paces: newPaces(), end: end}
	r.url = address + "/j/" + r.key
	return r
}

// filmURL returns the address at which everybody in the room can get the last call as a page, or "" if there are no
// films.
func (r *Room) filmURL() string {
	if r.options.Film == nil {
		return ""
	}
	return strings.Replace(r.url, "/j/", "/f/", 1)
}

// URL returns the address in the QR code that guests scan.
func (r *Room) URL() string { return r.url }

var (
	errKey  = errors.New("this address is not that of the room: scan the code again")
	errFull = errors.New("all phones of this room are taken")
	errOver = errors.New("the room has ended")
)

// join adds a guest with a name, if the key is right.
func (r *Room) join(ctx context.Context, key, name string) (*guest, error) {
	if subtle.ConstantTimeCompare([]byte(key), []byte(r.key)) != 1 {
		return nil, errKey
	}
	name, err := readName(name)
	if err != nil {
		return nil, err
	}
	g, err := r.add(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := r.storeName(ctx, g); err != nil {
		r.remove(g)
		return nil, err
	}
	return g, nil
}

// add adds a guest with a unique name and number. If the room is full, it removes the guest who was away for the
// longest, if that was at least awayAfter, and ends their call.
func (r *Room) add(ctx context.Context, name string) (*guest, error) {
	g, gone, err := r.place(name)
	if gone != nil {
		r.hangUp(ctx, gone)
	}
	return g, err
}

// place adds a guest. If the room is full, it removes one who was away, and returns that guest as gone; otherwise gone
// is nil.
func (r *Room) place(name string) (g, gone *guest, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over() {
		return nil, nil, errOver
	}
	if len(r.guests) >= r.options.Most {
		if gone = r.removeAway(); gone == nil {
			return nil, nil, errFull
		}
	}
	g = &guest{cookie: rand.Text(), number: r.free(), name: r.uniqueName(name), pace: rate.NewLimiter(actsPerSecond, actsAtOnce), seen: r.options.Now()}
	r.guests = append(r.guests, g)
	return g, gone, nil
}

// free returns a number that no guest has; the lock is held.
func (r *Room) free() string {
	for n := 0; ; n++ {
		number := fmt.Sprintf("%s%02d", Numbers, n)
		if !slices.ContainsFunc(r.guests, func(g *guest) bool { return g.number == number }) {
			return number
		}
	}
}

// uniqueName returns a name, with a number after it if a guest has the same name; the lock is held.
func (r *Room) uniqueName(name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(r.guests, func(g *guest) bool { return strings.EqualFold(g.name, name) })
	}
	other := name
	for n := 2; taken(other); n++ {
		other = fmt.Sprintf("%s %d", name, n)
	}
	return other
}

// awayAfter is the time without a request after which a guest may be removed.
const awayAfter = 10 * time.Minute

// removeAway removes the guest who was away for the longest, if that was awayAfter or more; nil: there is none. The lock
// is held.
func (r *Room) removeAway() *guest {
	oldest := slices.MinFunc(r.guests, func(a, b *guest) int { return a.lastSeen().Compare(b.lastSeen()) })
	if r.options.Now().Sub(oldest.lastSeen()) < awayAfter {
		return nil
	}
	r.guests = slices.DeleteFunc(r.guests, func(g *guest) bool { return g == oldest })
	return oldest
}

func (g *guest) lastSeen() time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.seen
}

func (r *Room) remove(gone *guest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.guests = slices.DeleteFunc(r.guests, func(g *guest) bool { return g == gone })
}

// guest returns the guest with a cookie, or nil.
func (r *Room) guest(cookie string) (found *guest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over() {
		return nil
	}
	for _, g := range r.guests {
		if subtle.ConstantTimeCompare([]byte(g.cookie), []byte(cookie)) == 1 {
			found = g
		}
	}
	return found
}

// has reports whether a guest is still in the room.
func (r *Room) has(g *guest) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.guests, g)
}

// over reports whether the room has ended; the lock is held.
func (r *Room) over() bool {
	return r.ended || !r.options.Until.IsZero() && !r.options.Now().Before(r.options.Until)
}

// End ends the room: it ends the calls of its guests and removes them.
func (r *Room) End() {
	r.mu.Lock()
	guests, ended := r.guests, r.ended
	r.guests, r.ended = nil, true
	r.mu.Unlock()
	if ended {
		return
	}
	for _, g := range guests {
		r.hangUp(context.Background(), g)
	}
	r.end()
}

package phoning

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
)

// Beside configures a platform that runs beside a dispatch system and books its taxis.
type Beside struct {
	Listen       string // address to listen on
	Speed        float64
	ThirdParty   string // the dispatch system's base address
	Credentials  taxi.Credentials
	Places       []booking.Place  // destinations of callers
	Callers      func() time.Time // the clock that callers use to name times; nil: the wall clock
	Live         func(calls int)  // called with the number of calls that are up; it must not block; may be nil
	Sound        Sound            // the programs that speak and recognise speech
	SIP          string           // address for telephones that call by SIP; "": all lines are simulated
	ControlToken string           // the token of the control API; "": none is needed
	Log          *slog.Logger
	Failed       chan error // receives the error if the server ends by itself; it must be buffered
}

// Running is a platform that another command started.
type Running struct {
	URL string

	served *served
	client client
}

// Run starts a platform in memory, which runs until [Running.Close].
func (b Beside) Run(ctx context.Context) (*Running, error) {
	f := &platformFlags{}
	f.add(&cobra.Command{}) // which sets the defaults
	f.listen, f.speed = b.Listen, b.Speed
	f.live, f.callers, f.controlToken = b.Live, b.Callers, b.ControlToken
	f.sound, f.sip.address = b.Sound, b.SIP
	f.thirdParty.url = b.ThirdParty
	f.thirdParty.party = platform.ThirdParty{URL: b.ThirdParty, Auth: written(b.Credentials), Places: b.Places}
	if err := f.check(); err != nil {
		return nil, err
	}
	s, err := f.begin(ctx, b.Log, b.Failed)
	if err != nil {
		return nil, err
	}
	r := &Running{URL: s.url, served: s, client: client{url: s.url, token: s.controlToken}}
	return r, r.client.connect()
}

// Control returns the platform's control API without the network, for pages that have their own access control: it
// needs no control token.
func (r *Running) Control() http.Handler {
	handler := r.served.platform.Handler()
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if token := r.served.controlToken; token != "" {
			req.Header.Set(simapi.ControlHeader, token)
		}
		handler.ServeHTTP(w, req)
	})
}

// AddPhone lets a telephone log in as the extension 201 with a customer's number, and prints what to type into
// it. Without [Beside].SIP it does nothing.
func (r *Running) AddPhone(ctx context.Context, w io.Writer, number string) error {
	if _, listens := r.served.platform.SIPAddress(); !listens {
		return nil
	}
	made, err := r.client.addPhone(ctx, usualAccount, map[string]string{"extension": "201", "number": number})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nRing the taxi number from a telephone program of this machine:\n\n")
	printPhone(w, made)
	fmt.Fprintf(w, "the taxi number is %s\n", platform.TaxiNumber)
	return nil
}

// Close hangs up all calls and ends the platform.
func (r *Running) Close() error { return r.served.shut() }

// Caller is a simulated caller of the taxi number.
type Caller struct {
	client client
	id     string
}

// Ring has a simulated caller call the taxi number of the first account and follow a
// script.
func (r *Running) Ring(ctx context.Context, from string, script json.RawMessage) (*Caller, error) {
	var view simapi.PhoneView
	err := r.client.do(ctx, http.MethodPost, "/sim/v1/phones", newPhone{From: from, To: "taxi", Script: script}, &view)
	return &Caller{client: r.client, id: view.ID}, err
}

// Look returns the state of the caller's phone at once, with the transcript from line from on.
func (c *Caller) Look(ctx context.Context, from int) (simapi.PhoneView, error) {
	return c.view(ctx, url.Values{"from": {strconv.Itoa(from)}})
}

// Wait returns the state of the caller's phone once it is newer than version.
func (c *Caller) Wait(ctx context.Context, version int) (simapi.PhoneView, error) {
	return c.view(ctx, url.Values{"version": {strconv.Itoa(version)}})
}

func (c *Caller) view(ctx context.Context, query url.Values) (view simapi.PhoneView, err error) {
	err = c.client.do(ctx, http.MethodGet, "/sim/v1/phones/"+c.id+"?"+query.Encode(), nil, &view)
	return view, err
}

// Over reports whether a phone and its call are over, so that the view does not change any more.
func Over(view simapi.PhoneView) bool { return over(view) }

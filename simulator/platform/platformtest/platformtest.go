// Package platformtest gives any Go test a voice platform whose callers book taxis: the
// reference itself, with accounts, credentials and telephones.
//
//	p := platformtest.New(t, platformtest.Options{ThirdParty: mine.URL})
//	call := p.Call("442079460002", platformtest.Expect("press 1"), platformtest.Press("1"), …)
//
// The dispatch system under test receives the five operations as a platform sends them.
// The time of the telephones passes only during a call, and only while no request is
// waiting for a response, so a conversation of a minute takes milliseconds, even on a
// busy machine. Everything ends with the test, and a failed test logs the transcripts of
// its last calls.
package platformtest

import (
	"context"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Options configures a platform; with the zero value it books no taxis, since it has no
// third party.
type Options struct {
	ThirdParty string // base address of the dispatch system that taxis are booked with
	Auth       string // its credentials, such as "bearer:TOKEN"; "": none
}

// Platform is a running voice platform that is called over HTTP.
type Platform struct {
	t           testing.TB
	url         string
	client      *http.Client
	credentials platform.Credentials
	line        *voice.Virtual

	moving sync.Mutex // held while the line's time passes
	mu     sync.Mutex
	calls  []*Call // the last calls
}

// New starts a platform that ends with the test. Its ids and credentials are the same in
// every run.
func New(t testing.TB, o Options) *Platform {
	t.Helper()
	kept, err := records.Open(t.Context(), "")
	must(t, err)
	t.Cleanup(func() { _ = kept.Close() }) // in memory: closing cannot lose data
	p := &Platform{t: t, line: voice.NewVirtual(time.Now())}
	served, err := platform.New(t.Context(), platform.Options{
		Records: kept, Now: time.Now, Random: rand.NewChaCha8([32]byte{1}), Line: p.line,
		PrivateHooks: true, BaseURL: p.URL,
	})
	must(t, err)
	t.Cleanup(func() { _ = served.Close(context.Background()) }) // hangs up
	must(t, served.Seed(t.Context()))
	p.credentials, err = served.Credentials(t.Context(), platform.Credentials{})
	must(t, err)
	must(t, served.UseThirdParty(t.Context(), platform.ThirdParty{URL: o.ThirdParty, Auth: o.Auth}))
	server := httptest.NewServer(served.Handler())
	t.Cleanup(server.Close)
	p.url, p.client = server.URL, server.Client()
	p.credentials.BaseURL, p.credentials.VoiceBaseURL = p.url, p.url
	t.Cleanup(p.logIfFailed)
	return p
}

// URL is the base address of the REST API, the Voice API and the control API.
func (p *Platform) URL() string { return p.url }

// Credentials returns users, accounts and numbers, as in the credentials file of 'cabrank
// platform'.
func (p *Platform) Credentials() platform.Credentials { return p.credentials }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("platformtest: %v", err)
	}
}

package callingside_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// wary calls with a new connection each time, and looks at certificates.
type wary struct {
	client *http.Client
	url    string

	mu    sync.Mutex
	acted map[string]int // by scene
}

func (w *wary) Name() string { return "a wary platform" }

func (w *wary) Act(ctx context.Context, task rules.Task) callingside.Acted {
	w.mu.Lock()
	w.acted[task.Scene]++
	w.mu.Unlock()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url+"/user", strings.NewReader("{}"))
	if err != nil {
		return callingside.Acted{Failed: err.Error()}
	}
	resp, err := w.client.Do(req)
	if err != nil {
		return callingside.Acted{Answer: &rules.Answer{Outcome: rules.OutcomeFailed}}
	}
	_ = resp.Body.Close()
	return callingside.Acted{Answer: &rules.Answer{Outcome: rules.OutcomeCompleted}}
}

// underTLS runs the scenes about certificates with an actor.
func underTLS(t *testing.T, ready func(address string, ca *x509.Certificate), actor callingside.Actor) *conformance.Report {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	certificates, der, err := callingside.TemporaryCertificates(time.Now(), "127.0.0.1")
	require.NoError(t, err)
	ca, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	rep, err := callingside.Run(t.Context(), callingside.Options{
		Listener: listener, Actor: actor, Now: time.Now, Wait: virtual().Wait, TLS: certificates, Only: []string{"P-17"},
		Ready: func(address string) error { ready(address, ca); return nil },
	})
	require.NoError(t, err)
	return rep
}

var badCertificates = []string{"a certificate that nobody signed", "a certificate that has expired", "a certificate for another host"}

// TestSceneWithBadCertificateIsPlayedOnce checks that a scene with a bad certificate is played only once although no
// call comes: that is right, since the platform refuses the certificate. The platform caches TLS sessions, as
// many clients do.
func TestSceneWithBadCertificateIsPlayedOnce(t *testing.T) {
	t.Parallel()
	w := &wary{acted: map[string]int{}}
	rep := underTLS(t, func(address string, ca *x509.Certificate) {
		roots := x509.NewCertPool()
		roots.AddCert(ca)
		w.url, w.client = address, &http.Client{Transport: &http.Transport{
			DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12, ClientSessionCache: tls.NewLRUClientSessionCache(8)},
		}}
	}, w)
	for _, res := range rep.Checks {
		require.NotEqual(t, conformance.Fail, res.Outcome, "%s: %v", res.ID, res.Findings)
	}
	for _, scene := range badCertificates {
		require.Equal(t, 1, w.acted[scene], "%s in %v", scene, w.acted)
	}
}

// TestPersonIsPromptedOncePerBadCertificate checks that a person is asked to call only once per bad
// certificate, although no call comes.
func TestPersonIsPromptedOncePerBadCertificate(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	underTLS(t, func(string, *x509.Certificate) {}, callingside.NewPerson(strings.NewReader(strings.Repeat("\n", 1000)), &out))
	for _, scene := range badCertificates {
		require.Equal(t, 1, strings.Count(out.String(), "\n"+scene+" ("), out.String())
	}
}

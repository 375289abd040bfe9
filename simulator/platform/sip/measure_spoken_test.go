package sip_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/booking/grammar"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// understood is what the conversation has made of what was said.
type understood struct{ State, Asks, Frame string }

// spokenCalls counts the utterances that were understood as typed words are.
type spokenCalls struct {
	p    *platform.Platform
	lags figures // from the end of speech to the first sound

	mu      sync.Mutex
	right   map[string]int // by voice
	callers int
}

// TestMeasureSpoken speaks 25 utterances in two voices over SIP and RTP, and compares what the
// conversation makes of them with what it makes of typed words. It runs with MEASURE=1, and takes
// three minutes with -parallel 4.
func TestMeasureSpoken(t *testing.T) {
	if os.Getenv("MEASURE") == "" {
		t.Skip("MEASURE=1 measures")
	}
	const least = 24
	morning := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
	p, callers := speaking(t, func(o *platform.Options) { o.Callers = func() time.Time { return morning } })
	require.NoError(t, p.UseThirdParty(t.Context(), platform.ThirdParty{URL: withoutBookings(t)}))
	m := &spokenCalls{p: p, right: map[string]int{}}
	t.Run("calls", func(t *testing.T) {
		for _, u := range fixtures.Utterances {
			t.Run(u.Words, func(t *testing.T) {
				t.Parallel()
				m.compare(t, callers, u.Before, u.Words)
			})
		}
	})
	t.Logf("understood: %v; from the end of speech to the first sound %s, p95 %s", m.right, &m.lags, m.lags.part(95).Round(time.Millisecond))
	for name, right := range m.right {
		require.GreaterOrEqual(t, right, least, name)
	}
}

// withoutBookings is a dispatch system whose customer never has a taxi.
func withoutBookings(t *testing.T) string {
	answers := map[string]any{
		taxi.PathConfig: taxi.ConfigResponse{Status: taxi.SystemOK},
		taxi.PathUser:   taxi.EndUser{UserID: "u-1", PhoneNumber: caller, Name: "Ada", Status: "ENABLED"},
		taxi.PathBook:   taxi.Journey{JourneyID: "j-1", Status: taxi.Waiting},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answers[r.URL.Path])
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// compare types and speaks an utterance.
func (m *spokenCalls) compare(t *testing.T, callers speech.Speaker, before, words string) {
	said := []string{words}
	if before != "" {
		said = []string{before, words}
	}
	want := m.typed(t, said)
	for _, name := range []string{"rms", "awb"} {
		got, turns := m.spoken(t, callers, name, said)
		last := turns[len(turns)-1]
		if got == want && (!strings.HasPrefix(words, "yes") || last.Confidence >= grammar.AgreeConfidence) {
			m.mu.Lock()
			m.right[name]++
			m.mu.Unlock()
			continue
		}
		t.Logf("%s: %q was heard as %q, %.2f: %+v instead of %+v", name, words, last.Speech, last.Confidence, got, want)
	}
}

// number is one that nobody has called from yet: whose last trip is not offered again.
func (m *spokenCalls) number() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.callers++
	return fmt.Sprintf("44770090%04d", m.callers)
}

// answered waits until a call has answered so many times what was said, and returns what it
// understands then.
func (m *spokenCalls) answered(t *testing.T, id string, times int) (was understood, turns []simapi.Turn) {
	t.Helper()
	require.Eventually(t, func() bool {
		s := story(t, m.p, id)
		turns = slices.DeleteFunc(s.Turns, func(turn simapi.Turn) bool {
			return turn.Reason != voice.ReasonSpeech && turn.Reason != voice.ReasonNoMatch
		})
		asks, _ := json.Marshal(s.Asks)
		frame, _ := json.Marshal(s.Frame)
		was = understood{s.State, string(asks), string(frame)}
		return len(turns) >= times
	}, time.Minute, frameLength)
	return was, turns
}

// typed is what a simulated telephone's words are understood as.
func (m *spokenCalls) typed(t *testing.T, said []string) understood {
	var script strings.Builder
	for _, words := range said {
		fmt.Fprintf(&script, `{"wait":"9s"},{"say":%q},`, words)
	}
	r := httptest.NewRequest(http.MethodPost, "/sim/v1/phones", strings.NewReader(`{"to":"taxi","from":"`+m.number()+`","script":[`+script.String()+`{"wait":"1m"}]}`))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	m.p.Handler().ServeHTTP(w, r)
	require.Equal(t, http.StatusCreated, w.Code, w.Body)
	var phone phones.View
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &phone))
	was, _ := m.answered(t, phone.CallID, len(said))
	return was
}

// spoken is what sound is understood as.
func (m *spokenCalls) spoken(t *testing.T, callers speech.Speaker, name string, said []string) (understood, []simapi.Turn) {
	var sounds [][]byte
	for _, words := range said {
		sounds = append(sounds, muLaw(t, callers, words, name))
	}
	address, _ := m.p.SIPAddress()
	number := m.number()
	k := newAgent(t, address, "+"+number).rings(taxiNumber)
	id := callFrom(t, m.p, number)
	for _, sound := range sounds {
		k.hearsPrompt()
		k.utters(sound)
	}
	was, turns := m.answered(t, id, len(said))
	m.lags.add(k.hearsPrompt())
	k.request("BYE", "")
	return was, turns
}

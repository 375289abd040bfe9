package booking_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/fixtures"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/booking"
)

// party is a third party whose answers the test sets.
type party struct {
	url string

	mu      sync.Mutex
	answers map[string][]reply // by path; the last one is given again and again
	got     []asked
}

// asked is a request that the third party received.
type asked struct {
	path string
	body map[string]json.RawMessage
	text string
}

// reply is a response of the fake dispatch system. Tests give it as a JSON object, of which all members are optional.
type reply struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
	Text   string          `json:"text"` // no JSON
	After  string          `json:"retryAfter"`
	Drop   bool            `json:"drop"` // the connection is cut
	Slow   bool            `json:"slow"` // no answer comes
}

func newParty(t testing.TB, answers map[string][]reply) *party {
	t.Helper()
	p := &party{answers: answers}
	server := httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

func (p *party) serve(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	a := asked{path: r.URL.Path, text: string(text)}
	_ = json.Unmarshal(text, &a.body)
	p.mu.Lock()
	p.got = append(p.got, a)
	at := r.URL.Path
	if one := at + " " + strings.Trim(string(a.body["journeyId"]), `"`); len(p.answers[one]) > 0 {
		at = one // what is said of this journey
	}
	list := p.answers[at]
	answer := reply{Status: http.StatusNotFound}
	if len(list) > 0 {
		answer = list[0]
	}
	if len(list) > 1 {
		p.answers[at] = list[1:]
	}
	p.mu.Unlock()
	answer.write(w, r)
}

func (a reply) write(w http.ResponseWriter, r *http.Request) {
	switch {
	case a.Drop:
		panic(http.ErrAbortHandler)
	case a.Slow:
		select {
		case <-r.Context().Done():
		case <-time.After(time.Minute):
		}
		return
	}
	if a.After != "" {
		w.Header().Set("Retry-After", a.After)
	}
	if a.Text != "" {
		w.Header().Set("Content-Type", "text/html")
	}
	if a.Status != 0 {
		w.WriteHeader(a.Status)
	}
	_, _ = w.Write(bytes.TrimSpace(append(a.Body, a.Text...)))
}

// paths returns the paths of all requests, in order.
func (p *party) paths() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []string
	for _, a := range p.got {
		list = append(list, strings.TrimPrefix(a.path, "/"))
	}
	return strings.Join(list, " ")
}

// requests returns all requests as a golden file shows them. Successive /status requests are sent at the same time,
// so they are sorted.
func (p *party) requests() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	for from := 0; from < len(p.got); {
		to := from + 1
		for to < len(p.got) && p.got[from].path == taxi.PathStatus && p.got[to].path == taxi.PathStatus {
			to++
		}
		row := slices.SortedFunc(slices.Values(p.got[from:to]), func(a, b asked) int { return strings.Compare(a.text, b.text) })
		for _, a := range row {
			fmt.Fprintf(&b, "POST %s %s\n", a.path, a.text)
		}
		from = to
	}
	return b.String()
}

// bodies returns the requests to a path.
func (p *party) bodies(path string) (list []map[string]json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.got {
		if a.path == path {
			list = append(list, a.body)
		}
	}
	return list
}

// last returns the latest request to a path.
func (p *party) last(path string) map[string]json.RawMessage {
	if all := p.bodies(path); len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

// answer sets the answers and removes the recorded requests.
func (p *party) answer(answers map[string][]reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers, p.got = answers, nil
}

// deskOf returns a desk that books with a third party, for callers in Otterbridge at half past two on a Monday.
func deskOf(third string, change ...func(*booking.Options, *booking.Settings)) *booking.Desk {
	settings := booking.Defaults("The firm")
	settings.ThirdParty, settings.Operator, settings.Places = third, "100", platform.PlacesOf(fixtures.Places())
	options := booking.Options{
		Now: func() time.Time { return callersNow }, Settings: func(string) (booking.Settings, bool) { return settings, true },
		Number: func(_, n string) (taxi.E164, bool) { return taxi.E164(n), n != "" },
	}
	for _, c := range change {
		c(&options, &settings)
	}
	return booking.New(options)
}

// rings begins a call.
func rings(t testing.TB, desk *booking.Desk, number taxi.E164) (*booking.Session, booking.Step) {
	s := desk.Session(booking.Customer{Account: "a", Number: number, Channel: taxi.FeatureVoice})
	return s, s.Begin(t.Context())
}

// knowing returns the answers of a third party that knows Rosalind Whitlock and her bookings.
func knowing(journeys ...map[string]any) map[string][]reply {
	user, _ := json.Marshal(map[string]any{"userId": "u-1", "name": "Rosalind Whitlock", "phoneNumber": callerNumber, "activeBookings": journeys})
	answers := map[string][]reply{
		"/config": raw(`{"status":"OK"}`), "/user": raw(string(user)), "/book": raw(`{"journeyId":"J-2","status":"WAITING"}`),
		"/book J-1": raw(`{"journeyId":"J-1","status":"HELD"}`), "/cancel": raw(`{"journeyId":"J-1","status":"CANCELLED"}`),
	}
	if len(journeys) > 0 {
		journey, _ := json.Marshal(journeys[0])
		answers["/status"] = raw(string(journey))
	}
	return answers
}

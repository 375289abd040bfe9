package callingside

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// answer answers one call by the script, and records the call and the answer.
func (s *stage) answer(w http.ResponseWriter, r *http.Request) {
	op, isHere := s.operation(r)
	x := s.begun(r, op)
	if s.full() {
		http.Error(w, "the run has been called too often; no more is recorded", http.StatusServiceUnavailable)
		s.keep(x)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	x.Request.Body = body
	if err != nil {
		s.finish(w, x, http.StatusRequestEntityTooLarge, nil, []byte(`{"title":"too large"}`))
		return
	}
	sent := jsonvalue.Parse(body)
	p := s.playOf(op, sent)
	switch {
	case p == nil:
		x.Probe = rules.ProbeShared
	case p != s.passive:
		p.mu.Lock()
		x.Probe = p.probe
		p.mu.Unlock()
	}
	switch {
	case !isHere:
		x.Intent = rules.IntentStray
		s.finish(w, x, http.StatusNotFound, nil, []byte(`{"title":"there is nothing here"}`))
	case r.Method != http.MethodPost:
		s.finish(w, x, http.StatusMethodNotAllowed, map[string]string{"Allow": "POST"}, []byte(`{"title":"POST"}`))
	case x.Shown == conformance.CredsMissing || x.Shown == conformance.CredsWrong:
		s.finish(w, x, http.StatusUnauthorized, nil, []byte(`{"title":"who calls?"}`))
	case p == nil && op == rules.OpConfig:
		s.finish(w, x, http.StatusOK, nil, []byte(`{"status":"OK"}`))
	case p == nil:
		s.finish(w, x, http.StatusNotFound, nil, []byte(`{"title":"nobody knows this number or these ids"}`))
	default:
		s.perform(w, r, x, p, sent)
	}
}

// operation finds the operation of a request. isHere is false for a call outside the base
// address or of no operation, which is filed under the most similar operation.
func (s *stage) operation(r *http.Request) (op conformance.Operation, isHere bool) {
	path := strings.TrimRight(r.URL.Path, "/")
	last := strings.ToLower(path[strings.LastIndex(path, "/")+1:])
	op = rules.OpConfig
	for _, known := range rules.Operations() {
		if path == s.base.Path+known.Path() {
			return known, path == r.URL.Path // a slash at its end makes another path
		}
		if last != "" && (strings.HasPrefix(last, string(known)) || strings.Contains(path, known.Path())) {
			op = known
		}
	}
	return op, false
}

// begun returns a new record of a call, without the body and the answer.
func (s *stage) begun(r *http.Request, op conformance.Operation) *conformance.Exchange {
	address := *r.URL
	address.Scheme, address.Host = s.base.Scheme, s.base.Host
	return &conformance.Exchange{
		Operation: op, Direction: conformance.Received, Started: s.opts.Now(), Shown: s.shown(r),
		Request: conformance.Request{Method: r.Method, URL: address.String(), Header: r.Header.Clone()},
	}
}

// shown reports whether a call has the required credentials, others or none at all. It returns CredsNone if none are required.
func (s *stage) shown(r *http.Request) conformance.Credentials {
	if s.opts.Auth == nil {
		return conformance.CredsNone
	}
	right, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.base.String(), http.NoBody)
	if err != nil {
		return conformance.CredsNone
	}
	s.opts.Auth(right)
	result := conformance.CredsGiven
	compare := func(want, got string) {
		switch {
		case got == "":
			result = conformance.CredsMissing
		case want != got && result == conformance.CredsGiven && !sameScheme(want, got):
			result = conformance.CredsWrong
		}
	}
	for name := range right.Header {
		compare(right.Header.Get(name), r.Header.Get(name))
	}
	for name := range right.URL.Query() {
		compare(right.URL.Query().Get(name), r.URL.Query().Get(name))
	}
	return result
}

// sameScheme reports whether two Authorization values have the same secret and, except for case, the same scheme.
func sameScheme(want, got string) bool {
	scheme, secret, _ := strings.Cut(want, " ")
	other, shown, _ := strings.Cut(got, " ")
	return strings.EqualFold(scheme, other) && secret == shown && secret != ""
}

// perform answers a call of a scene.
func (s *stage) perform(w http.ResponseWriter, r *http.Request, x *conformance.Exchange, p *play, sent jsonvalue.Value) {
	op := x.Operation
	p.mu.Lock()
	a := p.special(op)
	x.Intent = a.Intent
	if p.TLS != nil {
		x.Intent = p.TLS.intent
	}
	isOdd := a.Status != 0 || a.Body != "" || a.Empty || a.Silent
	status, told := p.reply(op, sent, a.Effect || !isOdd && a.Intent != rules.IntentRefused)
	body := render(a, status, told)
	p.mu.Unlock()
	if a.Status != 0 {
		status = a.Status
	}
	delay := a.Delay.duration()
	if a.Hang && !a.Drip {
		delay, a.Silent = longestHang, true
	}
	if delay > 0 {
		s.wait(r.Context(), delay)
	}
	if r.Context().Err() != nil {
		x.Err, x.ErrKind = "the caller did not wait for the answer", conformance.ErrHungUp
		s.ended(x)
		return
	}
	switch {
	case a.Silent:
		s.breakOff(w, x, nil)
	case a.Cut:
		s.breakOff(w, x, body[:len(body)/2])
	case a.Drip:
		s.dripOut(w, r, x, status, body, a.Hang)
	default:
		s.finish(w, x, status, s.header(a, x.Operation), body)
	}
}

// header returns the headers of an answer, including those that depend on the stage.
func (s *stage) header(a answer, op conformance.Operation) map[string]string {
	header := map[string]string{}
	maps.Copy(header, a.Header)
	if a.ToOther {
		header["Location"] = s.other + op.Path()
	}
	if a.RetryAt > 0 {
		header["Retry-After"] = s.opts.Now().Add(a.RetryAt.duration()).UTC().Format(http.TimeFormat)
	}
	return header
}

// render returns the body of an answer: nothing, a fixed text, or told as JSON with the changes of the script.
func render(a answer, status int, told object) []byte {
	switch {
	case a.Empty:
		return nil
	case a.Body != "":
		return []byte(a.Body)
	}
	if status == http.StatusOK {
		told = merged(told, a.Over)
		if a.Only != nil {
			few := object{}
			for _, name := range a.Only {
				few[name] = told[name]
			}
			told = few
		}
	}
	text, err := json.Marshal(told)
	if err != nil {
		panic(err) // the objects of this package can be encoded
	}
	return bytes.ReplaceAll(text, []byte(`"rating":5,`), []byte(`"rating":5.0,`))
}

// ended sets the duration of a call and stores its record.
func (s *stage) ended(x *conformance.Exchange) {
	x.Took = s.opts.Now().Sub(x.Started)
	s.keep(x)
}

// finish sends a whole answer and records it.
func (s *stage) finish(w http.ResponseWriter, x *conformance.Exchange, status int, header map[string]string, body []byte) {
	s.head(w, x, status, header, body)
	s.ended(x) // before the answer is sent, so that later calls are recorded after it
	w.WriteHeader(status)
	if status != http.StatusNoContent {
		_, _ = w.Write(body) // the caller may be gone
	}
}

// head sets the headers of an answer and records them.
func (s *stage) head(w http.ResponseWriter, x *conformance.Exchange, status int, header map[string]string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	for name, value := range header {
		h.Set(name, value)
	}
	x.Response = &conformance.Response{Status: status, Header: h.Clone(), Body: body}
	if status == http.StatusNoContent {
		x.Response.Body = nil
	}
}

// breakOff sends the beginning of an answer, possibly empty, and resets the connection.
func (s *stage) breakOff(w http.ResponseWriter, x *conformance.Exchange, beginning []byte) {
	x.Err, x.ErrKind = "the connection was broken off on purpose", conformance.ErrReset
	s.ended(x)
	if beginning != nil {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "100000")
		_, _ = w.Write(beginning)
		_ = http.NewResponseController(w).Flush()
	}
	panic(http.ErrAbortHandler)
}

// longestHang is how long the stage keeps a caller waiting for an answer that never comes.
const longestHang = 20 * time.Second

// dripOut sends an answer byte by byte, without its end, while the caller waits. If hang is
// set, it continues until the caller gives up.
func (s *stage) dripOut(w http.ResponseWriter, r *http.Request, x *conformance.Exchange, status int, body []byte, hang bool) {
	const pause, most = 100 * time.Millisecond, 20
	s.head(w, x, status, nil, body)
	w.WriteHeader(status)
	out := http.NewResponseController(w)
	if hang {
		body = append([]byte("{"), bytes.Repeat([]byte(" "), int(longestHang/pause))...)
	}
	for i := range len(body) {
		if i == most && !hang {
			break
		}
		if _, err := w.Write(body[i : i+1]); err != nil || out.Flush() != nil || r.Context().Err() != nil {
			break
		}
		s.wait(r.Context(), pause)
	}
	x.Response, x.Err, x.ErrKind = nil, "the answer arrived byte by byte and did not end", conformance.ErrReset
	s.ended(x)
	panic(http.ErrAbortHandler)
}

// answerElsewhere answers calls that followed a redirect.
func (s *stage) answerElsewhere(w http.ResponseWriter, r *http.Request) {
	op, _ := s.operation(r)
	x := s.begun(r, op)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		body = nil
	}
	x.Request.Body, x.Intent = body, rules.IntentRedirected
	x.Request.URL = s.other + r.URL.Path
	if p := s.playOf(op, jsonvalue.Parse(body)); p != nil && p != s.passive {
		p.mu.Lock()
		x.Probe = p.probe
		p.mu.Unlock()
	}
	s.finish(w, x, http.StatusNotFound, nil, []byte(`{"title":"another host"}`))
}

package rules_test

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/platformapi"
	"github.com/cabrank/cabrank/conformance/platformapi/rules"
)

// row is one history and the verdict that one check has to give on it.
type row struct {
	check string // "TOK-01"
	name  string
	want  conformance.Outcome
	calls []step
	at    string // part of the pointer, or of what is expected, in a finding that decides; "": any
}

// The verdicts of the rows.
const (
	passes     = conformance.Pass
	fails      = conformance.Fail
	warns      = conformance.Warn
	observed   = conformance.Seen
	unverified = conformance.NotVerified
)

// step is one call of a history in short form. Its methods return a changed copy.
type step struct {
	op          conformance.Operation
	id          string // in the path, in place of the kind's name
	sent, reply string
	code        int // of the answer; 0: no answer came
	intent      conformance.Intent
	probe       conformance.ProbeName
	sound       bool   // a right server serves it
	base        string // "": plain HTTP on this machine
	media       string // "": JSON
	echoes      bool   // the answer has a secret that the run was given
}

// asked returns a call that a right server serves.
func asked(op conformance.Operation, sent string, code int, reply string) step {
	return step{op: op, sent: sent, code: code, reply: reply, sound: true, probe: "a probe"}
}

// but changes the reply; the text to be replaced must be in it.
func (s step) but(old, now string) step {
	s.reply = swap(s.reply, old, now)
	return s
}

// sending changes the request in the same way.
func (s step) sending(old, now string) step {
	s.sent = swap(s.sent, old, now)
	return s
}

func swap(text, old, now string) string {
	if !strings.Contains(text, old) {
		panic(fmt.Sprintf("no %s in %s", old, text))
	}
	return strings.Replace(text, old, now, 1)
}

// gets changes the answer.
func (s step) gets(code int, reply string) step {
	s.code, s.reply = code, reply
	return s
}

// refused changes the answer to a code with a short error.
func (s step) refused(code int) step { return s.gets(code, `{"error":"refused"}`) }

// tries sets the intent of a call that a right server need not serve.
func (s step) tries(intent conformance.Intent) step {
	s.intent, s.sound = intent, false
	return s
}

// intends sets the intent of a call that a right server still has to serve.
func (s step) intends(intent conformance.Intent) step {
	s.intent = intent
	return s
}

func (s step) in(probe conformance.ProbeName) step {
	s.probe = probe
	return s
}

func (s step) of(id string) step {
	s.id = id
	return s
}

func (s step) under(base string) step {
	s.base = base
	return s
}

// saying sets the Content-Type of the answer.
func (s step) saying(media string) step {
	s.media = media
	return s
}

// telling marks a call whose answer contains a secret.
func (s step) telling() step {
	s.echoes = true
	return s
}

// firstCall is when every history begins.
var firstCall = time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)

// theAccount is the account that all calls are about.
const theAccount = "11111111-1111-4111-8111-111111111111"

// exchange returns the step as the nth call of a history.
func (s step) exchange(n int) conformance.Exchange {
	method, path := s.op.Route()
	path = strings.NewReplacer("{account}", theAccount, "{trunk}", s.id, "{hook}", s.id, "{device}", s.id).Replace(path)
	x := conformance.Exchange{
		ID: n, Operation: s.op, Probe: s.probe, Intent: s.intent, Sound: s.sound,
		Request: conformance.Request{Method: method, URL: cmp.Or(s.base, "http://127.0.0.1:8090") + path, Body: []byte(s.sent)},
		Started: firstCall.Add(time.Duration(n) * time.Second), Took: 10 * time.Millisecond,
	}
	if s.code == 0 {
		x.Err = "connection reset"
		return x
	}
	x.Response = &conformance.Response{
		Status: s.code, Proto: "HTTP/1.1", Body: []byte(s.reply), Header: http.Header{"Content-Type": {cmp.Or(s.media, "application/json")}}, Echoes: s.echoes,
	}
	return x
}

// judged returns the verdicts on a row's check, one for each operation on which there is one.
func (r row) judged() []conformance.Result {
	history := make([]conformance.Exchange, len(r.calls))
	for i, s := range r.calls {
		history[i] = s.exchange(i + 1)
	}
	id, op, _ := strings.Cut(r.check, "@")
	return slices.DeleteFunc(platformapi.Suite.Verdicts(history), func(v conformance.Result) bool {
		return v.ID != id || op != "" && string(v.Operation) != op
	})
}

// shows reports whether a finding that decides a verdict refers to a text: in its pointer, expectation or message.
func shows(v conformance.Result, at string) bool {
	return slices.ContainsFunc(v.Findings, func(f conformance.Finding) bool {
		return f.Outcome == v.Outcome && (strings.Contains(f.Pointer, at) || strings.Contains(f.Expected, at) || strings.Contains(f.Message, at))
	})
}

// jwt returns a token with these claims.
func jwt(claims string) string {
	part := base64.RawURLEncoding.EncodeToString
	return part([]byte(`{"alg":"RS256"}`)) + "." + part([]byte(claims)) + "." + part([]byte("signed"))
}

// ruleRows returns the rows of all families.
func ruleRows() []row {
	return slices.Concat(tokenRows, wireRows, accountRows, kindRows(), deviceRows, voiceRows)
}

// TestRulesTable judges each row's history and compares the verdict on its check.
func TestRulesTable(t *testing.T) {
	t.Parallel()
	for _, r := range ruleRows() {
		t.Run(r.check+" "+r.name, func(t *testing.T) {
			found := r.judged()
			require.Len(t, found, 1, "one check, on one operation")
			require.Equal(t, r.want, found[0].Outcome, "%+v", found[0].Findings)
			if r.at != "" {
				require.True(t, shows(found[0], r.at), "no finding shows %q: %+v", r.at, found[0].Findings)
			}
		})
	}
}

// TestRulesTableCoversTheCatalogue checks that every MUST, SHOULD and robustness check has a row for each of
// the three verdicts, and every observed one a row.
func TestRulesTableCoversTheCatalogue(t *testing.T) {
	t.Parallel()
	has, named := map[string]bool{}, map[string]bool{}
	for _, r := range ruleRows() {
		id, _, _ := strings.Cut(r.check, "@")
		_, known := platformapi.Suite.Lookup(id)
		require.True(t, known, "%s is no check", id)
		has[id+" "+string(r.want)] = true
		require.False(t, named[r.check+" "+r.name], "two rows are %s %s", r.check, r.name)
		named[r.check+" "+r.name] = true
	}
	for _, c := range rules.Catalogue() {
		wanted := []conformance.Outcome{passes, fails, unverified}
		if c.Level == conformance.Observed {
			wanted = []conformance.Outcome{observed}
		}
		for _, want := range wanted {
			require.True(t, has[c.ID+" "+string(want)], "%s %s: want a row", c.ID, want)
		}
	}
}

package query

import (
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// mostExpected limits the expectations of one request.
const mostExpected = 100

// Verification is the body of POST /verify.
type Verification struct {
	Expect  []Expectation `json:"expect"`
	InOrder bool          `json:"inOrder,omitzero"` // each applies to the calls after those of the previous one
	After   int           `json:"after,omitzero"`   // only calls with later ids
}

// Expectation says which calls are expected, and how many.
type Expectation struct {
	Op    *string        `json:"op,omitzero"`    // nil: any, or that of the match
	Match jsontext.Value `json:"match,omitzero"` // as in a [Question]
	Times jsontext.Value `json:"times,omitzero"` // a number, or {"atLeast":1,"atMost":3}; nil: once or more
}

// times is an expected number of calls.
type times struct{ least, most int } // most -1: any number

// Shortfall is an expectation that was not met.
type Shortfall struct {
	Expect  int        `json:"expect"` // index of the expectation
	Want    string     `json:"want"`
	Got     int        `json:"got"`
	Found   []int      `json:"found"`            // ids of the matching calls
	Nearest []NearMiss `json:"nearest"`          // near misses, if there were too few
	Earlier []int      `json:"earlier,omitzero"` // ids of matching calls that came too early
}

// Verified is the answer if all expectations are met.
type Verified struct {
	Verified bool    `json:"verified"`
	Found    [][]int `json:"found"` // ids of the calls that match each expectation
}

// verify compares the calls with the expectations.
func (l *Journal) verify(w http.ResponseWriter, r *http.Request) error {
	var q Verification
	if err := decodeQuestion(w, r, &q); err != nil {
		return err
	}
	if len(q.Expect) == 0 || len(q.Expect) > mostExpected {
		return taxi.InvalidField("/expect", "range", "has %d expectations, want 1 to %d", len(q.Expect), mostExpected)
	}
	var matches []*match
	var wanted []times
	deep := false
	for i, e := range q.Expect {
		m, often, err := l.expected(e, fmt.Sprintf("/expect/%d", i))
		if err != nil {
			return err
		}
		deep = deep || m.deep
		matches, wanted = append(matches, m), append(wanted, often)
	}
	l.Ended(r.Context())
	l.Settle(deep)
	all, err := l.measure(r.Context(), q.After, matches)
	if err != nil {
		return err
	}
	out := Verified{Verified: true}
	var failed []Shortfall
	after := q.After
	for i, m := range matches {
		ids := all.fitting(i, after)
		if q.InOrder && wanted[i].least > 0 && len(ids) > wanted[i].least {
			ids = ids[:wanted[i].least] // later calls may belong to later expectations
		}
		out.Found = append(out.Found, ids)
		if n := len(ids); n < wanted[i].least || !q.InOrder && wanted[i].most >= 0 && n > wanted[i].most || q.InOrder && wanted[i].most == 0 && n > 0 {
			short := Shortfall{Expect: i, Want: wanted[i].String(), Got: n, Found: ids}
			if n < wanted[i].least {
				short.Nearest = all.nearest(i, m, after)
			}
			for _, id := range all.fitting(i, q.After) {
				if n < wanted[i].least && id <= after {
					short.Earlier = append(short.Earlier, id)
				}
			}
			failed = append(failed, short)
			continue
		}
		if q.InOrder && len(ids) > 0 {
			after = ids[len(ids)-1]
		}
	}
	if len(failed) > 0 {
		p := taxi.NewProblem(http.StatusConflict, "not-as-expected", "%d of %d expectations are not met", len(failed), len(matches))
		return &Problem{Problem: *p, Failed: failed}
	}
	return succeed(w, out)
}

// expected decodes an expectation.
func (l *Journal) expected(e Expectation, at string) (*match, times, error) {
	m, err := l.matches().decode(e.Match, at+"/match")
	if err != nil {
		return nil, times{}, err
	}
	if e.Op != nil {
		if err := l.matches().word(m, "op", *e.Op, at+"/op"); err != nil {
			return nil, times{}, err
		}
	}
	often, err := timesOf(e.Times, at+"/times")
	return m, often, err
}

// timesOf parses the expected number: a number, or {"atLeast": 1, "atMost": 3}; absent means
// at least one.
func timesOf(raw jsontext.Value, at string) (times, error) {
	if len(raw) == 0 {
		return times{1, -1}, nil
	}
	var n int
	if json.Unmarshal(raw, &n) == nil {
		if n < 0 {
			return times{}, taxi.InvalidField(at, "range", "is %d, want 0 or more", n)
		}
		return times{n, n}, nil
	}
	var bounds struct {
		AtLeast int  `json:"atLeast"`
		AtMost  *int `json:"atMost"`
	}
	if err := json.Unmarshal(raw, &bounds, json.RejectUnknownMembers(true)); err != nil {
		return times{}, taxi.InvalidField(at, "type", `is %s, want a number, or {"atLeast": 1, "atMost": 3}`, kindOf(raw))
	}
	often := times{bounds.AtLeast, -1}
	if bounds.AtMost != nil {
		often.most = *bounds.AtMost
	}
	if often.least < 0 || often.most < -1 || often.most >= 0 && often.most < often.least {
		return times{}, taxi.InvalidField(at, "range", "is no range of numbers")
	}
	return often, nil
}

// String describes the number.
func (t times) String() string {
	switch {
	case t.most < 0:
		return fmt.Sprintf("at least %d", t.least)
	case t.most == t.least:
		return fmt.Sprintf("exactly %d", t.least)
	}
	return fmt.Sprintf("%d to %d", t.least, t.most)
}

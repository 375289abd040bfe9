package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// DecidingCall is a call that triggers a fault, with its differences from a plain call
// of the same operation.
type DecidingCall struct {
	Call      int        `json:"call"`
	Operation Operation  `json:"operation"`
	Intent    Intent     `json:"intent,omitempty"` // why a probe made it; "": an ordinary call, or not made by a probe
	Fields    []Deciding `json:"fields,omitempty"` // the ids first; empty: it is a plain call
}

// Deciding is a member of a request that differs from that of a plain call, or an id.
type Deciding struct {
	Member string `json:"member"`
	Sent   string `json:"sent,omitempty"` // as JSON, shortened; "": it was omitted
}

// String describes the request: "/start with callId "7", no caller".
func (d DecidingCall) String() string {
	if len(d.Fields) == 0 && d.Intent == IntentPlain {
		return "a plain " + d.Operation.Path()
	}
	var parts []string
	for _, f := range d.Fields {
		if f.Sent == "" {
			parts = append(parts, "no "+f.Member)
		} else {
			parts = append(parts, f.Member+" "+f.Sent)
		}
	}
	text := d.Operation.Path()
	if len(parts) > 0 {
		text += " with " + strings.Join(parts, ", ")
	}
	if d.Intent != IntentPlain {
		text += fmt.Sprintf(", on purpose (%s)", d.Intent)
	}
	return text
}

// PlainCalls holds the first ordinary call of each operation that succeeded. Other calls
// are compared with these.
type PlainCalls struct {
	ids  []string // members that hold ids given by the server
	sent map[Operation]jsonvalue.Value
}

// PlainCallsOf finds the plain calls of a report.
func PlainCallsOf(r *Report) PlainCalls {
	p := PlainCalls{ids: r.Suite.IDs, sent: map[Operation]jsonvalue.Value{}}
	for _, x := range r.Exchanges {
		if _, known := p.sent[x.Operation]; !known && x.Intent == IntentPlain && x.Succeeded() && x.Sent().IsObject() {
			p.sent[x.Operation] = x.Sent()
		}
	}
	return p
}

// IsID reports whether a member holds an id given by the server.
func (p PlainCalls) IsID(member string) bool { return slices.Contains(p.ids, member) }

// Unlike reports whether a plain call of op lacks the member or has it in another shape: another type, or a
// date with an offset in place of Z. Without a plain call of op it returns false.
func (p PlainCalls) Unlike(op Operation, member string, value any) bool {
	plain, known := p.sent[op]
	if !known {
		return false
	}
	was, has := plain.Raw().(map[string]any)[member]
	return !has || shapeOf(was) != shapeOf(value)
}

// shapeOf returns a text that is equal for values of the same shape: numbers in a text do not matter, and
// all texts with spaces or without digits have one shape, since they are for people.
func shapeOf(value any) string {
	switch v := value.(type) {
	case string:
		if strings.TrimSpace(v) == "" {
			return "empty"
		}
		if strings.Contains(v, " ") || !strings.ContainsAny(v, "0123456789") {
			return "text"
		}
		return "text " + WithoutDigits(v)
	case []any:
		return fmt.Sprintf("list of %d", len(v))
	case map[string]any:
		return fmt.Sprint("object of ", slices.Sorted(maps.Keys(v)))
	}
	return fmt.Sprintf("%T", value)
}

// decidingIn describes a call by the ids that it sends and by its differences from a plain call of the
// operation, at most five in all.
func (p PlainCalls) decidingIn(x *Exchange) DecidingCall {
	const most, widest = 5, 40
	d := DecidingCall{Call: x.ID, Operation: x.Operation}
	if x.Direction != Received { // otherwise the reply was special, not the request
		d.Intent = x.Intent
	}
	sent, ok := jsonvalue.Parse(x.Request.Body).Raw().(map[string]any)
	if !ok {
		body := strings.Join(strings.Fields(strings.ToValidUTF8(string(x.Request.Body), "�")), " ")
		d.Fields = []Deciding{{"the body", fmt.Sprintf("%q", jsonvalue.Clip(body, widest))}}
		return d
	}
	members := slices.Sorted(maps.Keys(sent))
	slices.SortStableFunc(members, func(a, b string) int { return orderOf(p.IsID(a)) - orderOf(p.IsID(b)) })
	for _, m := range members {
		if p.IsID(m) || p.Unlike(x.Operation, m, sent[m]) {
			d.Fields = append(d.Fields, Deciding{m, jsonvalue.Clip(jsonvalue.Parse(x.Request.Body).At(m).Show(), widest)})
		}
	}
	plain, _ := p.sent[x.Operation].Raw().(map[string]any)
	for _, m := range slices.Sorted(maps.Keys(plain)) {
		if _, has := sent[m]; !has {
			d.Fields = append(d.Fields, Deciding{Member: m})
		}
	}
	d.Fields = d.Fields[:min(len(d.Fields), most)]
	return d
}

func orderOf(first bool) int {
	if first {
		return 0
	}
	return 1
}

// countUnusualFields counts the fields of a call that make it unusual: all except ids that the plain call sends, too.
func (p PlainCalls) countUnusualFields(d DecidingCall) int {
	n := 0
	for _, f := range d.Fields {
		if plain, _ := p.sent[d.Operation].Raw().(map[string]any); f.Sent == "" || !p.IsID(f.Member) || plain[f.Member] == nil {
			n++
		}
	}
	return n
}

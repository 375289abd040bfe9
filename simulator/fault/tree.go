package fault

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// tree is a decoded JSON object that a fault changes. Numbers keep their digits.
type tree = map[string]any

// readTree parses a JSON object; nil: the text is not one.
func readTree(text []byte) (t tree) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&t) != nil {
		return nil
	}
	return t
}

// writeTree writes a JSON object with sorted members.
func writeTree(t tree) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	_ = e.Encode(t) // parsed values always encode
	return bytes.TrimRight(buf.Bytes(), "\n")
}

// edited returns a fault that changes a successful response. If change returns false,
// there was nothing to change, and the fault did not happen.
func edited(change func(*exchange, tree) bool) func(*exchange) {
	return func(e *exchange) {
		a := e.ask(e.body)
		t := readTree(a.body)
		if !a.ok() || t == nil || !change(e, t) {
			e.sendUnchanged(a)
			return
		}
		a.body = writeTree(t)
		e.send(a)
	}
}

// eachJourney returns a fault that changes every journey of a successful response.
func eachJourney(change func(e *exchange, journey tree) bool) func(*exchange) {
	return edited(func(e *exchange, t tree) bool {
		found := false
		for _, j := range journeysOf(e.asked.op, t) {
			found = change(e, j) || found
		}
		return found
	})
}

// journeysOf returns the journeys in a response.
func journeysOf(op Op, t tree) []tree {
	switch op {
	case Config:
		return nil
	case User:
		var all []tree
		listed, _ := t["activeBookings"].([]any)
		for _, v := range listed {
			if j, ok := v.(tree); ok {
				all = append(all, j)
			}
		}
		return all
	}
	return []tree{t}
}

func text(v any) string { s, _ := v.(string); return s }

func object(v any) tree { t, _ := v.(tree); return t }

// statusOf returns the status of a journey.
func statusOf(j tree) taxi.Status { return taxi.Status(text(j["status"])) }

// numberOf returns a JSON number; 0: it is not one.
func numberOf(v any) float64 {
	n, ok := v.(json.Number)
	if !ok {
		return 0
	}
	f, err := n.Float64()
	if err != nil {
		return 0
	}
	return f
}

// quoteNumbers turns each number into a string, and reports whether there was one.
func quoteNumbers(v any) bool {
	found := false
	put := func(old any, set func(any)) {
		if n, ok := old.(json.Number); ok {
			set(n.String())
			found = true
		} else {
			found = quoteNumbers(old) || found
		}
	}
	switch v := v.(type) {
	case tree:
		for name, old := range v {
			put(old, func(changed any) { v[name] = changed })
		}
	case []any:
		for i, old := range v {
			put(old, func(changed any) { v[i] = changed })
		}
	}
	return found
}

// at changes the member at a JSON Pointer, and reports whether it exists. If change
// returns false, the member is removed.
func at(t tree, pointer string, change func(old any) (changed any, keep bool)) bool {
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	var here any = t
	for i, step := range steps {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		last := i == len(steps)-1
		switch v := here.(type) {
		case tree:
			old, ok := v[step]
			if !ok {
				return false
			}
			if here = old; !last {
				continue
			}
			if changed, keep := change(old); keep {
				v[step] = changed
			} else {
				delete(v, step)
			}
			return true
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= len(v) {
				return false
			}
			if here = v[n]; !last {
				continue
			}
			changed, _ := change(v[n]) // a member of an array cannot be removed
			v[n] = changed
			return true
		default:
			return false
		}
	}
	return false
}

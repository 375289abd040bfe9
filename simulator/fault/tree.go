package fault

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// tree is a JSON object that is being changed. Numbers keep their digits.
type tree = map[string]any

// readTree reads a JSON object; nil: it is none.
func readTree(text []byte) (t tree) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&t) != nil {
		return nil
	}
	return t
}

// writeTree writes a JSON object, its members by name.
func writeTree(t tree) []byte {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	_ = e.Encode(t) // what was read can be written
	return bytes.TrimRight(buf.Bytes(), "\n")
}

// edited makes a fault of a change to an answer that serves its request. A change that
// finds nothing to change reports false: then nothing went wrong.
func edited(change func(*exchange, tree) bool) func(*exchange) {
	return func(e *exchange) {
		a := e.ask(e.body)
		t := readTree(a.body)
		if !a.ok() || t == nil || !change(e, t) {
			e.unbroken(a)
			return
		}
		a.body = writeTree(t)
		e.send(a)
	}
}

// eachJourney makes a fault of a change to every journey that an answer shows.
func eachJourney(change func(e *exchange, journey tree) bool) func(*exchange) {
	return edited(func(e *exchange, t tree) bool {
		found := false
		for _, j := range journeysOf(e.asked.op, t) {
			found = change(e, j) || found
		}
		return found
	})
}

// journeysOf finds the journeys in an answer.
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

// status is that of a journey.
func statusOf(j tree) taxi.Status { return taxi.Status(text(j["status"])) }

// number reads a JSON number; 0: it is none.
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

// quoteNumbers makes each number a string, and reports whether there was one.
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

// at changes the member at a JSON Pointer, and reports whether there is one. A change
// that reports false takes the member away.
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
			changed, _ := change(v[n]) // a member of an array cannot be taken away
			v[n] = changed
			return true
		default:
			return false
		}
	}
	return false
}

package control

import (
	"net/http"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// allRoutes joins the tables of the files.
func allRoutes() []route {
	return slices.Concat(
		overviewRoutes, clockRoutes, resetRoutes, sandboxRoutes, eventRoutes, snapshotRoutes, journalRoutes,
		journeyRoutes, vehicleRoutes, supplyRoutes, userRoutes, systemRoutes, scenarioRoutes, openAPIRoutes,
		faultRoutes, magicRoutes, townRoutes,
	)
}

// handler answers a call: what it returns is written as JSON, nil as 204.
type handler func(*call) (any, error)

// route is a call: its method, its path below [Prefix] and who answers it.
type route struct {
	method, pattern string
	handle          handler
	isFree          bool // it does not hold the host, and finds none
	isMain          bool // only the main world has it
}

func get(pattern string, h handler) route {
	return route{method: http.MethodGet, pattern: pattern, handle: h}
}

func post(pattern string, h handler) route {
	return route{method: http.MethodPost, pattern: pattern, handle: h}
}

func put(pattern string, h handler) route {
	return route{method: http.MethodPut, pattern: pattern, handle: h}
}

func del(pattern string, h handler) route {
	return route{method: http.MethodDelete, pattern: pattern, handle: h}
}

func patch(pattern string, h handler) route {
	return route{method: http.MethodPatch, pattern: pattern, handle: h}
}

// free marks a call that does not hold the host.
func (r route) free() route {
	r.isFree = true
	return r
}

// mainOnly marks a call that sandboxes do not have.
func (r route) mainOnly() route {
	r.isMain = true
	return r
}

// match compares a path with the pattern, and returns what stands for {names}.
func (r *route) match(segments []string) (values map[string]string, ok bool) {
	want := strings.FieldsFunc(r.pattern, func(c rune) bool { return c == '/' })
	if n := len(want); n > 0 && want[n-1] == "*" {
		want = want[:n-1]
		segments = segments[:min(len(segments), len(want))]
	}
	if len(want) != len(segments) {
		return nil, false
	}
	for i, w := range want {
		switch {
		case w[0] == '{':
			if values == nil {
				values = make(map[string]string)
			}
			values[strings.Trim(w, "{}")] = segments[i]
		case w != segments[i]:
			return nil, false
		}
	}
	return values, true
}

// find returns the call of a path. Where the path is known and the method is not, the
// answer says which are.
func (s *Server) find(w http.ResponseWriter, method string, segments []string, main bool) (*route, map[string]string, error) {
	var allowed []string
	for i := range s.routes {
		r := &s.routes[i]
		values, ok := r.match(segments)
		if !ok || r.isMain && !main {
			continue
		}
		if r.method == method || r.method == "" {
			return r, values, nil
		}
		allowed = append(allowed, r.method)
	}
	if len(allowed) == 0 {
		return nil, nil, errNoCall
	}
	slices.Sort(allowed)
	w.Header().Set("Allow", strings.Join(slices.Compact(allowed), ", "))
	return nil, nil, refuse(http.StatusMethodNotAllowed, taxi.CodeMethodNotAllowed, "want %s", strings.Join(allowed, " or "))
}

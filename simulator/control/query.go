package control

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// object is a JSON object.
type object = map[string]any

// parameter is a query parameter, or a segment of a path.
type parameter struct {
	name, means, example string
	schema               object // nil: any text
	in                   string // "": the query
}

// Common parameters of lists.
var (
	pageLimit = parameter{name: "limit", means: "maximum number", schema: object{"type": "integer", "minimum": 1, "maximum": pageMost, "default": pageUsual}}
	pageAfter = parameter{name: "after", means: "the `next` of the previous page"}
)

// query holds the parameters of a request.
type query struct{ values url.Values }

// query reads the parameters of a request, and refuses those that the route does not
// declare.
func (c *call) query() (query, error) {
	var known []string
	for _, p := range c.route.params {
		if p.in == "" {
			known = append(known, p.name)
		}
	}
	values, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		return query{}, taxi.NewProblem(http.StatusBadRequest, taxi.CodeValidationFailed, "the parameters cannot be read: %v", err)
	}
	for name := range values {
		if !slices.Contains(known, name) {
			return query{}, refuseParameter(name, "is not known here; want some of %s", strings.Join(known, ", "))
		}
	}
	return query{values}, nil
}

func (q query) get(name string) string { return q.values.Get(name) }

// list returns the values of a parameter that may be repeated or contain commas.
func (q query) list(name string) []string {
	var all []string
	for _, value := range q.values[name] {
		for one := range strings.SplitSeq(value, ",") {
			if one != "" {
				all = append(all, one)
			}
		}
	}
	return all
}

// limit returns the requested number of records on a page, or the usual one.
func (q query) limit() (int, error) {
	text := q.get("limit")
	if text == "" {
		return pageUsual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > pageMost {
		return 0, refuseParameter("limit", "is %q, want 1 to %d", text, pageMost)
	}
	return n, nil
}

// refuseParameter returns the problem of an invalid parameter.
func refuseParameter(name, format string, args ...any) *taxi.Problem {
	detail := fmt.Sprintf(format, args...)
	p := taxi.NewProblem(http.StatusUnprocessableEntity, taxi.CodeValidationFailed, "the parameter %s %s", name, detail)
	return p
}

// Limits of lists.
const (
	pageUsual   = 50
	pageMost    = 500
	mostScanned = 10_000 // records that one call reads
)

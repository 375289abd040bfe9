package control

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// journalCalls are the routes that lead to the journal, which has its own handler.
func journalCalls() (all calls) {
	for _, path := range []string{"/requests", "/verify", "/report", "/rules"} {
		all = append(all, declared("", "", path, "", askJournal).free(), declared("", "", path+"/{below...}", "", askJournal).free())
	}
	return all
}

// askJournal passes a request to the journal, whose handler expects the path
// "/requests/…".
func askJournal(c *call) (written, error) {
	if c.box.journal == nil {
		return written{}, taxi.NewProblem(http.StatusNotFound, taxi.CodeNotFound, "this server keeps no journal")
	}
	inner := c.r.WithContext(c)
	inner.URL = &url.URL{Path: strings.TrimPrefix(c.r.URL.Path, Prefix), RawQuery: c.r.URL.RawQuery}
	c.box.journal.API().ServeHTTP(c.w, inner)
	return written{}, nil
}

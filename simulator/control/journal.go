package control

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// journalCalls lead to the journal, which has its own calls.
func journalCalls() (all calls) {
	for _, path := range []string{"/requests", "/verify", "/report", "/rules"} {
		all = append(all, declared("", "", path, "", askJournal).free(), declared("", "", path+"/{below...}", "", askJournal).free())
	}
	return all
}

// askJournal passes a call to the journal, whose handler sees "/requests/…".
func askJournal(c *call) (written, error) {
	if c.box.journal == nil {
		return written{}, taxi.NewProblem(http.StatusNotFound, taxi.CodeNotFound, "this server keeps no journal")
	}
	inner := c.r.WithContext(c)
	inner.URL = &url.URL{Path: strings.TrimPrefix(c.r.URL.Path, Prefix), RawQuery: c.r.URL.RawQuery}
	c.box.journal.API().ServeHTTP(c.w, inner)
	return written{}, nil
}

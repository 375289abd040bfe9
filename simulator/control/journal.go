package control

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// journalRoutes lead to the journal, which has its own calls.
var journalRoutes = []route{
	{pattern: "/requests/*", handle: askJournal, isFree: true},
	{pattern: "/verify/*", handle: askJournal, isFree: true},
	{pattern: "/report/*", handle: askJournal, isFree: true},
	{pattern: "/rules/*", handle: askJournal, isFree: true},
}

// askJournal passes a call to the journal, whose handler sees "/requests/…".
func askJournal(c *call) (any, error) {
	if c.box.journal == nil {
		return nil, refuse(http.StatusNotFound, taxi.CodeNotFound, "this server keeps no journal")
	}
	c.answered = true
	inner := c.r.WithContext(c)
	inner.URL = &url.URL{Path: "/" + strings.Join(c.segments, "/"), RawQuery: c.r.URL.RawQuery}
	c.box.journal.API().ServeHTTP(c.w, inner)
	return nil, nil
}

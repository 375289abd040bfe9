package query

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/conformance/report/har"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// report is GET /report: a summary of every rule, or with as= the stored calls judged by a
// suite as JUnit, HTML or Markdown, or all calls as HAR. Numbers in all formats but JSON are
// pseudonyms.
func (l *Journal) report(w http.ResponseWriter, r *http.Request) error {
	as, masked, err := exportOf(r.URL.Query(), true, "json", "junit", "html", "markdown", "har")
	if err != nil {
		return err
	}
	suite, err := l.suite(r.URL.Query().Get("suite"))
	if err != nil {
		return err
	}
	seen, err := onlySeen(r.URL.Query(), as)
	if err != nil {
		return err
	}
	l.Ended(r.Context())
	l.Settle(true)
	if as == "json" {
		return succeed(w, l.Summary())
	}
	all, _ := l.After(0)
	var b bytes.Buffer
	kind := "application/xml"
	switch as {
	case "har":
		kind, err = "application/json", har.WriteCalls(&b, l.shown(all, masked), l.opts.Version, masked)
	case "junit":
		err = report.WriteJUnit(&b, l.runFile(suite, seen))
	case "markdown":
		kind, err = "text/markdown; charset=utf-8", report.WriteMarkdown(&b, l.runFile(suite, seen))
	case "html":
		kind, err = "text/html; charset=utf-8", report.WriteHTML(&b, l.runFile(suite, seen))
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'")
	}
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(b.Bytes()) // the client may be gone
	return nil
}

// runFile judges the stored calls together by a suite. With onlySeen, it omits checks for which
// the calls are no evidence.
func (l *Journal) runFile(suite *conformance.Suite, onlySeen bool) *conformance.RunFile {
	judged := l.Report(suite, conformance.Beginning)
	if onlySeen {
		judged.Checks = slices.DeleteFunc(judged.Checks, func(r conformance.Result) bool { return r.Outcome == conformance.NotVerified })
	}
	return conformance.NewRunFile(judged, l.opts.Version)
}

// onlySeen parses the parameter that omits unseen checks, for formats that list checks.
func onlySeen(q url.Values, as string) (bool, error) {
	const name = "onlySeen"
	if !q.Has(name) {
		return false, nil
	}
	if as == "json" || as == "har" {
		return false, taxi.InvalidField(name, "unknown", "goes with as=html, junit or markdown")
	}
	return yes(name, q.Get(name))
}

// suite returns one of the two suites by name; "": that for requests.
func (l *Journal) suite(name string) (*conformance.Suite, error) {
	for _, s := range []*conformance.Suite{l.opts.Request, l.opts.Answer} {
		if name == "" || s.Name == name {
			return s, nil
		}
	}
	return nil, taxi.InvalidField("suite", "range", "is %q, want %s or %s", clipped(name), l.opts.Request.Name, l.opts.Answer.Name)
}

package query

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/journal/live"
	"github.com/cabrank/cabrank/conformance/redact"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/conformance/report/har"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// show is GET /requests/{id}: JSON, or with as= the call as a curl command, HAR or HTTP
// text. masked=true replaces numbers with pseudonyms.
func (l *Journal) show(w http.ResponseWriter, r *http.Request) error {
	k, err := l.one(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	as, masked, err := exportOf(r.URL.Query(), false, "json", "curl", "har", "http")
	if err != nil {
		return err
	}
	if as == "json" && !masked {
		return succeed(w, l.Copy(k).Document(false))
	}
	x := l.shown([]*live.Call{k}, masked)[0]
	var b bytes.Buffer
	kind := "text/plain; charset=utf-8"
	switch as {
	case "json":
		own := l.Copy(k)
		own.X.Request, own.X.Response, own.Phone = x.Request, x.Response, redact.NewPseudonyms(l.opts.Request, nil).Redactor([]*conformance.Exchange{&k.X}).Text(own.Phone)
		return succeed(w, own.Document(false))
	case "curl":
		err = report.WriteCurl(&b, x)
	case "har":
		kind, err = "application/json", har.WriteCalls(&b, []*conformance.Exchange{x}, l.opts.Version, masked)
	case "http":
		writeHTTP(&b, x)
	}
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(b.Bytes()) // the client may be gone
	return nil
}

// exportOf parses the parameters as and masked.
func exportOf(q url.Values, masked bool, forms ...string) (as string, hide bool, err error) {
	as, hide = forms[0], masked
	for name := range q {
		v := q.Get(name)
		switch name {
		case "as":
			if as = v; !slices.Contains(forms, v) {
				return "", false, taxi.InvalidField(name, "range", "is %q, want %s", clipped(v), strings.Join(forms, ", "))
			}
		case "masked":
			if hide, err = yes(name, v); err != nil {
				return "", false, err
			}
		case "suite", "onlySeen": // read elsewhere
		default:
			return "", false, taxi.InvalidField(clipped(name), "unknown", "is not known; there are as and masked")
		}
	}
	return as, hide, nil
}

// shown returns copies of calls without credentials and, if masked, without
// numbers.
func (l *Journal) shown(all []*live.Call, masked bool) []*conformance.Exchange {
	var out []*conformance.Exchange
	for _, k := range all {
		x := k.Plain()
		x.Request.URL, x.Request.Header = redact.Address(x.Request.URL), live.WithoutSecrets(x.Request.Header)
		if x.Response != nil {
			own := *x.Response
			own.Header = live.WithoutSecrets(own.Header)
			x.Response = &own
		}
		x.Read()
		out = append(out, &x)
	}
	if masked {
		hide := redact.NewPseudonyms(l.opts.Request, nil).Redactor(out)
		for i, x := range out {
			out[i] = hide.Exchange(x)
		}
	}
	return out
}

// writeHTTP writes a call as HTTP text, as far as it is stored.
func writeHTTP(w io.Writer, x *conformance.Exchange) {
	u, err := url.Parse(x.Request.URL)
	if err != nil {
		u = &url.URL{Path: x.Request.URL}
	}
	fmt.Fprintf(w, "%s %s HTTP/1.1\r\nHost: %s\r\n", x.Request.Method, u.RequestURI(), u.Host)
	writeHeaderAndBody(w, x.Request.Header, x.Request.Body, x.Request.Cut)
	if x.Response == nil {
		fmt.Fprintf(w, "\r\n\r\n# no answer: %s\r\n", x.Err)
		return
	}
	fmt.Fprintf(w, "\r\n\r\n%s %d %s\r\n", "HTTP/1.1", x.Response.Status, http.StatusText(x.Response.Status))
	writeHeaderAndBody(w, x.Response.Header, x.Response.Body, x.Response.Cut)
	if x.Err != "" {
		fmt.Fprintf(w, "\r\n# %s\r\n", x.Err)
	}
}

func writeHeaderAndBody(w io.Writer, header http.Header, body conformance.Body, cut int) {
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, v := range header[name] {
			fmt.Fprintf(w, "%s: %s\r\n", name, v)
		}
	}
	fmt.Fprintf(w, "\r\n%s", body)
	if cut > 0 {
		fmt.Fprintf(w, "\r\n# %d more bytes are not kept", cut)
	}
}

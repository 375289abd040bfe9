package live

import (
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// NewProxy returns a journal in front of another server: it forwards every request to target and
// changes nothing in the answers. Paths are appended to that of the target, whose address
// the recorded calls have. If the server cannot be reached, the caller gets 502 with a
// problem document (RFC 9457) that names the cause. transport makes the calls; nil: [Transport].
func NewProxy(target *url.URL, transport http.RoundTripper, opts Options) *Journal {
	if transport == nil {
		transport = Transport()
	}
	l := New(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = target.Host
			r.Out.URL.RawQuery = joinQuery(target.RawQuery, r.In.URL.RawQuery) // unchanged, even "a=1;b=2"
			for _, name := range untouched {
				r.Out.Header[name] = r.In.Header[name] // an absent header stays absent
			}
		},
		Transport: transport,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			if own, is := w.(*liveWriter); is {
				own.unanswered = err
			}
			unreached(w, target, err)
		},
	}, opts)
	l.target = target.Scheme + "://" + target.Host + strings.TrimSuffix(target.EscapedPath(), "/")
	return l
}

// joinQuery puts the parameters of a target before those of a request.
func joinQuery(target, asked string) string {
	if target == "" || asked == "" {
		return target + asked
	}
	return target + "&" + asked
}

// Transport returns a transport with the defaults of net/http, but without compression of
// its own and without proxies.
func Transport() *http.Transport {
	own := outbound.Transport(outbound.Options{MostHeaders: 2 * conformance.MostHeaderBytes})
	own.DisableCompression = true
	return own
}

// unreached tells a caller why the server behind the proxy gave no answer.
func unreached(w http.ResponseWriter, target *url.URL, cause error) {
	p := taxi.NewProblem(http.StatusBadGateway, "", "the proxy got no answer from %s://%s: %v; check that a server runs there, "+
		"and that the proxy is given the right target and, for https, the certificates that it needs", target.Scheme, target.Host, cause)
	p.Retryable = true
	p.Send(w)
}

// untouched are headers that a proxy would otherwise add or drop.
var untouched = []string{"User-Agent", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"}

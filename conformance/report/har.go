package report

import (
	"encoding/base64"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cabrank/cabrank/conformance"
)

// The parts of HAR 1.2 that are written and read.
type (
	harFile struct {
		Log harLog `json:"log"`
	}
	harLog struct {
		Version string     `json:"version"`
		Creator harName    `json:"creator"`
		Entries []harEntry `json:"entries"`
		Comment string     `json:"comment,omitempty"`
	}
	harName struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	harEntry struct {
		Started  time.Time   `json:"startedDateTime"`
		Time     float64     `json:"time"` // ms
		Request  harRequest  `json:"request"`
		Response harResponse `json:"response"`
		Cache    struct{}    `json:"cache"`
		Timings  harTimings  `json:"timings"`
		Comment  string      `json:"comment,omitempty"`
		Own      *harOwn     `json:"_cabrank,omitempty"`
	}
	// harOwn is what the suite knows of a call and HAR has no place for. It lets a
	// run be judged again from its HAR file.
	harOwn struct {
		Direction conformance.Direction   `json:"direction,omitempty"`
		Probe     conformance.ProbeName   `json:"probe,omitempty"`
		Intent    conformance.Intent      `json:"intent,omitempty"`
		Sound     bool                    `json:"sound,omitempty"`
		Shown     conformance.Credentials `json:"credentials,omitempty"`
		Resent    bool                    `json:"resent,omitempty"`
		Closed    bool                    `json:"closed,omitempty"`
		Echoes    bool                    `json:"echoes,omitempty"`
		TLS       *conformance.Security   `json:"tls,omitempty"`
	}
	harRequest struct {
		Method      string    `json:"method"`
		URL         string    `json:"url"`
		HTTPVersion string    `json:"httpVersion"`
		Cookies     []harPair `json:"cookies"`
		Headers     []harPair `json:"headers"`
		QueryString []harPair `json:"queryString"`
		PostData    *harPost  `json:"postData,omitempty"`
		HeadersSize int       `json:"headersSize"`
		BodySize    int       `json:"bodySize"`
	}
	harResponse struct {
		Status      int        `json:"status"`
		StatusText  string     `json:"statusText"`
		HTTPVersion string     `json:"httpVersion"`
		Cookies     []harPair  `json:"cookies"`
		Headers     []harPair  `json:"headers"`
		Content     harContent `json:"content"`
		RedirectURL string     `json:"redirectURL"`
		HeadersSize int        `json:"headersSize"`
		BodySize    int        `json:"bodySize"`
		Error       string     `json:"_error,omitempty"`
	}
	harPair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	harPost struct {
		MimeType string    `json:"mimeType"`
		Params   []harPair `json:"params"`
		Text     string    `json:"text"`
		Exact    []byte    `json:"_base64,omitempty"` // a body that is no text: HAR has base64 for answers only
	}
	harContent struct {
		Size     int    `json:"size"`
		MimeType string `json:"mimeType"`
		Text     string `json:"text,omitempty"`
		Encoding string `json:"encoding,omitempty"`
	}
	harTimings struct {
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
	}
)

// WriteHAR writes every call of the run as HAR 1.2; the comment of an entry
// names the probe and the checks for which the call is evidence.
func WriteHAR(w io.Writer, f *conformance.RunFile) error {
	log := harLog{
		Version: "1.2", Creator: harName{f.Judge.Name, f.Judge.Version}, Entries: []harEntry{},
		Comment: "telephone numbers and credentials are pseudonyms",
	}
	verdicts := f.VerdictsByCall()
	return conformance.WriteLongJSON(w, harFile{log}, "entries", 2, len(f.Calls), func(i int) any {
		return harOf(f.Calls[i], verdicts[f.Calls[i].ID])
	})
}

// WriteCallsHAR writes calls as HAR 1.2 that belong to no run. version is that of the
// program; masked says that numbers in them are pseudonyms.
func WriteCallsHAR(w io.Writer, calls []*conformance.Exchange, version string, masked bool) error {
	log := harLog{Version: "1.2", Creator: harName{"cabrank", version}, Entries: []harEntry{}, Comment: "as sent, without credentials"}
	if masked {
		log.Comment = "telephone numbers and credentials are pseudonyms"
	}
	return conformance.WriteLongJSON(w, harFile{log}, "entries", 2, len(calls), func(i int) any { return harOf(calls[i], nil) })
}

func harOf(x *conformance.Exchange, verdicts []conformance.Result) harEntry {
	ms := float64(x.Took) / float64(time.Millisecond)
	e := harEntry{
		Started: x.Started.UTC(), Time: ms, Timings: harTimings{Wait: ms}, Own: ownOf(x), Request: harRequestOf(&x.Request),
		Response: harResponse{HTTPVersion: "HTTP/1.1", Cookies: []harPair{}, Headers: []harPair{}, HeadersSize: -1, BodySize: -1, Error: x.Err},
	}
	if r := x.Response; r != nil {
		e.Response.Status, e.Response.StatusText = r.Status, http.StatusText(r.Status)
		e.Response.HTTPVersion, e.Response.Headers = r.Proto, harPairs(r.Header)
		e.Response.RedirectURL, e.Response.BodySize = r.Header.Get("Location"), len(r.Body)+r.Cut
		e.Response.Content = harContent{Size: len(r.Body) + r.Cut, MimeType: r.Header.Get("Content-Type"), Text: string(r.Body)}
		if !utf8.Valid(r.Body) {
			e.Response.Content.Text, e.Response.Content.Encoding = base64.StdEncoding.EncodeToString(r.Body), "base64"
		}
	}
	words := []string{string(x.Probe)}
	for _, v := range verdicts {
		words = append(words, v.ID+" "+string(v.Outcome))
	}
	e.Comment = strings.Trim(strings.Join(words, "; "), "; ")
	return e
}

func harRequestOf(r *conformance.Request) harRequest {
	sent := harRequest{
		Method: r.Method, URL: r.URL, HTTPVersion: "HTTP/1.1", Cookies: []harPair{},
		Headers: harPairs(r.Header), QueryString: []harPair{}, HeadersSize: -1, BodySize: len(r.Body) + r.Cut,
		PostData: &harPost{MimeType: r.Header.Get("Content-Type"), Params: []harPair{}, Text: string(r.Body)},
	}
	if !utf8.Valid(r.Body) {
		sent.PostData.Text, sent.PostData.Exact = strings.ToValidUTF8(string(r.Body), "\uFFFD"), r.Body
	}
	if u, err := url.Parse(r.URL); err == nil {
		sent.QueryString = harPairs(http.Header(u.Query()))
	}
	return sent
}

// ownOf returns what HAR has no place for; nil: nothing, the call is somebody
// else's.
func ownOf(x *conformance.Exchange) *harOwn {
	if x.Probe == "" && x.Intent == conformance.IntentPlain && x.Direction == conformance.Made {
		return nil
	}
	own := &harOwn{Direction: x.Direction, Probe: x.Probe, Intent: x.Intent, Sound: x.Sound, Shown: x.Shown, Resent: x.Resent}
	if r := x.Response; r != nil {
		own.Closed, own.Echoes, own.TLS = r.Closed, r.Echoes, r.TLS
	}
	return own
}

func harPairs(h http.Header) []harPair {
	pairs := []harPair{}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, v := range h[name] {
			pairs = append(pairs, harPair{name, v})
		}
	}
	return pairs
}

package har

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
	file struct {
		Log log `json:"log"`
	}
	log struct {
		Version string  `json:"version"`
		Creator program `json:"creator"`
		Entries []entry `json:"entries"`
		Comment string  `json:"comment,omitempty"`
	}
	program struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	entry struct {
		Started  moment   `json:"startedDateTime"`
		Time     float64  `json:"time"` // ms
		Request  request  `json:"request"`
		Response response `json:"response"`
		Cache    struct{} `json:"cache"`
		Timings  timings  `json:"timings"`
		Comment  string   `json:"comment,omitempty"`
		Own      *extra   `json:"_cabrank,omitempty"`
	}
	// extra is the suite's data about a call that HAR has no field for. With it, a run can be
	// judged again from its HAR file.
	extra struct {
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
	request struct {
		Method      string      `json:"method"`
		URL         string      `json:"url"`
		HTTPVersion string      `json:"httpVersion"`
		Cookies     []pair      `json:"cookies"`
		Headers     []pair      `json:"headers"`
		QueryString []pair      `json:"queryString"`
		PostData    *posted     `json:"postData,omitempty"`
		HeadersSize wholeNumber `json:"headersSize"`
		BodySize    wholeNumber `json:"bodySize"`
	}
	response struct {
		Status      wholeNumber `json:"status"`
		StatusText  string      `json:"statusText"`
		HTTPVersion string      `json:"httpVersion"`
		Cookies     []pair      `json:"cookies"`
		Headers     []pair      `json:"headers"`
		Content     content     `json:"content"`
		RedirectURL string      `json:"redirectURL"`
		HeadersSize wholeNumber `json:"headersSize"`
		BodySize    wholeNumber `json:"bodySize"`
		Error       string      `json:"_error,omitempty"`
	}
	pair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	posted struct {
		MimeType string `json:"mimeType"`
		Params   []pair `json:"params"`
		Text     string `json:"text"`
		Exact    []byte `json:"_base64,omitempty"` // a body that is not text: HAR has base64 only for answers
	}
	content struct {
		Size     wholeNumber `json:"size"`
		MimeType string      `json:"mimeType"`
		Text     string      `json:"text,omitempty"`
		Encoding string      `json:"encoding,omitempty"`
	}
	timings struct {
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
	}
)

// Write writes every call of the run as HAR 1.2; the comment of an entry
// names the probe and the checks for which the call is evidence.
func Write(w io.Writer, f *conformance.RunFile) error {
	head := log{
		Version: "1.2", Creator: program{f.Judge.Name, f.Judge.Version}, Entries: []entry{},
		Comment: "telephone numbers and credentials are pseudonyms",
	}
	verdicts := f.VerdictsByCall()
	return conformance.WriteLongJSON(w, file{head}, "entries", 2, len(f.Calls), func(i int) any {
		return entryOf(f.Calls[i], verdicts[f.Calls[i].ID])
	})
}

// WriteCalls writes calls that belong to no run as HAR 1.2. version is the program's
// version; masked says that numbers in them are pseudonyms.
func WriteCalls(w io.Writer, calls []*conformance.Exchange, version string, masked bool) error {
	head := log{Version: "1.2", Creator: program{"cabrank", version}, Entries: []entry{}, Comment: "as sent, without credentials"}
	if masked {
		head.Comment = "telephone numbers and credentials are pseudonyms"
	}
	return conformance.WriteLongJSON(w, file{head}, "entries", 2, len(calls), func(i int) any { return entryOf(calls[i], nil) })
}

func entryOf(x *conformance.Exchange, verdicts []conformance.Result) entry {
	ms := float64(x.Took) / float64(time.Millisecond)
	e := entry{
		Started: moment{x.Started.UTC()}, Time: ms, Timings: timings{Wait: ms}, Own: ownOf(x), Request: requestOf(&x.Request),
		Response: response{HTTPVersion: "HTTP/1.1", Cookies: []pair{}, Headers: []pair{}, HeadersSize: -1, BodySize: -1, Error: x.Err},
	}
	if r := x.Response; r != nil {
		e.Response.Status, e.Response.StatusText = wholeNumber(r.Status), http.StatusText(r.Status)
		e.Response.HTTPVersion, e.Response.Headers = r.Proto, pairs(r.Header)
		e.Response.RedirectURL, e.Response.BodySize = r.Header.Get("Location"), wholeNumber(len(r.Body)+r.Cut)
		e.Response.Content = content{Size: wholeNumber(len(r.Body) + r.Cut), MimeType: r.Header.Get("Content-Type"), Text: string(r.Body)}
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

func requestOf(r *conformance.Request) request {
	sent := request{
		Method: r.Method, URL: r.URL, HTTPVersion: "HTTP/1.1", Cookies: []pair{},
		Headers: pairs(r.Header), QueryString: []pair{}, HeadersSize: -1, BodySize: wholeNumber(len(r.Body) + r.Cut),
		PostData: &posted{MimeType: r.Header.Get("Content-Type"), Params: []pair{}, Text: string(r.Body)},
	}
	if !utf8.Valid(r.Body) {
		sent.PostData.Text, sent.PostData.Exact = strings.ToValidUTF8(string(r.Body), "\uFFFD"), r.Body
	}
	if u, err := url.Parse(r.URL); err == nil {
		sent.QueryString = pairs(http.Header(u.Query()))
	}
	return sent
}

// ownOf returns the data that HAR has no field for; nil for calls of other
// clients.
func ownOf(x *conformance.Exchange) *extra {
	if x.Probe == "" && x.Intent == conformance.IntentPlain && x.Direction == conformance.Made {
		return nil
	}
	own := &extra{Direction: x.Direction, Probe: x.Probe, Intent: x.Intent, Sound: x.Sound, Shown: x.Shown, Resent: x.Resent}
	if r := x.Response; r != nil {
		own.Closed, own.Echoes, own.TLS = r.Closed, r.Echoes, r.TLS
	}
	return own
}

func pairs(h http.Header) []pair {
	all := []pair{}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, v := range h[name] {
			all = append(all, pair{name, v})
		}
	}
	return all
}

package conformance

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
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
// names the story and the checks for which the call is evidence.
func (f *RunFile) WriteHAR(w io.Writer) error {
	log := harLog{
		Version: "1.2", Creator: harName{f.Suite.Name, f.Suite.Version}, Entries: []harEntry{},
		Comment: "telephone numbers and credentials are pseudonyms",
	}
	verdicts := f.verdictsByCall()
	for _, x := range f.Calls {
		log.Entries = append(log.Entries, harOf(x, verdicts[x.ID]))
	}
	return writeJSON(w, harFile{log})
}

// verdictsByCall finds the verdicts for which a call is evidence.
func (f *RunFile) verdictsByCall() map[int][]Result {
	found := map[int][]Result{}
	for _, r := range f.Checks {
		ids := slices.Clone(r.ShownBy)
		for _, finding := range r.Findings {
			ids = append(ids, finding.Exchanges...)
		}
		slices.Sort(ids)
		for _, id := range slices.Compact(ids) {
			found[id] = append(found[id], r)
		}
	}
	return found
}

func harOf(x *Exchange, verdicts []Result) harEntry {
	ms := float64(x.Took.Microseconds()) / 1000
	e := harEntry{
		Started: x.Started.UTC(), Time: ms, Timings: harTimings{Wait: ms},
		Request: harRequest{
			Method: x.Request.Method, URL: x.Request.URL, HTTPVersion: "HTTP/1.1", Cookies: []harPair{},
			Headers: harPairs(x.Request.Header), QueryString: []harPair{}, HeadersSize: -1, BodySize: len(x.Request.Body) + x.Request.Cut,
			PostData: &harPost{MimeType: x.Request.Header.Get("Content-Type"), Params: []harPair{}, Text: string(x.Request.Body)},
		},
		Response: harResponse{HTTPVersion: "HTTP/1.1", Cookies: []harPair{}, Headers: []harPair{}, HeadersSize: -1, BodySize: -1, Error: x.Err},
	}
	if u, err := url.Parse(x.Request.URL); err == nil {
		e.Request.QueryString = harPairs(http.Header(u.Query()))
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
	words := []string{x.Probe}
	for _, v := range verdicts {
		words = append(words, v.ID+" "+string(v.Outcome))
	}
	e.Comment = strings.Trim(strings.Join(words, "; "), "; ")
	return e
}

func harPairs(h http.Header) []harPair {
	pairs := []harPair{}
	for _, name := range sortedKeys(h) {
		for _, v := range h[name] {
			pairs = append(pairs, harPair{name, v})
		}
	}
	return pairs
}

// ReadHAR reads the calls of the five operations out of a HAR file, in the order
// in which they ended, and the base address that most of them were made to.
// Other requests are left out; no call of the interface at all is an error. What
// was not recorded whole is not judged, nor what it may have changed.
func ReadHAR(in io.Reader) (history []Exchange, base string, err error) {
	var file harFile
	if err := json.NewDecoder(in).Decode(&file); err != nil {
		return nil, "", fmt.Errorf("HAR: %w", err)
	}
	bases := map[string]int{}
	for _, e := range file.Log.Entries {
		if x, from, ok := e.exchange(); ok {
			history = append(history, x)
			if bases[from]++; bases[from] > bases[base] {
				base = from
			}
		}
	}
	if len(history) == 0 {
		return nil, "", fmt.Errorf("HAR: none of its %d requests is a call of /config, /user, /book, /cancel or /status", len(file.Log.Entries))
	}
	slices.SortStableFunc(history, func(a, b Exchange) int { return a.ended().Compare(b.ended()) })
	for i := range history {
		history[i].ID = i + 1
	}
	return history, base, nil
}

// cut reports a call of which only the beginning was recorded.
func (e harEntry) cut() bool {
	told, sent := e.Response.Content, e.Request.PostData
	return told.Encoding == "" && len(told.Text) > 0 && min(told.Size, e.Response.BodySize) > len(told.Text) ||
		sent != nil && len(sent.Text) > 0 && e.Request.BodySize > len(sent.Text)
}

// exchange turns an entry into a recorded call, if it is one of the interface.
func (e harEntry) exchange() (x Exchange, base string, ok bool) {
	u, err := url.Parse(e.Request.URL)
	if err != nil {
		return x, "", false
	}
	op, base, ok := OperationOf(u)
	if !ok {
		return x, "", false
	}
	x = Exchange{
		Operation: op, Started: e.Started, Took: time.Duration(e.Time * float64(time.Millisecond)),
		Request: Request{Method: e.Request.Method, URL: e.Request.URL, Header: harHeader(e.Request.Headers)},
	}
	if e.Request.PostData != nil {
		x.Request.Body = Body(e.Request.PostData.Text)
	}
	if e.cut() {
		x.Intent = intentPartly
	}
	if e.Response.Status == 0 {
		x.Err = "no answer was recorded"
		if e.Response.Error != "" {
			x.Err = e.Response.Error
		}
		return x, base, true
	}
	body := []byte(e.Response.Content.Text)
	if e.Response.Content.Encoding == "base64" {
		if plain, err := base64.StdEncoding.DecodeString(string(body)); err == nil {
			body = plain
		}
	}
	x.Response = &Response{Status: e.Response.Status, Proto: e.Response.HTTPVersion, Header: harHeader(e.Response.Headers), Body: body}
	x.Response.Header.Del("Content-Encoding") // a HAR file holds bodies decoded
	return x, base, true
}

func harHeader(pairs []harPair) http.Header {
	h := http.Header{}
	for _, p := range pairs {
		if !strings.HasPrefix(p.Name, ":") { // HTTP/2's own
			h.Add(p.Name, p.Value)
		}
	}
	return h
}

// OperationOf tells which operation an address is of, and the base address
// before its path.
func OperationOf(u *url.URL) (op Operation, base string, ok bool) {
	path := strings.TrimRight(u.Path, "/")
	for _, op := range Operations() {
		if before, is := strings.CutSuffix(path, op.Path()); is {
			bare := url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimRight(before, "/")}
			return op, bare.String(), true
		}
	}
	return "", "", false
}

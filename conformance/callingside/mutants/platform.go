package mutants

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// A Platform is a small calling platform for tests. Its drive address is the root of its handler;
// PUT /third-party sets the third party that it calls.
type Platform struct {
	Setting

	switches map[Switch]bool // the faults and peculiarities that are on

	mu         sync.Mutex
	thirdParty ThirdParty
	client     *http.Client
	kept       map[string]any    // data that a faulty platform remembers from other calls
	pressed    map[string]int    // Coming Now, by journey
	names      map[string]string // userId by number, for a platform that mixes them up
}

// ThirdParty is the server that a platform calls.
type ThirdParty struct {
	URL           string `json:"url"`
	Authorization string `json:"authorization"` // the header; "": none
	CA            []byte `json:"ca"`            // authority to trust, DER; nil: the system's
}

// NewPlatform returns a platform with the given switches on; without any it is correct. It panics at an unknown switch.
func NewPlatform(in Setting, switches ...Switch) *Platform {
	p := &Platform{Setting: in, switches: map[Switch]bool{}, kept: map[string]any{}, pressed: map[string]int{}, names: map[string]string{}}
	for _, s := range switches {
		if !isKnown(s) {
			panic("no such switch: " + string(s))
		}
		p.switches[s] = true
	}
	return p
}

func (p *Platform) is(what Switch) bool { return p.switches[what] }

// ServeHTTP implements [http.Handler].
func (p *Platform) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return
	}
	if r.Method == http.MethodPut {
		p.configure(w, body)
		return
	}
	var ask rules.Ask
	if err := json.Unmarshal(body, &ask); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer, err := p.act(r.Context(), ask)
	switch {
	case errors.Is(err, errUnsupported):
		w.WriteHeader(http.StatusNotImplemented)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	default:
		_ = json.NewEncoder(w).Encode(answer) // whoever asked may have gone
	}
}

func (p *Platform) configure(w http.ResponseWriter, body []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := json.Unmarshal(body, &p.thirdParty); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if p.thirdParty.CA != nil {
		config.RootCAs = x509.NewCertPool()
		if ca, err := x509.ParseCertificate(p.thirdParty.CA); err == nil {
			config.RootCAs.AddCert(ca)
		}
	}
	config.InsecureSkipVerify = p.is(certificateNotVerified) //nolint:gosec // that is what it does wrong
	if p.is(tls13Only) {
		config.MinVersion = tls.VersionTLS13
	}
	p.client = &http.Client{
		Transport: &http.Transport{DialContext: p.Dial, TLSClientConfig: config, ForceAttemptHTTP2: !p.is(http11Only), MaxIdleConnsPerHost: 16},
		CheckRedirect: func(r *http.Request, _ []*http.Request) error {
			if p.is(redirectsFollowedWithCredentials) {
				r.Header.Set("Authorization", p.thirdParty.Authorization)
				return nil
			}
			if p.is(redirectsFollowedWithoutCredentials) {
				r.Header.Del("Authorization")
				return nil
			}
			return http.ErrUseLastResponse
		},
	}
	w.WriteHeader(http.StatusNoContent)
}

var errUnsupported = errors.New("not supported")

// object is a JSON object.
type object = map[string]any

// errRefused says that an answer cannot be used: it is not a 2xx, or not a JSON object.
var errRefused = errors.New("the third party refused")

// errUnknown says that it is not known whether a call was carried out.
var errUnknown = errors.New("what became of it is not known")

// reply is the response of a third party.
type reply struct {
	object
	code       int
	retryAfter bool // the third party says when to call again
	dated      bool // and says it as a date
}

// post calls an operation and returns the reply. The error is errRefused if the answer is no 2xx with a JSON object.
func (p *Platform) post(ctx context.Context, op string, body any) (reply, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return reply{}, err
	}
	p.mu.Lock()
	to, client := p.thirdParty, p.client
	p.mu.Unlock()
	req, err := p.request(ctx, to, op, text)
	if err != nil {
		return reply{}, err
	}
	limit := 8 * time.Second
	switch {
	case p.is(givesUpAfterHalfASecond):
		limit = 500 * time.Millisecond
	case p.is(noLimitOfTime):
		limit = 10 * time.Minute
	}
	short, stop := context.WithCancel(ctx)
	defer stop()
	go func() { // ends with the request
		p.Wait(short, limit)
		stop()
	}()
	req = req.WithContext(short)
	resp, err := client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return reply{}, err
	}
	got := reply{code: resp.StatusCode, retryAfter: resp.Header.Get("Retry-After") != "", dated: strings.Contains(resp.Header.Get("Retry-After"), " ")}
	if resp.StatusCode/100 != 2 {
		if p.is(crashesOnA503) && resp.StatusCode == http.StatusServiceUnavailable {
			panic(http.ErrAbortHandler)
		}
		return got, errRefused
	}
	d := json.NewDecoder(bytes.NewReader(answer))
	if err := d.Decode(&got.object); err != nil || got.object == nil {
		if p.is(crashesOnHTML) {
			panic(http.ErrAbortHandler)
		}
		return got, errRefused
	}
	return got, p.accepts(op, got.object)
}

// number returns a JSON number; 0: the value is not a number.
func number(v any) float64 {
	n, _ := v.(float64)
	return n
}

// request makes the HTTP request of a call, with the faults of this platform.
func (p *Platform) request(ctx context.Context, to ThirdParty, op string, text []byte) (*http.Request, error) {
	method, address := http.MethodPost, to.URL+"/"+op
	switch {
	case p.is(configByGET) && op == "config":
		method = http.MethodGet
	case p.is(pathBesideTheBase):
		address = strings.Replace(to.URL, "/taxi", "", 1) + "/" + op
	case p.is(anotherPath) && op == "user":
		address = to.URL + "/users"
	case p.is(theNumberInTheAddress) && op == "user":
		var body struct{ PhoneNumber string }
		if json.Unmarshal(text, &body) == nil {
			address += "?caller=" + url.QueryEscape(body.PhoneNumber)
		}
	case p.is(aSlashAtTheEndOfThePath) && op == "user":
		address += "/"
	case p.is(aListInPlaceOfAnObject) && op == "cancel":
		text = fmt.Appendf(nil, "[%s]", text)
	case p.is(noBodyForConfig) && op == "config":
		text = nil
	case p.is(latinOne) && op == "book":
		text = bytes.Replace(text, []byte(`"name":"`), []byte("\"name\":\"\xe9"), 1)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	switch {
	case p.is(noContentType):
		req.Header.Del("Content-Type")
	case p.is(jsonAsAForm):
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if p.is(bookRetriedWithAnIdempotencyKey) && op == "book" {
		sum := sha256.Sum256(text)
		req.Header.Set("Idempotency-Key", hex.EncodeToString(sum[:8]))
	}
	if to.Authorization != "" {
		req.Header.Set("Authorization", to.Authorization)
	}
	switch {
	case p.is(noCredentials), p.is(noCredentialsOnStatus) && op == "status":
		req.Header.Del("Authorization")
	case p.is(otherCredentials):
		req.Header.Set("Authorization", "Bearer other")
	}
	return req, nil
}

// accepts returns an error if this platform rejects a reply because of its members. A right platform accepts any.
func (p *Platform) accepts(op string, o object) error {
	for _, member := range []string{"data", "status", "date", "pickup", "driver"} {
		if o[member] == nil && p.is(needs(member, op)) {
			return errRefused
		}
	}
	known := strings.Fields("status eta data userId phoneNumber name activeBookings journeyId date price pickup dropoffs passenger vehicle driver location type")
	if eta, _ := o["eta"].(object); p.is(crashesOnAFraction) && eta != nil && eta["value"] != nil && eta["value"] != math.Trunc(number(eta["value"])) {
		panic(http.ErrAbortHandler)
	}
	if driver, is := o["driver"].(object); p.is(crashesOnNullWithin(op)) && is && driver["name"] == nil {
		panic(http.ErrAbortHandler)
	}
	for member, v := range o {
		if p.is(crashesOnAnUnknownField) && !strings.Contains(" "+strings.Join(known, " ")+" ", " "+member+" ") {
			panic(http.ErrAbortHandler)
		}
		if v == nil && p.is(crashesOnNull(op)) {
			panic(http.ErrAbortHandler)
		}
	}
	return nil
}

package rest

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"

	"github.com/gin-gonic/gin"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// maxKey is the maximum length of an Idempotency-Key in characters.
const maxKey = 255

// IdempotencyHeader makes it safe to repeat a call request, and ReplayedHeader marks the
// response to a repeated one.
const (
	IdempotencyHeader = "Idempotency-Key"
	ReplayedHeader    = "Idempotency-Replayed"
)

// voiceRoutes adds the Voice API, and the same operation in the REST API.
func (p *API) voiceRoutes(e *gin.Engine) {
	e.POST("/channels/voice", p.Answer(func(r *Request) (Reply, error) {
		if err := p.basic(r); err != nil {
			return Reply{}, err
		}
		return p.createCall(r)
	}))
	e.POST("/api/v1/account/:account/channels/voice", p.account(voiceRole, p.createCall))
}

// basic authenticates an account by its id and client id. Over plain HTTP they are
// accepted only from this machine, unless Insecure is set.
func (p *API) basic(r *Request) error {
	if r.C.Request.TLS == nil && !p.Insecure && !isLoopback(r.C.RemoteIP()) {
		return api.Refuse(api.CodeHTTPS, "use https; the credentials in this request have been exposed")
	}
	id, client, given := r.C.Request.BasicAuth()
	if !given {
		r.C.Header("WWW-Authenticate", `Basic realm="cabrank", charset="UTF-8"`)
		return api.Refuse(api.CodeUnauthenticated, "want Basic authentication with the account's id and client id")
	}
	a, known := p.Records.Account(id)
	if !known {
		a = &records.Account{Client: access.HashClient("")}
	}
	right, wait := p.throttle.Hear(r.C.RemoteIP(), id, p.Now(), func() bool {
		same := subtle.ConstantTimeCompare([]byte(access.HashClient(client)), []byte(a.Client)) == 1
		return known && same && client != ""
	})
	if wait > 0 {
		problem := api.Refuse(api.CodeLoginThrottled, "the account id or the client id was wrong too often; try again in a moment")
		problem.RetryAfter = wait
		return problem
	}
	if !right {
		r.C.Header("WWW-Authenticate", `Basic realm="cabrank", charset="UTF-8"`)
		return api.Refuse(api.CodeCredentials, "the account id or the client id is wrong")
	}
	r.Account = a
	return nil
}

func isLoopback(ip string) bool {
	parsed := net.ParseIP(ip)
	return parsed != nil && parsed.IsLoopback()
}

// createCall places a call for both endpoints.
func (p *API) createCall(r *Request) (Reply, error) {
	raw, err := rawJSON(r.C)
	if err != nil {
		return Reply{}, err
	}
	if _, err := api.Body(raw); err != nil {
		return Reply{}, err
	}
	key := r.C.GetHeader(IdempotencyHeader)
	if len(key) > maxKey {
		return Reply{}, api.Refuse(api.CodeValidation, "the %s is longer than %d characters", IdempotencyHeader, maxKey)
	}
	if key == "" {
		id, err := p.place(r, raw, calls.Key{})
		return created(id), err
	}
	return p.createOnce(r, raw, key)
}

// createOnce places a call unless one was placed for the same key before.
func (p *API) createOnce(r *Request, raw []byte, key string) (Reply, error) {
	end, err := p.inFlight.begin(r.Account.ID + " " + key)
	if err != nil {
		return Reply{}, err
	}
	defer end()
	sum := sha256.Sum256(raw)
	hash := hex.EncodeToString(sum[:])
	earlier, known, err := p.Records.Repeat(r.C.Request.Context(), r.Account.ID, key, p.Now())
	known = known && !p.Calls.Voided(earlier.Call)
	switch {
	case err != nil:
		return Reply{}, fmt.Errorf("%w: %w", records.ErrStorage, err)
	case known && earlier.Hash != hash:
		return Reply{}, api.Refuse(api.CodeKeyReused, "the key came with another body before")
	case known:
		r.C.Header(ReplayedHeader, "true")
		return created(earlier.Call), nil
	}
	id, err := p.place(r, raw, calls.Key{Name: key, Hash: hash})
	return created(id), err
}

// created returns the response for a new call. Decision: its Location is in the control
// API, since the interface has no path for a live call.
func created(id string) Reply {
	return Reply{
		Status: http.StatusCreated, Location: "/sim/v1/calls/" + id,
		Body: api.Created{ID: id, Status: string(voice.StateQueued)},
	}
}

func (p *API) place(r *Request, raw []byte, key calls.Key) (string, error) {
	req, err := voice.ParseRequest(raw)
	if wrong, ok := errors.AsType[voice.Errors](err); ok {
		errs := &api.Errors{}
		for _, e := range wrong {
			errs.Add(e.Pointer, "%s", e.Detail)
		}
		return "", errs.Err()
	}
	if err != nil {
		return "", err
	}
	if err := p.Calls.Check(r.Account, req); err != nil {
		return "", err
	}
	if !p.pace.allow(r.Account.ID, p) {
		return "", api.Refuse(api.CodeRateLimited, "an account may create %g calls a second", p.Limits.CallsPerSecond)
	}
	return p.Calls.Place(context.WithoutCancel(r.C.Request.Context()), r.Account, req, key)
}

// pace limits the rate of each account.
type pace struct {
	mu       sync.Mutex
	accounts *lru.Cache[string, *rate.Limiter]
}

func newPace() *pace {
	accounts, err := lru.New[string, *rate.Limiter](1024)
	if err != nil {
		panic(err) // only if the size is not positive
	}
	return &pace{accounts: accounts}
}

func (l *pace) allow(account string, p *API) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	limiter, known := l.accounts.Get(account)
	if !known {
		limiter = rate.NewLimiter(rate.Limit(p.Limits.CallsPerSecond), p.Limits.CallBurst)
		l.accounts.Add(account, limiter)
	}
	return limiter.AllowN(p.Now(), 1)
}

// inFlight contains the keys of current requests.
type inFlight struct{ keys sync.Map }

func (f *inFlight) begin(key string) (end func(), err error) {
	if _, busy := f.keys.LoadOrStore(key, true); busy {
		return nil, api.Refuse(api.CodeInFlight, "a request with this %s is being answered", IdempotencyHeader)
	}
	return func() { f.keys.Delete(key) }, nil
}

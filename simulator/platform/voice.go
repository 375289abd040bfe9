package platform

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

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// maxKey is how many characters an Idempotency-Key may have.
const maxKey = 255

// IdempotencyHeader makes a call request safe to send again, and ReplayedHeader
// marks an answer to one that was made before.
const (
	IdempotencyHeader = "Idempotency-Key"
	ReplayedHeader    = "Idempotency-Replayed"
)

// voiceRoutes are the Voice API, and its twin in the REST API.
func (p *Platform) voiceRoutes(e *gin.Engine) {
	e.POST("/channels/voice", p.answer(func(r *request) (reply, error) {
		if err := p.basic(r); err != nil {
			return reply{}, err
		}
		return p.createCall(r)
	}))
	e.POST("/api/v1/account/:account/channels/voice", p.account(voiceRole, p.createCall))
}

// basic lets an account in by its id and client id. Credentials in the clear are
// taken from this machine only, unless the platform was told otherwise.
func (p *Platform) basic(r *request) error {
	if r.c.Request.TLS == nil && !p.opts.Insecure && !fromHere(r.c.RemoteIP()) {
		return api.Refuse(api.CodeHTTPS, "use https; the credentials in this request have been exposed")
	}
	id, client, given := r.c.Request.BasicAuth()
	if !given {
		r.c.Header("WWW-Authenticate", `Basic realm="cabrank", charset="UTF-8"`)
		return api.Refuse(api.CodeUnauthenticated, "want Basic authentication with the account's id and client id")
	}
	a, known := p.records.Account(id)
	if !known {
		a = &records.Account{Client: hashClient("")}
	}
	right, wait := p.throttle.Hear(r.c.RemoteIP(), id, p.now(), func() bool {
		same := subtle.ConstantTimeCompare([]byte(hashClient(client)), []byte(a.Client)) == 1
		return known && same && client != ""
	})
	if wait > 0 {
		problem := api.Refuse(api.CodeLoginThrottled, "the account id or the client id was wrong too often; try again in a moment")
		problem.RetryAfter = wait
		return problem
	}
	if !right {
		r.c.Header("WWW-Authenticate", `Basic realm="cabrank", charset="UTF-8"`)
		return api.Refuse(api.CodeCredentials, "the account id or the client id is wrong")
	}
	r.account = a
	return nil
}

func fromHere(ip string) bool {
	parsed := net.ParseIP(ip)
	return parsed != nil && parsed.IsLoopback()
}

// createCall places a call: both call-creation endpoints end here.
func (p *Platform) createCall(r *request) (reply, error) {
	raw, err := rawJSON(r.c)
	if err != nil {
		return reply{}, err
	}
	if _, _, err := api.Body(raw); err != nil {
		return reply{}, err
	}
	key := r.c.GetHeader(IdempotencyHeader)
	if len(key) > maxKey {
		return reply{}, api.Refuse(api.CodeValidation, "the %s is longer than %d characters", IdempotencyHeader, maxKey)
	}
	if key == "" {
		id, err := p.place(r, raw, calls.Key{})
		return created(id), err
	}
	return p.createOnce(r, raw, key)
}

// createOnce places a call unless one was placed for the same key before.
func (p *Platform) createOnce(r *request, raw []byte, key string) (reply, error) {
	end, err := p.inFlight.begin(r.account.ID + " " + key)
	if err != nil {
		return reply{}, err
	}
	defer end()
	sum := sha256.Sum256(raw)
	hash := hex.EncodeToString(sum[:])
	earlier, known, err := p.records.Repeat(r.c.Request.Context(), r.account.ID, key, p.now())
	known = known && !p.calls.Voided(earlier.Call)
	switch {
	case err != nil:
		return reply{}, fmt.Errorf("%w: %w", records.ErrStorage, err)
	case known && earlier.Hash != hash:
		return reply{}, api.Refuse(api.CodeKeyReused, "the key came with another body before")
	case known:
		r.c.Header(ReplayedHeader, "true")
		return created(earlier.Call), nil
	}
	id, err := p.place(r, raw, calls.Key{Name: key, Hash: hash})
	return created(id), err
}

// created answers a call's creation. Decision: its Location is the control API's,
// since the interface has no path for a live call.
func created(id string) reply {
	return reply{
		status: http.StatusCreated, location: "/sim/v1/calls/" + id,
		body: api.Created{ID: id, Status: string(voice.StateQueued)},
	}
}

func (p *Platform) place(r *request, raw []byte, key calls.Key) (string, error) {
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
	if err := p.calls.Check(r.account, req); err != nil {
		return "", err
	}
	if !p.pace.allow(r.account.ID, p) {
		return "", api.Refuse(api.CodeRateLimited, "an account may create %g calls a second", p.opts.Limits.CallsPerSecond)
	}
	return p.calls.Place(context.WithoutCancel(r.c.Request.Context()), r.account, req, key)
}

// pace holds each account to a rate.
type pace struct {
	mu       sync.Mutex
	accounts *lru.Cache[string, *rate.Limiter]
}

func newPace() *pace {
	accounts, err := lru.New[string, *rate.Limiter](1024)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return &pace{accounts: accounts}
}

func (l *pace) allow(account string, p *Platform) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	limiter, known := l.accounts.Get(account)
	if !known {
		limiter = rate.NewLimiter(rate.Limit(p.opts.Limits.CallsPerSecond), p.opts.Limits.CallBurst)
		l.accounts.Add(account, limiter)
	}
	return limiter.AllowN(p.now(), 1)
}

// inFlight is the keys of requests that are being answered.
type inFlight struct{ keys sync.Map }

func (f *inFlight) begin(key string) (end func(), err error) {
	if _, busy := f.keys.LoadOrStore(key, true); busy {
		return nil, api.Refuse(api.CodeInFlight, "a request with this %s is being answered", IdempotencyHeader)
	}
	return func() { f.keys.Delete(key) }, nil
}

// Package platform is the reference voice platform: the REST API, the Voice API
// and, beside them, the control API of the simulation. It knows nothing of taxis.
//
// Its parts: api is the contract, records what is remembered, access who is who,
// voice the calls themselves, flow where inbound calls go, hooks what third
// parties are asked and told.
package platform

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/chance"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// Options is how a platform is run. Records, Now and Random are required.
type Options struct {
	Records *records.Records
	Now     func() time.Time // the wall clock: tokens, limits, deliveries
	Random  io.Reader        // ids, credentials, salts
	Log     *slog.Logger     // nil: nothing is logged
	Version string           // what /version says

	Limits       Limits
	AccessLife   time.Duration // of access tokens; 0: access.AccessLife
	RefreshLife  time.Duration // of refresh tokens; 0: access.RefreshLife
	Insecure     bool          // the Voice API is served over plain HTTP to anybody, not to this machine only
	ControlToken string        // what the control API asks for; empty: nothing
}

// Platform answers for one database.
type Platform struct {
	opts      Options
	records   *records.Records
	now       func() time.Time
	chance    *chance.Source
	log       *slog.Logger
	passwords *access.Passwords
	throttle  *access.Throttle
	tokens    *access.Issuer
}

// New returns a platform over its records.
func New(opts Options) *Platform {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	opts.Limits = opts.Limits.withDefaults()
	source := chance.New(opts.Random)
	p := &Platform{
		opts: opts, records: opts.Records, now: opts.Now, chance: source, log: opts.Log,
		passwords: access.NewPasswords(source), throttle: access.NewThrottle(),
	}
	p.tokens = access.NewIssuer(access.TokenOptions{
		Now: opts.Now, Random: source, NewKey: p.newKey, AccessLife: opts.AccessLife, RefreshLife: opts.RefreshLife,
	}, opts.Records.Keys())
	return p
}

// newKey makes a key for tokens and keeps it.
func (p *Platform) newKey() (access.Key, error) {
	ctx := context.Background() // whoever asked may go: the next one needs it too
	key, err := access.NewKey(p.chance, p.now())
	if err != nil {
		return access.Key{}, err
	}
	return key, p.records.Write(ctx, func(tx *records.Tx) error { return p.records.AddKey(ctx, tx, key) })
}

// Limits bounds what an account may do. Decision: the interface shows none.
type Limits struct {
	CallsPerSecond float64 // calls that an account may create, on average; 0: 10
	CallBurst      int     // and at once; 0: 20
	LiveCalls      int     // calls of an account at the same time; 0: 50
	Resources      int     // trunks, hooks and devices of an account, each; 0: 1000
}

func (l Limits) withDefaults() Limits {
	if l.CallsPerSecond == 0 {
		l.CallsPerSecond = 10
	}
	if l.CallBurst == 0 {
		l.CallBurst = 20
	}
	if l.LiveCalls == 0 {
		l.LiveCalls = 50
	}
	if l.Resources == 0 {
		l.Resources = 1000
	}
	return l
}

package judging

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"sync/atomic"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/platformapi"
	"github.com/cabrank/cabrank/simulator/platform"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// platformReference is this project's voice platform in memory. Its access tokens live
// for two seconds of a clock that the run advances, so that no check has to wait.
type platformReference struct {
	*platform.Platform
	records     *records.Records
	credentials platformapi.Credentials
	ahead       atomic.Int64 // of the wall clock, in nanoseconds
}

func newPlatformReference(ctx context.Context) (p *platformReference, err error) {
	p = &platformReference{}
	defer func() {
		if err != nil {
			p.stop()
		}
	}()
	if p.records, err = records.Open(ctx, ""); err != nil {
		return nil, err
	}
	line := voice.NewVirtual(cli.Now()) // it does not advance: nobody listens to the calls
	if p.Platform, err = platform.New(ctx, platform.Options{
		Records: p.records, Now: p.now, Random: rand.Reader, Line: line, Work: line, AccessLife: 2 * time.Second,
	}); err != nil {
		return nil, err
	}
	if err = p.Seed(ctx); err != nil {
		return nil, err
	}
	given, err := p.Credentials(ctx, platform.Credentials{})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(given)
	if err != nil {
		return nil, err
	}
	return p, json.Unmarshal(text, &p.credentials)
}

func (p *platformReference) now() time.Time {
	return cli.Now().Add(time.Duration(p.ahead.Load()))
}

func (p *platformReference) stop() {
	if p.Platform != nil {
		_ = p.Close(context.Background()) // nothing uses the platform any more
	}
	if p.records != nil {
		_ = p.records.Close()
	}
}

// target describes the platform for a run.
func (p *platformReference) target() platformapi.Target {
	return platformapi.Target{
		Credentials: p.credentials, Now: p.now, Nonce: uint64(cli.Now().UnixNano()), Timeout: 5 * time.Second,
		Wait: func(_ context.Context, d time.Duration) { p.ahead.Add(int64(d)) },
	}
}

// platformAlone runs one check against the reference, over TLS.
func platformAlone(ctx context.Context, id string) (*conformance.Report, error) {
	p, err := newPlatformReference(ctx)
	if err != nil {
		return nil, err
	}
	defer p.stop()
	target := p.target()
	served, err := serveTLS(ctx, p.Handler())
	if err != nil {
		return nil, err
	}
	defer served.stop()
	target.URL, target.TLS, target.Only = served.url, served.trust, []string{id}
	rep, err := platformapi.Run(ctx, target)
	if err != nil {
		return nil, platformError(ctx, err)
	}
	return rep, nil
}

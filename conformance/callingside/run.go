package callingside

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// run is one execution of the suite.
type run struct {
	opts    Options
	stage   *stage
	started time.Time

	mu           sync.Mutex
	observations []conformance.Observation
	steps        []conformance.Step
	done, all    int
	silent       int                 // consecutive requests without a report and without a call
	blocked      *conformance.Reason // why the run ended early
}

// Run judges a platform and returns the verdicts. The error is
// [*conformance.Unreachable] if nothing answers at the drive address, and otherwise says
// what is wrong with the options.
func Run(ctx context.Context, opts Options) (*conformance.Report, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	r := &run{opts: opts, stage: newStage(opts)}
	defer r.stage.serve()()
	if opts.Ready != nil {
		if err := opts.Ready(r.stage.address()); err != nil {
			return nil, err
		}
	}
	r.started = opts.Now()
	if opts.Actor == nil {
		if opts.MaxTime > 0 {
			opts.Listen = min(opts.Listen, opts.MaxTime)
		}
		opts.Wait(ctx, opts.Listen)
		return r.report(ctx), nil
	}
	together, alone := r.plays()
	r.all = len(together) + len(alone)
	first := alone[:min(1, len(alone))]
	for _, p := range first {
		if acted := r.perform(ctx, p, true); acted.Gone {
			step := conformance.Step{Name: "drive", Detail: acted.Failed, Cure: "start the platform, or check --drive"}
			return nil, &conformance.Unreachable{URL: opts.Actor.Name(), Steps: []conformance.Step{step}}
		}
	}
	if !r.isBlocked() {
		r.step(conformance.Step{Name: "drive", OK: true, Detail: opts.Actor.Name() + " answers"})
	}
	r.atOnce(ctx, together)
	rest := time.Duration(0)
	for _, p := range alone[len(first):] {
		if ctx.Err() != nil || r.isBlocked() {
			break
		}
		opts.Wait(ctx, rest)
		r.perform(ctx, p, true)
		rest = p.Rest.duration()
	}
	return r.report(ctx), nil
}

func (r *run) step(s conformance.Step) {
	r.steps = append(r.steps, s)
	if r.opts.Preflight != nil {
		r.opts.Preflight(s)
	}
}

// plays returns the scenes to play: those that may run at the same time, the slowest first,
// and those that must run alone.
func (r *run) plays() (together, alone []*play) {
	for i, s := range allScenes() {
		if !s.isFor(r.opts.Only) || s.Long && !r.opts.Long || s.TLS != nil && !s.TLS.possible(r.opts.TLS) {
			continue
		}
		if s.redirects() && (r.opts.Other == nil || r.opts.Auth == nil && s.World.Answers[rules.OpBook] == nil) {
			continue // without credentials, a booking can still go to the other host
		}
		p := newPlay(s, i, r.opts.Nonce, r.opts.Now())
		if s.needsToBeAlone() {
			alone = append(alone, p)
		} else {
			together = append(together, p)
		}
	}
	slices.SortStableFunc(together, func(a, b *play) int { return b.patience() - a.patience() })
	return together, alone
}

// redirects reports whether a scene redirects to another host.
func (s *scene) redirects() bool {
	for _, all := range s.World.Answers {
		for _, a := range all {
			if a.ToOther {
				return true
			}
		}
	}
	return false
}

// patience estimates how long a scene takes, in seconds.
func (s *scene) patience() int {
	n := 0
	for _, a := range s.Asks {
		n += a.FollowSeconds
	}
	for _, all := range s.World.Answers {
		for _, a := range all {
			if n += int(a.Delay); a.Drip {
				n += 2
			}
			if a.Hang {
				n += int(longestHang / time.Second)
			}
		}
	}
	return n
}

// atOnce plays scenes at the same time, each with its own caller.
func (r *run) atOnce(ctx context.Context, plays []*play) {
	g := errgroup.Group{}
	g.SetLimit(r.opts.Width)
	for _, p := range plays {
		if ctx.Err() != nil || r.isBlocked() {
			break
		}
		g.Go(func() error {
			r.perform(ctx, p, false)
			return nil
		})
	}
	_ = g.Wait() // no scene returns an error
}

// perform plays one scene. It returns the result of its last request, or the zero Acted if the requests were made at once.
func (r *run) perform(ctx context.Context, p *play, alone bool) (last Acted) {
	if p.TLS != nil {
		r.stage.reach(p.TLS)
		defer r.stage.reach(nil)
	}
	r.stage.begin(p, alone)
	defer r.stage.end(p)
	if p.AtOnce {
		p.setProbe(1)
		g := errgroup.Group{}
		for n := range p.Asks {
			g.Go(func() error { r.act(ctx, p, n); return nil })
		}
		_ = g.Wait() // no request returns an error
	} else {
		for n := range p.Asks {
			if ctx.Err() == nil && !r.isBlocked() {
				if n == 1 {
					p.moveOn()
				}
				p.setProbe(n + 1)
				before := r.stage.contacts()
				if last = r.act(ctx, p, n); p.TLS != nil && r.acts() && r.stage.contacts() == before {
					last = r.act(ctx, p, n) // the platform may have used a connection that was just closed
				}
			}
		}
	}
	r.progress()
	return last
}

// acts reports whether a program carries out the requests, so that one can be repeated. A person is not asked twice.
func (r *run) acts() bool {
	_, person := r.opts.Actor.(*Person)
	return !person
}

// setProbe sets the probe of the following calls: request n, from 1.
func (p *play) setProbe(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.probe = p.probeOf(n)
}

// moveOn changes the journey and the user of a scene after its first request.
func (p *play) moveOn() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.Then) > 0 && len(p.journeys) > 0 {
		p.journeys[0] = merged(p.journeys[0], p.Then)
	}
	if p.Delayed && len(p.journeys) > 0 {
		p.journeys[0] = merged(p.journeys[0], object{"date": p.later().Add(3 * time.Hour).Format(time.RFC3339)})
	}
	p.changed = p.User2
}

func (p *play) probeOf(n int) conformance.ProbeName {
	return rules.SceneRequest(p.Name, n, len(p.Asks))
}

// act has one request carried out, and records and returns the result: the zero Acted if its journey was never booked.
func (r *run) act(ctx context.Context, p *play, n int) Acted {
	if p.idOf(p.Asks[n].JourneyID) == "" && p.Asks[n].JourneyID != "" {
		return Acted{} // the platform did not book the journey of this request
	}
	task, probe, before := p.task(n), p.probeOf(n+1), r.stage.calls()
	r.observe(probe, rules.KindTask, encoded(task))
	if r.opts.MaxTime > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, max(0, r.opts.MaxTime-r.opts.Now().Sub(r.started)))
		defer stop()
	}
	acted := r.opts.Actor.Act(ctx, task)
	switch {
	case ctx.Err() != nil: // stopped or out of time, which is not the platform's fault
		return acted
	case acted.Unsupported:
		r.observe(probe, rules.KindUnsupported, "")
	case acted.Failed != "":
		r.observe(probe, rules.KindFailed, acted.Failed)
	case acted.Answer != nil:
		r.observe(probe, rules.KindAnswer, encoded(acted.Answer))
	}
	r.countSilence(acted, r.stage.calls() > before)
	return acted
}

// countSilence ends the run after too many requests without a report or a call.
func (r *run) countSilence(acted Acted, called bool) {
	const patience = 12 // requests
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.silent++; called || acted.Failed == "" {
		r.silent = 0
	}
	if r.silent >= patience && r.blocked == nil {
		why := conformance.Because(conformance.ServerGone, "%d requests in a row failed at the drive address and made no call: %s", patience, acted.Failed)
		r.blocked = &why
	}
}

// isBlocked reports whether the run makes no more requests.
func (r *run) isBlocked() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if most := r.opts.MaxTime; most > 0 && r.blocked == nil && r.opts.Now().Sub(r.started) >= most {
		why := conformance.Because(conformance.OutOfTime, "the run reached its time limit of %s", most)
		r.blocked = &why
	}
	return r.blocked != nil
}

// observe records what happened in a request of a scene, as an observation of the given kind.
func (r *run) observe(probe conformance.ProbeName, kind conformance.ObservationKind, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.observations = append(r.observations, conformance.Observation{ID: len(r.observations) + 1, Probe: probe, At: r.opts.Now(), Kind: kind, Text: text})
}

// encoded returns one of our own types as JSON.
func encoded(v any) string {
	encoded, err := json.Marshal(v)
	if err != nil {
		panic(err) // our own types can all be encoded
	}
	return string(encoded)
}

func (r *run) progress() {
	r.mu.Lock()
	r.done++
	now := conformance.Progress{Stage: conformance.StageProbes, Done: r.done, All: r.all}
	r.mu.Unlock()
	if r.opts.Progress != nil {
		r.opts.Progress(now)
	}
}

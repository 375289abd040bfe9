package simapi

import (
	"context"

	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// typed is a simulated telephone whose caller's words are typed text.
type typed struct{ *phones.Phone }

// placeTypedCall places a robot's call with a simulated telephone.
func (p *API) placeTypedCall(id, from, number string) (typed, error) {
	phone, err := p.Phones.Caller(id, from, number, nil, func(leg voice.Leg) error { return p.Calls.Receive(id, leg, from, number) })
	return typed{phone}, err
}

// heard returns the number of prompts that have begun.
func (t typed) heard() int { return prompts(t.View(0)) }

func prompts(v phones.View) int {
	n := 0
	for _, line := range v.Transcript {
		if line.Kind == voice.LineSay {
			n++
		}
	}
	return n
}

// listen waits until more prompts have begun than before.
func (t typed) listen(ctx context.Context, before int) {
	for view := t.View(0); prompts(view) <= before && ctx.Err() == nil; view = t.View(0) {
		t.Wait(ctx, view.Version)
	}
}

// ended waits until the other side hangs up.
func (t typed) ended(ctx context.Context) {
	for view := t.View(0); view.Status != phones.Over && ctx.Err() == nil; view = t.View(0) {
		t.Wait(ctx, view.Version)
	}
}

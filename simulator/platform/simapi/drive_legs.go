package simapi

import (
	"context"
	"slices"
	"sync"

	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/robot"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// placed records the calls that the platform places to or for a customer.
type placed struct {
	mu    sync.Mutex
	legs  []robot.Leg
	rung  chan struct{} // receives one value for each leg
	ended chan struct{} // receives one value for each leg that has ended
}

func newPlaced() *placed {
	return &placed{legs: []robot.Leg{}, rung: make(chan struct{}, mostSteps), ended: make(chan struct{}, mostSteps)}
}

// legOf returns the leg of an event.
func legOf(e voice.Event) (robot.Leg, bool) {
	switch {
	case e.Type == voice.EventDialStarted && e.Dial != nil:
		return robot.Leg{To: e.Dial.To, CallerID: e.Dial.From}, true
	case e.Type == voice.EventInitiated && e.Parent != "":
		return robot.Leg{To: e.To, CallerID: e.From}, true
	}
	return robot.Leg{}, false
}

// event handles an event of the customer's call, or of a call to the customer.
func (p *placed) event(e voice.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	tell := p.rung
	if l, is := legOf(e); is {
		if len(p.legs) < mostSteps {
			p.legs = append(p.legs, l)
		}
	} else if e.Type == voice.EventCompleted && e.Parent != "" {
		tell = p.ended
	} else {
		return
	}
	select {
	case tell <- struct{}{}:
	default: // more are not counted
	}
}

func (p *placed) list() []robot.Leg {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.legs)
}

// connected waits until a customer who is called is connected to the driver, or has not
// answered.
func (p *placed) connected(ctx context.Context) {
	for {
		legs := p.list()
		to := func(who string) bool { return slices.ContainsFunc(legs, func(l robot.Leg) bool { return l.To == who }) }
		if !to(booking.RoleUser) || to(booking.RoleDriver) {
			return
		}
		select {
		case <-p.rung:
		case <-p.ended:
			return
		case <-ctx.Done():
			return
		}
	}
}

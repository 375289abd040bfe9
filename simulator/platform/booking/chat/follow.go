package chat

import (
	"context"
	"strings"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/operations"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// Intervals of polling for news: at least two seconds, and longer and longer while a
// journey does not change.
const (
	soonest  = 2200 * time.Millisecond
	latest   = 30 * time.Second
	patience = 3 // polls without news before the interval grows
	longest  = 4 * time.Hour
	failures = 10 // consecutive failures after which polling stops
	lookFor  = 10 * time.Second
)

// following is a journey that is polled for news.
type following struct {
	session *booking.Session
	journey operations.Journey
	since   time.Time
	pause   time.Duration
	quiet   int // polls without news
	failed  int // consecutive failures
	timer   voice.Timer
}

// watch starts to poll a journey, in place of the previous one, and returns the journey as it was read last.
func (c *Chat) watch(s *booking.Session, j operations.Journey) operations.Journey {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.follow; f != nil && f.journey.Ref.Is(j.Ref) {
		if booking.Older(f.journey, j) {
			j = f.journey
		}
		f.session, f.journey, f.pause, f.quiet = s, j, soonest, 0
	} else {
		c.stop()
		c.follow = &following{session: s, journey: j, since: c.opts.Clock.Now(), pause: soonest}
	}
	if j.Status.Terminal() || c.closed {
		c.stop()
		return j
	}
	c.later()
	return j
}

// unwatch stops following a journey.
func (c *Chat) unwatch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop()
}

// stop stops polling; the lock is held.
func (c *Chat) stop() {
	if c.follow != nil && c.follow.timer != nil {
		c.follow.timer.Stop()
	}
	c.follow = nil
}

// later plans the next poll; the lock is held.
func (c *Chat) later() {
	f := c.follow
	if f.timer != nil {
		f.timer.Stop()
	}
	f.timer = c.opts.Clock.AfterFunc(f.pause, func() { c.opts.Clock.Go(func() { c.look(f) }) })
}

// look reads the journey once and shows its news.
func (c *Chat) look(f *following) {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.mu.Lock()
	current, s, known := c.follow == f && !c.closed, f.session, f.journey
	c.mu.Unlock()
	if !current {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookFor)
	defer cancel()
	news, err := s.Look(ctx, known)
	if err == nil && news.Changed {
		var list []Button
		for _, choice := range news.Offered {
			list = append(list, Button{string(choice), s.Label(choice)})
		}
		c.add(Message{From: Firm, Text: strings.Join(news.Said, " "), Buttons: list, about: news.Journey.JourneyID})
	}
	if err == nil {
		c.locate(s, news.Journey)
	}
	if c.scheduleNextPoll(f, news, err) {
		c.add(Message{From: Firm, Text: strings.Join(s.Say(spoken.ChatEnd, spoken.Slots{}), " ")})
	}
}

// scheduleNextPoll schedules the next poll, or stops polling. given is true if it was given up before the end of the journey.
func (c *Chat) scheduleNextPoll(f *following, news booking.News, err error) (given bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.follow != f {
		return false
	}
	switch {
	case err != nil:
		f.failed++
		f.pause = min(f.pause*2, latest)
	case news.Changed:
		f.journey, f.quiet, f.failed, f.pause = news.Journey, 0, 0, soonest
	default:
		f.journey, f.failed = news.Journey, 0
		if f.quiet++; f.quiet >= patience {
			f.pause = min(f.pause*3/2, latest)
		}
	}
	switch {
	case err == nil && f.journey.Status.Terminal():
		c.stop()
		return false
	case f.failed >= failures, c.opts.Clock.Now().Sub(f.since) >= longest:
		c.stop()
		return true
	}
	c.later()
	return false
}

// locate shows the car's location, once for each status.
func (c *Chat) locate(s *booking.Session, j operations.Journey) {
	if !booking.Shows(j) {
		return
	}
	key := string(j.Ref) + " " + string(j.Status)
	c.mu.Lock()
	shown := c.located == key
	c.located = key
	c.mu.Unlock()
	if !shown {
		c.add(Message{From: Firm, Text: strings.Join(s.Say(spoken.ChatLocation, spoken.Slots{}), " "), Location: j.Location})
	}
}

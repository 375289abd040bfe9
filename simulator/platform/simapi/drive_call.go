package simapi

import (
	"context"
	"strconv"
	"time"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/robot"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// driving is the telephone call of a simulated customer. It receives the call's steps and legs, and passes the
// customer's keys and words to the customer's phone.
type driving struct {
	robot *robot.Robot
	phone typed
	wall  voice.Clock

	steps chan stepTaken
	begun chan struct{} // closed when the phone is there
	*placed

	step booking.Step
}

// stepTaken is a step, with what the robot had heard before it.
type stepTaken struct {
	booking.Step
	heard int
}

const mostSteps = 200

// driveCall lets a robot call the account's taxi number.
func (p *API) driveCall(ctx context.Context, account string, d drive) (done robot.Result, err error) {
	number, answered := p.taxiNumber(account)
	if !answered {
		return robot.Result{}, api.Refuse(api.CodeUnavailable, "no number of the account is answered by the taxi plugin")
	}
	id, wish := p.Calls.NewID(), d.Wish()
	c := &driving{robot: p.newRobot(d), wall: p.Work, steps: make(chan stepTaken, mostSteps), begun: make(chan struct{}), placed: newPlaced()}
	defer p.Calls.Watch(id, c.event)()
	defer p.Desk.Watch(id, booking.Watch{Settings: &d.settings, Wish: &wish, Step: c.queueStep})()
	if c.phone, err = p.placeTypedCall(id, d.From, number); err != nil {
		return robot.Result{}, err
	}
	close(c.begun)
	c.talk(ctx)
	c.phone.Hangup()
	c.robot.Legs = c.list()
	return c.robot.Result, nil
}

// newRobot returns the customer of a drive.
func (p *API) newRobot(d drive) *robot.Robot {
	if d.follow > 0 {
		until := p.Now().Add(d.follow)
		d.Follow = func(now time.Time) bool { return now.Before(until) }
	}
	zone, err := time.LoadLocation(d.settings.Timezone)
	if err != nil {
		zone = time.UTC
	}
	return robot.New(d.Task, p.Now, zone)
}

// queueStep queues a step for the robot. It is called during the call's turn.
func (c *driving) queueStep(step booking.Step) {
	<-c.begun
	select {
	case c.steps <- stepTaken{step, c.phone.heard()}:
	default: // the robot has hung up
	}
}

// talk answers each step of the call until one side hangs up.
func (c *driving) talk(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() { // ends with stop, or when the other side hangs up
		defer stop()
		c.phone.ended(ctx)
	}()
	for {
		select {
		case step := <-c.steps:
			if !c.answer(ctx, step) {
				return
			}
		case <-c.rung:
			if c.step.Then == booking.ThenPerson || c.step.Then == booking.ThenDriver {
				return // connected to a person: the robot has reached its goal
			}
		case <-ctx.Done():
			c.drain()
			return
		}
	}
}

// drain reads the remaining steps of a call that has ended.
func (c *driving) drain() {
	for {
		select {
		case step := <-c.steps:
			c.robot.Next(step.Step)
		default:
			return
		}
	}
}

// answer performs the robot's move for a step. It returns false once the robot has hung up.
func (c *driving) answer(ctx context.Context, step stepTaken) bool {
	c.step = step.Step
	m := c.robot.Next(step.Step)
	if m == (robot.Move{}) {
		return step.Then != booking.ThenEnd
	}
	if m.Leave {
		return false
	}
	if m.Again && !pause(ctx, c.wall, newsAfter) {
		return false
	}
	c.phone.listen(ctx, step.heard) // keys pressed earlier are lost
	switch {
	case m.Place > 0:
		c.phone.Press(strconv.Itoa(m.Place))
	case m.Keys != "":
		c.phone.Press(m.Keys)
	case m.Words != "":
		_ = c.phone.Say(m.Words) // the robot has heard the question, so the text is spoken at once
	case m.Again:
		_ = c.phone.Say("status")
	case step.Keys[m.Choice] != "":
		c.phone.Press(step.Keys[m.Choice])
	default:
		_ = c.phone.Say(wordsOf(m.Choice))
	}
	return ctx.Err() == nil
}

// newsAfter is the delay before a robot asks for news again; the platform calls the third party at most every two
// seconds.
const newsAfter = 2200 * time.Millisecond

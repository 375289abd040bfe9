package simapi

import (
	"context"
	"strconv"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/chat"
	"github.com/cabrank/cabrank/simulator/platform/booking/robot"
	"github.com/cabrank/cabrank/simulator/platform/booking/spoken"
)

// wordsOf returns a choice without a key as words.
func wordsOf(c spoken.Choice) string {
	switch c {
	case spoken.ChoosePerson:
		return "operator"
	case spoken.ChooseSkip:
		return "skip"
	case spoken.ChooseTellDriver:
		return "tell the driver"
	}
	return string(c)
}

// driveChat lets a robot write to the account.
func (p *API) driveChat(ctx context.Context, account string, d drive) (robot.Result, error) {
	r := p.newRobot(d)
	id, wish := p.Calls.NewID(), d.Wish()
	placed := newPlaced()
	defer p.Calls.Watch(id, placed.event)()
	var steps []booking.Step
	c := chat.New(chat.Options{
		Desk: p.Desk, Clock: p.Work,
		Step: func(s booking.Step) { steps = append(steps, s) }, // called during the robot's moves below
	}, booking.Customer{Account: account, Call: id, Number: taxi.E164(d.From), Settings: &d.settings, Wish: &wish})
	defer c.Close()
	c.Begin(ctx)
	for ctx.Err() == nil {
		move := robot.Move{Leave: true}
		for _, s := range steps {
			move = r.Next(s)
		}
		steps = nil
		if move == (robot.Move{}) || move.Leave || move.Again {
			break
		}
		writes(ctx, c, move)
	}
	if d.follow > 0 {
		pause(ctx, p.Work, d.follow)
	}
	placed.connected(ctx)
	view := c.View(0)
	r.Said, r.Shown, r.Legs = said(view), displayed(view), placed.list()
	return r.Result, nil
}

// writes sends a robot's move to a chat, as a text or a button.
func writes(ctx context.Context, c *chat.Chat, m robot.Move) {
	switch {
	case m.Place > 0:
		c.Press(ctx, "place"+strconv.Itoa(m.Place))
	case m.Words != "":
		c.Write(ctx, m.Words)
	default:
		if !c.Press(ctx, string(m.Choice)) {
			c.Write(ctx, wordsOf(m.Choice))
		}
	}
}

// said returns the texts of the firm's messages.
func said(v chat.View) []string {
	texts := []string{}
	for _, m := range v.Messages {
		if m.From == chat.Firm && m.Text != "" {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// displayed returns what the customer sees of the firm's messages: texts, locations and the labels of buttons.
func displayed(v chat.View) []robot.Shown {
	list := []robot.Shown{}
	for _, m := range v.Messages {
		if m.From != chat.Firm {
			continue
		}
		if m.Text != "" {
			list = append(list, robot.Shown{Kind: "text", Text: m.Text})
		}
		if at := m.Location; at != nil {
			list = append(list, robot.Shown{Kind: "location", Longitude: &at.Longitude, Latitude: &at.Latitude})
		}
		for _, b := range m.Buttons {
			list = append(list, robot.Shown{Kind: "text", Text: b.Label})
		}
	}
	return list
}

package platform

import (
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/chat"
)

// mostChats bounds how many chats are kept; the oldest makes room.
const mostChats = 1000

// chats are the simulated chats, the oldest first.
type chats struct {
	mu   sync.Mutex
	list []openChat
}

type openChat struct {
	id string
	*chat.Chat
}

// ChatView is a chat as the control API shows it.
type ChatView struct {
	ID string `json:"id"`
	chat.View
}

func (c *chats) add(id string, of *chat.Chat) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.list) >= mostChats {
		c.list[0].Close()
		c.list = slices.Delete(c.list, 0, 1)
	}
	c.list = append(c.list, openChat{id, of})
}

func (c *chats) find(id string) (*chat.Chat, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, open := range c.list {
		if open.id == id {
			return open.Chat, nil
		}
	}
	return nil, api.Refuse(api.CodeNotFound, "no such chat")
}

// closeAll ends all chats.
func (c *chats) closeAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, open := range c.list {
		open.Close()
	}
	c.list = nil
}

// remove ends a chat.
func (c *chats) remove(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = slices.DeleteFunc(c.list, func(open openChat) bool {
		if open.id == id {
			open.Close()
		}
		return open.id == id
	})
}

// openChat begins a chat of somebody with an account.
func (p *Platform) openChat(r *request) (reply, error) {
	o, errs, err := jsonBody(r.c)
	if err != nil {
		return reply{}, err
	}
	from := digits("/from", o.Text("from", 40), errs)
	account := p.accountOf(o.OptionalText("account", longest), errs)
	o.Done()
	if err := errs.Err(); err != nil {
		return reply{}, err
	}
	id := p.calls.NewID()
	p.stories.changed(id)
	c := chat.New(chat.Options{
		Desk: p.desk, Clock: p.opts.Work, Step: func(s booking.Step) { p.stories.asked(id, s.Prompt()) },
	}, booking.Customer{Account: account, Call: id, Number: taxi.E164(from)})
	p.chats.add(id, c)
	return reply{status: http.StatusCreated, location: "/sim/v1/chats/" + id, body: ChatView{id, c.View(0)}}, nil
}

// getChat answers with the messages of a chat. With version it waits until there
// are others.
func (p *Platform) getChat(r *request) (reply, error) {
	id := r.c.Param("id")
	c, err := p.chats.find(id)
	if err != nil {
		return reply{}, err
	}
	if version, err := strconv.Atoi(r.c.Query("version")); err == nil {
		ctx, cancel := r.wait(longestWait)
		defer cancel()
		c.Wait(ctx, version)
	}
	from, _ := strconv.Atoi(r.c.Query("from"))
	return ok(ChatView{id, c.View(from)}), nil
}

// actInChat writes something, or presses a button. It is answered once the firm
// has answered.
func (p *Platform) actInChat(r *request) (reply, error) {
	c, err := p.chats.find(r.c.Param("id"))
	if err != nil {
		return reply{}, err
	}
	o, errs, err := jsonBody(r.c)
	if err != nil {
		return reply{}, err
	}
	text, press := o.OptionalText("text", 1000), o.OptionalText("press", 40)
	o.Done()
	if (text == "") == (press == "") && errs.Err() == nil {
		errs.Add("/text", "wants exactly one of text and press")
	}
	if err := errs.Err(); err != nil {
		return reply{}, err
	}
	ctx, cancel := r.wait(driveWithin)
	defer cancel()
	switch {
	case text != "":
		c.Write(ctx, text)
	case !c.Press(ctx, press):
		return reply{}, api.Refuse(api.CodeNotFound, "the latest message has no such button")
	}
	return noContent, nil
}

func (p *Platform) closeChat(r *request) (reply, error) {
	id := r.c.Param("id")
	if _, err := p.chats.find(id); err != nil {
		return reply{}, err
	}
	p.chats.remove(id)
	return noContent, nil
}

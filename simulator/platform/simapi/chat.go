package simapi

import (
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/booking/chat"
	"github.com/cabrank/cabrank/simulator/platform/rest"
)

// mostChats limits how many chats are stored; the oldest is removed first.
const mostChats = 1000

// chats are the simulated chats, oldest first.
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

// openChat starts a chat of a user with an account.
func (p *API) openChat(r *rest.Request) (rest.Reply, error) {
	var in struct {
		From    string `json:"from" limit:"required 1..40"`
		Account string `json:"account" limit:"0..256"`
	}
	errs := r.Bind(&in)
	from, account := digits("/from", in.From, errs), p.accountOf(in.Account, errs)
	if err := errs.Err(); err != nil {
		return rest.Reply{}, err
	}
	id := p.Calls.NewID()
	p.Stories.Changed(id)
	c := chat.New(chat.Options{
		Desk: p.Desk, Clock: p.Work, Step: func(s booking.Step) { p.Stories.Asked(id, s.Prompt()) },
	}, booking.Customer{Account: account, Call: id, Number: taxi.E164(from)})
	p.chats.add(id, c)
	return rest.Reply{Status: http.StatusCreated, Location: "/sim/v1/chats/" + id, Body: ChatView{id, c.View(0)}}, nil
}

// getChat returns the messages of a chat. With version, it waits for changes since that
// version.
func (p *API) getChat(r *rest.Request) (rest.Reply, error) {
	id := r.C.Param("id")
	c, err := p.chats.find(id)
	if err != nil {
		return rest.Reply{}, err
	}
	news(r, c.Wait)
	from, _ := strconv.Atoi(r.C.Query("from"))
	return rest.OK(ChatView{id, c.View(from)}), nil
}

// actInChat sends a text, or presses a button. It responds once the firm has replied.
func (p *API) actInChat(r *rest.Request) (rest.Reply, error) {
	c, err := p.chats.find(r.C.Param("id"))
	if err != nil {
		return rest.Reply{}, err
	}
	var do struct {
		Text  string `json:"text" limit:"0..1000"`
		Press string `json:"press" limit:"0..40"`
	}
	errs := r.Bind(&do)
	if (do.Text == "") == (do.Press == "") && errs.Err() == nil {
		errs.Add("/text", "wants exactly one of text and press")
	}
	if err := errs.Err(); err != nil {
		return rest.Reply{}, err
	}
	ctx, cancel := r.Wait(driveWithin)
	defer cancel()
	switch {
	case do.Text != "":
		c.Write(ctx, do.Text)
	case !c.Press(ctx, do.Press):
		return rest.Reply{}, api.Refuse(api.CodeNotFound, "the latest message has no such button")
	}
	return rest.NoContent, nil
}

func (p *API) closeChat(r *rest.Request) (rest.Reply, error) {
	id := r.C.Param("id")
	if _, err := p.chats.find(id); err != nil {
		return rest.Reply{}, err
	}
	p.chats.remove(id)
	return rest.NoContent, nil
}

package simapi

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/speech"
	"github.com/cabrank/cabrank/simulator/platform/voice"
	"github.com/cabrank/cabrank/simulator/platform/voice/soundline"
	"github.com/cabrank/cabrank/simulator/platform/voice/webline"
)

// Sound configures lines to browsers. With the zero value, there are no such lines.
type Sound struct {
	Speaker    speech.Speaker   // without a program, prompts are silent, and the browser speaks them
	Recogniser voice.Recogniser // nil: there is none
}

// soundView says what a line to a browser can do now; it may change when programs are installed. If both members are
// false, there are no such lines.
type soundView struct {
	Speaks      bool `json:"speaks"`
	Understands bool `json:"understands"`
}

func (s Sound) view() soundView {
	return soundView{Speaks: speech.Ready(s.Speaker), Understands: speech.Ready(s.Recogniser)}
}

// callHeader contains the id of the call in the response, for proxies of lines.
const callHeader = "X-Cabrank-Call"

func (p *API) getSound(*rest.Request) (rest.Reply, error) { return rest.OK(p.Sound.view()), nil }

// openLine receives a call from a browser. The request becomes a WebSocket, which carries the sound.
func (p *API) openLine(c *gin.Context) {
	can := p.Sound.view()
	if (can == soundView{}) {
		p.Fail(c, api.Refuse(api.CodeNotFound, "no program of this machine speaks or understands speech"))
		return
	}
	errs := &api.Errors{}
	from, to := p.parties(c.Query("from"), c.Query("to"), c.Query("account"), errs)
	if err := errs.Err(); err != nil {
		p.Fail(c, err)
		return
	}
	id := p.Calls.NewID()
	c.Header(callHeader, id)
	line, err := webline.Accept(c.Writer, c.Request, p.Work, id)
	if err != nil {
		c.Abort() // the response has been sent
		return
	}
	speaker := p.Sound.Speaker
	if !can.Speaks {
		speaker = silent{}
	}
	p.Stories.setMicrophone(id)
	leg := soundline.New(line, soundline.Options{Clock: p.Work, Speaker: speaker, Lost: -1}) // the line detects lost browsers itself
	if err := p.Calls.Receive(id, line.Leg(leg, func(speaks bool) { p.Stories.setSpeaking(id, speaks) }), from, to); err != nil {
		line.Refuse(err.Error())
		return
	}
	line.Serve()
	p.Stories.setSpeaking(id, false)
}

// silent is a speaker for browsers that speak the prompts themselves: it delivers silence of the same
// length.
type silent struct{}

// Speak implements [speech.Speaker].
func (silent) Speak(_ context.Context, text, _ string, rate int, deliver func([]int16) error) error {
	length := voice.Paced{}.Speak(text).Length
	return deliver(make([]int16, int(length*time.Duration(rate)/time.Second)))
}

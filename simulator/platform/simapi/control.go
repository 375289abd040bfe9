// Package simapi is the control API of the platform, below /sim/v1: what a simulation
// needs beyond the published interface. It provides telephones, chats and simulated
// customers, reports what calls have caused, and lets an operator add users, accounts and
// numbers.
package simapi

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/simulator/platform/access"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/booking"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/hooks"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/records"
	"github.com/cabrank/cabrank/simulator/platform/rest"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// ControlHeader contains the token of the control API, if there is one.
const ControlHeader = "X-Cabrank-Control"

// API is the control API. It uses no path of the published interface.
type API struct {
	*rest.API

	Phones     *phones.Registry
	Desk       *booking.Desk
	Taxi       *Taxi
	Stories    *Stories
	Deliverer  *hooks.Deliverer
	Recordings *calls.Recordings // nil: no recordings
	Sound      Sound

	Work         voice.Clock   // of chats and drives
	SIPServer    func() string // the address where real telephones log in; "": none
	ControlToken string        // the required token; "": none

	// Made runs a change that creates credentials, and passes them to the operator.
	Made func(ctx context.Context, c *access.Credentials, change func(*records.Tx) error) error

	chats chats
}

// Close ends all chats.
func (p *API) Close() { p.chats.closeAll() }

// Routes adds the paths.
func (p *API) Routes(e *gin.Engine) {
	e.GET("/sim/v1/recordings/:id", p.recording)
	s := e.Group("/sim/v1", p.controlOnly)
	s.POST("/keys", p.Answer(func(*rest.Request) (rest.Reply, error) { return rest.NoContent, p.Tokens.Rotate() }))
	s.POST("/reset", p.Answer(p.reset))
	s.GET("/calls", p.Answer(p.listCalls))
	s.GET("/calls/:id", p.Answer(p.getCall))
	s.DELETE("/calls/:id", p.Answer(p.hangUp))
	s.GET("/stories/:id", p.Answer(p.getStory))
	s.GET("/deliveries", p.Answer(p.listDeliveries))
	s.GET("/deliveries/:id", p.Answer(p.getDelivery))
	s.POST("/deliveries/:id/attempts", p.Answer(p.redeliver))
	s.POST("/phones", p.Answer(p.attachPhone))
	s.GET("/phones/:id", p.Answer(p.getPhone))
	s.POST("/phones/:id", p.Answer(p.actOnPhone))
	s.GET("/sound", p.Answer(p.getSound))
	s.GET("/lines", p.openLine)
	s.POST("/drive", p.Answer(p.drive))
	s.POST("/chats", p.Answer(p.openChat))
	s.GET("/chats/:id", p.Answer(p.getChat))
	s.POST("/chats/:id", p.Answer(p.actInChat))
	s.DELETE("/chats/:id", p.Answer(p.closeChat))
	s.POST("/users", p.Answer(p.addUser))
	s.POST("/users/:username/password", p.Answer(p.renewPassword))
	s.POST("/accounts", p.Answer(p.addAccount))
	s.POST("/accounts/:account/client", p.Answer(p.renewClient))
	s.POST("/accounts/:account/ddi", p.Answer(p.addDDI))
	s.POST("/accounts/:account/phones", p.Answer(p.addPhone))
	s.DELETE("/accounts/:account/phones/:user", p.Answer(p.deletePhone))
	s.GET("/accounts/:account/taxi", p.Answer(p.getTaxi))
	s.PUT("/accounts/:account/taxi", p.Answer(p.putTaxi))
	s.DELETE("/accounts/:account/trunk/:id", p.Answer(p.deleteTrunk))
	s.DELETE("/accounts/:account/hook/:id", p.Answer(p.deleteHook))
	s.DELETE("/accounts/:account/device/:id", p.Answer(p.deleteDevice))
}

// crossOrigin refuses requests from pages of other sites.
var crossOrigin = http.NewCrossOriginProtection()

// controlOnly accepts requests with the token of the control API. If there is none, it
// refuses requests of other sites' pages, which can send a request without a body.
func (p *API) controlOnly(c *gin.Context) {
	if err := crossOrigin.Check(c.Request); err != nil {
		p.Fail(c, api.Refuse(api.CodeOrigin, "a page of another site asks"))
		return
	}
	if !p.hasControl(c) {
		p.Fail(c, api.Refuse(api.CodeControlForbidden, "want the header %s; the token was printed when the platform started", ControlHeader))
	}
}

func (p *API) hasControl(c *gin.Context) bool {
	given, want := sha256.Sum256([]byte(c.GetHeader(ControlHeader))), sha256.Sum256([]byte(p.ControlToken))
	return p.ControlToken == "" || subtle.ConstantTimeCompare(given[:], want[:]) == 1
}

// reset hangs up and removes all calls, phones and chats; the settings of accounts stay.
func (p *API) reset(*rest.Request) (rest.Reply, error) {
	p.Phones.Reset()
	p.chats.closeAll()
	p.Calls.Reset()
	p.Stories.forget()
	return rest.NoContent, nil
}

// Limits of a list.
const (
	usualList = 100
	mostList  = 1000
)

// limit reads the maximum number of elements of a list.
func limit(c *gin.Context) int {
	n, err := strconv.Atoi(c.Query("limit"))
	if err != nil || n < 1 {
		return usualList
	}
	return min(n, mostList)
}

func (p *API) listCalls(r *rest.Request) (rest.Reply, error) {
	return rest.OK(p.Calls.List(r.C.Query("account"), limit(r.C))), nil
}

func (p *API) getCall(r *rest.Request) (rest.Reply, error) {
	call, known := p.Calls.Find(r.C.Param("id"))
	if !known {
		return rest.Reply{}, api.Refuse(api.CodeNotFound, "no such call, or it was over long ago")
	}
	return rest.OK(call), nil
}

func (p *API) hangUp(r *rest.Request) (rest.Reply, error) {
	return rest.NoContent, p.Calls.Hangup(r.C.Param("id"), "hung up by the operator")
}

// recording sends the WAV file of a recording. Operators and users with a role for
// recordings may download it.
func (p *API) recording(c *gin.Context) {
	if !p.hasControl(c) || p.ControlToken == "" && c.GetHeader("Authorization") != "" {
		who, err := p.Bearer(c)
		if err == nil {
			err = rest.Allowed(who, []string{api.RoleRecorder})
		}
		if err != nil {
			p.Fail(c, err)
			return
		}
	}
	if p.Recordings == nil {
		p.Fail(c, api.Refuse(api.CodeNotFound, "nothing is recorded here; --recordings names a folder for it"))
		return
	}
	file, known := p.Recordings.Open(c.Param("id"))
	if !known {
		p.Fail(c, api.Refuse(api.CodeNotFound, "no such recording"))
		return
	}
	defer file.Close()
	c.Header("Content-Type", "audio/wav")
	http.ServeContent(rest.LongAnswer{ResponseWriter: c.Writer}, c.Request, "", p.Now(), file)
}

func (p *API) listDeliveries(r *rest.Request) (rest.Reply, error) {
	q := r.C.Query
	list, err := p.Records.Deliveries(r.C.Request.Context(), records.DeliveryFilter{
		Account: q("account"), Hook: q("hook"), Call: q("call"), State: records.State(q("state")), Before: q("before"), Most: limit(r.C),
	})
	return rest.OK(list), err
}

func (p *API) getDelivery(r *rest.Request) (rest.Reply, error) {
	d, known, err := p.Records.Delivery(r.C.Request.Context(), r.C.Param("id"))
	if err == nil && !known {
		err = api.Refuse(api.CodeNotFound, "no such delivery")
	}
	return rest.OK(d), err
}

func (p *API) redeliver(r *rest.Request) (rest.Reply, error) {
	return rest.Reply{Status: http.StatusAccepted}, p.Deliverer.Redeliver(r.C.Request.Context(), r.C.Param("id"))
}

package platform

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/records"
)

// ControlHeader carries the control API's token, where one is asked for.
const ControlHeader = "X-Cabrank-Control"

// controlRoutes are the control API: what the interface leaves out and a
// simulation needs. It never uses the interface's own paths.
func (p *Platform) controlRoutes(e *gin.Engine) {
	e.GET("/sim/v1/recordings/:id", p.recording)
	s := e.Group("/sim/v1", p.controlOnly)
	s.POST("/keys", p.answer(func(*request) (reply, error) { return noContent, p.tokens.Rotate() }))
	s.POST("/reset", p.answer(p.reset))
	s.GET("/calls", p.answer(p.listCalls))
	s.GET("/calls/:id", p.answer(p.getCall))
	s.DELETE("/calls/:id", p.answer(p.hangUp))
	s.GET("/stories/:id", p.answer(p.getStory))
	s.GET("/deliveries", p.answer(p.listDeliveries))
	s.GET("/deliveries/:id", p.answer(p.getDelivery))
	s.POST("/deliveries/:id/attempts", p.answer(p.redeliver))
	s.POST("/phones", p.answer(p.attachPhone))
	s.GET("/phones/:id", p.answer(p.getPhone))
	s.POST("/phones/:id", p.answer(p.actOnPhone))
	s.POST("/drive", p.answer(p.drive))
	s.POST("/chats", p.answer(p.openChat))
	s.GET("/chats/:id", p.answer(p.getChat))
	s.POST("/chats/:id", p.answer(p.actInChat))
	s.DELETE("/chats/:id", p.answer(p.closeChat))
	s.POST("/users", p.answer(p.addUser))
	s.POST("/users/:username/password", p.answer(p.renewPassword))
	s.POST("/accounts", p.answer(p.addAccount))
	s.POST("/accounts/:account/client", p.answer(p.renewClient))
	s.POST("/accounts/:account/ddi", p.answer(p.addDDI))
	s.GET("/accounts/:account/taxi", p.answer(p.getTaxi))
	s.PUT("/accounts/:account/taxi", p.answer(p.putTaxi))
	s.DELETE("/accounts/:account/trunk/:id", p.answer(p.deleteTrunk))
	s.DELETE("/accounts/:account/hook/:id", p.answer(p.deleteHook))
	s.DELETE("/accounts/:account/device/:id", p.answer(p.deleteDevice))
}

// crossOrigin refuses requests that a page of another site makes.
var crossOrigin = http.NewCrossOriginProtection()

// controlOnly lets in who shows the control API's token. Where none is asked for, a page of
// another site could change something without being asked: it may send a request with no
// body.
func (p *Platform) controlOnly(c *gin.Context) {
	if err := crossOrigin.Check(c.Request); err != nil {
		p.fail(c, api.Refuse(api.CodeOrigin, "a page of another site asks"))
		return
	}
	if !p.hasControl(c) {
		p.fail(c, api.Refuse(api.CodeControlForbidden, "want the header %s; the token was printed when the platform started", ControlHeader))
	}
}

func (p *Platform) hasControl(c *gin.Context) bool {
	given, want := sha256.Sum256([]byte(c.GetHeader(ControlHeader))), sha256.Sum256([]byte(p.opts.ControlToken))
	return p.opts.ControlToken == "" || subtle.ConstantTimeCompare(given[:], want[:]) == 1
}

// reset hangs up all calls and forgets them, the phones and the chats; what
// accounts set up stays.
func (p *Platform) reset(*request) (reply, error) {
	p.phones.Reset()
	p.chats.closeAll()
	p.calls.Reset()
	p.stories.forget()
	return noContent, nil
}

// Bounds of a list.
const (
	usualList = 100
	mostList  = 1000
)

// limit reads how many elements a list may have.
func limit(c *gin.Context) int {
	n, err := strconv.Atoi(c.Query("limit"))
	if err != nil || n < 1 {
		return usualList
	}
	return min(n, mostList)
}

func (p *Platform) listCalls(r *request) (reply, error) {
	return ok(p.calls.List(r.c.Query("account"), limit(r.c))), nil
}

func (p *Platform) getCall(r *request) (reply, error) {
	call, known := p.calls.Find(r.c.Param("id"))
	if !known {
		return reply{}, api.Refuse(api.CodeNotFound, "no such call, or it was over long ago")
	}
	return ok(call), nil
}

func (p *Platform) hangUp(r *request) (reply, error) {
	return noContent, p.calls.Hangup(r.c.Param("id"), "hung up by the operator")
}

// recording sends a recording's WAV file. A user who may hear recordings can
// fetch it as well as the operator.
func (p *Platform) recording(c *gin.Context) {
	if !p.hasControl(c) || p.opts.ControlToken == "" && c.GetHeader("Authorization") != "" {
		who, err := p.bearer(c)
		if err == nil {
			err = allowed(who, []string{api.RoleRecorder})
		}
		if err != nil {
			p.fail(c, err)
			return
		}
	}
	if p.recordings == nil {
		p.fail(c, api.Refuse(api.CodeNotFound, "nothing is recorded here; --recordings names a folder for it"))
		return
	}
	file, known := p.recordings.Open(c.Param("id"))
	if !known {
		p.fail(c, api.Refuse(api.CodeNotFound, "no such recording"))
		return
	}
	defer file.Close()
	c.Header("Content-Type", "audio/wav")
	http.ServeContent(longAnswer{c.Writer}, c.Request, "", p.now(), file)
}

func (p *Platform) listDeliveries(r *request) (reply, error) {
	q := r.c.Query
	list, err := p.records.Deliveries(r.c.Request.Context(), records.DeliveryFilter{
		Account: q("account"), Hook: q("hook"), Call: q("call"), State: records.State(q("state")), Before: q("before"), Most: limit(r.c),
	})
	return ok(list), err
}

func (p *Platform) getDelivery(r *request) (reply, error) {
	d, known, err := p.records.Delivery(r.c.Request.Context(), r.c.Param("id"))
	if err == nil && !known {
		err = api.Refuse(api.CodeNotFound, "no such delivery")
	}
	return ok(d), err
}

func (p *Platform) redeliver(r *request) (reply, error) {
	return reply{status: http.StatusAccepted}, p.deliverer.Redeliver(r.c.Request.Context(), r.c.Param("id"))
}

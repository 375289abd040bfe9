package platform

import (
	"crypto/sha256"
	"crypto/subtle"

	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// ControlHeader carries the control API's token, where one is asked for.
const ControlHeader = "X-Cabrank-Control"

// controlRoutes are the control API: what the interface leaves out and a
// simulation needs. It never uses the interface's own paths.
func (p *Platform) controlRoutes(e *gin.Engine) {
	s := e.Group("/sim/v1", p.controlOnly)
	s.POST("/keys", p.answer(func(*request) (reply, error) { return noContent, p.tokens.Rotate() }))
}

// controlOnly lets in who shows the control API's token.
func (p *Platform) controlOnly(c *gin.Context) {
	if p.opts.ControlToken == "" {
		return
	}
	given, want := sha256.Sum256([]byte(c.GetHeader(ControlHeader))), sha256.Sum256([]byte(p.opts.ControlToken))
	if subtle.ConstantTimeCompare(given[:], want[:]) != 1 {
		p.fail(c, api.Refuse(api.CodeControlForbidden, "want the header %s; the token was printed when the platform started", ControlHeader))
	}
}

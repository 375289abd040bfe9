package platform

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/rest"
)

// pages adds the pages about the server itself, which need no credentials.
func (p *Platform) pages(e *gin.Engine) {
	e.GET("/", func(c *gin.Context) { c.String(http.StatusOK, contents) })
	e.GET("/livez", func(c *gin.Context) { c.String(http.StatusOK, "ok\n") })
	e.GET("/readyz", p.ready)
	e.GET("/version", p.rest.Answer(func(*rest.Request) (rest.Reply, error) {
		return rest.OK(About{Name: "cabrank platform", Version: p.opts.Version, Now: p.now()}), nil
	}))
	e.GET("/.well-known/jwks.json", p.rest.Answer(func(*rest.Request) (rest.Reply, error) { return rest.OK(p.tokens.JWKS()), nil }))
	for name, document := range api.Documents() {
		_, kind, _ := strings.Cut(name, ".")
		file := sync.OnceValue(func() http.Handler { return inbound.NewFile("application/"+kind, document) })
		e.GET("/openapi/"+name, func(c *gin.Context) { file().ServeHTTP(c.Writer, c.Request) })
	}
	e.GET("/problems/:code", p.explain)
}

// contents is the page at the root.
const contents = `This is cabrank platform, a reference voice platform.

REST API:     /api/v1              described in /openapi/rest.yaml, and rest.json
Voice API:    /channels/voice      described in /openapi/voice.yaml, and voice.json
Control API:  /sim/v1              described in /openapi/sim.yaml, and sim.json
What a refusal means:              /problems/{code}
Keys that tokens are signed with:  /.well-known/jwks.json
Alive, ready, which version:       /livez  /readyz  /version
`

// About is the response of /version.
type About struct {
	Name    string    `json:"name"` // "cabrank platform"
	Version string    `json:"version"`
	Now     time.Time `json:"now"`
}

// ready handles the readiness check: it responds with an error if changes or events cannot be stored.
func (p *Platform) ready(c *gin.Context) {
	err := p.records.Healthy(c.Request.Context(), p.now())
	if waiting, failed := p.deliverer.Trouble(); err == nil && failed != nil {
		err = api.Refuse(api.CodeStorage, "%d events wait to be kept; that is tried again each second", waiting)
	}
	if err != nil {
		p.rest.Fail(c, err)
		return
	}
	c.String(http.StatusOK, "ok\n")
}

// explain is the page that a problem's type refers to: as HTML for people, or as JSON for
// programs that request it.
func (p *Platform) explain(c *gin.Context) {
	code := api.Code(c.Param("code"))
	status, title, retryable, known := api.Explain(code)
	if !known {
		p.rest.Fail(c, api.Refuse(api.CodeNotFound, "no such problem; there are %s", codeList()))
		return
	}
	if strings.Contains(c.GetHeader("Accept"), "json") {
		p.rest.Respond(&rest.Request{C: c}, func(*rest.Request) (rest.Reply, error) { return rest.OK(api.Refuse(code, "")), nil })
		return
	}
	inbound.ProblemPage{Title: title, Code: string(code), Status: status, Retryable: retryable}.Send(c.Writer)
}

func codeList() string {
	var names []string
	for _, code := range api.Codes() {
		names = append(names, string(code))
	}
	return strings.Join(names, ", ")
}

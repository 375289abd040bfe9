package dispatch

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// pages adds the pages about the server. Reading them needs no credentials.
func (s *web) pages(e *gin.Engine, opts HTTPOptions) {
	e.GET("/livez", func(c *gin.Context) { c.String(http.StatusOK, "ok\n") })
	e.GET("/readyz", s.ready)
	e.GET("/", func(c *gin.Context) { c.String(http.StatusOK, contents) })
	e.GET("/version", func(c *gin.Context) { c.JSON(http.StatusOK, s.about(opts.Version)) })
	e.GET("/places", s.listPlaces)
	e.GET("/openapi.yaml", func(c *gin.Context) { contract().ServeHTTP(c.Writer, c.Request) })
	e.GET("/problems/:code", s.explain)
}

// contract is the file at /openapi.yaml.
var contract = sync.OnceValue(func() *inbound.File { return inbound.NewFile("application/yaml", taxi.OpenAPI()) })

// contents is the page at /.
const contents = `This is cabrank, a dispatch system for bookable taxis.

The operations, each POST with JSON in and out:
  /config  /user  /book  /cancel  /status
The contract, as OpenAPI 3.1:  /openapi.yaml
Where people want to go:       /places
What a refusal means:          /problems/{code}
Alive, ready, which version:   /livez  /readyz  /version
`

// about is the answer of /version.
type about struct {
	Name    string    `json:"name"` // "cabrank"
	Version string    `json:"version"`
	Now     time.Time `json:"now"` // on the world's clock, which may run ahead of the client's
	Clock   *Clock    `json:"clock,omitempty"`
}

func (s *web) about(version string) about {
	now, leave := s.enter()
	defer leave()
	a := about{Name: "cabrank", Version: version, Now: now}
	if s.clock != nil {
		runs := s.clock()
		a.Clock = &runs
	}
	return a
}

// ready answers /readyz: whether bookings can be stored.
func (s *web) ready(c *gin.Context) {
	if err := s.records.Healthy(); err != nil {
		s.fail(c, err)
		return
	}
	c.String(http.StatusOK, "ok\n")
}

// explain serves the page that a problem's type points to, as HTML, or as JSON if the client
// accepts it.
func (s *web) explain(c *gin.Context) {
	code := taxi.Code(c.Param("code"))
	k, ok := refusalKinds[code]
	if !ok {
		s.fail(c, refuse(taxi.CodeNotFound, "no such problem; there are %s", codeList()))
		return
	}
	p := taxi.Problem{Type: "/problems/" + string(code), Title: k.title, Status: k.status, Code: code, Retryable: k.retry > 0, Say: k.say}
	if strings.Contains(c.GetHeader("Accept"), "json") {
		body, _ := json.Marshal(p) // strings and numbers always encode
		write(c, http.StatusOK, jsonType, body)
		return
	}
	inbound.ProblemPage{Title: p.Title, Code: string(code), Status: p.Status, Retryable: p.Retryable, Say: p.Say}.Send(c.Writer)
}

func codeList() string {
	var b strings.Builder
	for i, code := range Codes() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(code))
	}
	return b.String()
}

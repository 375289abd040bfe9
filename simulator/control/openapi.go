package control

import (
	_ "embed" // the document
	"net/url"
	"sync"

	"github.com/cabrank/cabrank/dispatch/inbound"
)

// ReadDocument is a call of [Server].
var ReadDocument = Call[url.Values, []byte]{get("readDocument", "/openapi.json", "This document", readOpenAPI).free().answers("Document")}

//go:generate go test -run TestDocumentIsThatOfTheCalls -update .

//go:embed openapi/openapi.json
var openAPI string

// OpenAPI returns the OpenAPI document of the calls, as JSON. Each route describes
// itself, except for the journal's, which are described in the folder openapi. "go
// generate" creates the document, with the schemas from the Go types of the calls. The
// schemas of journeys and users come from the contract of the five operations.
func OpenAPI() []byte { return []byte(openAPI) }

// document is the file at /openapi.json.
var document = sync.OnceValue(func() *inbound.File { return inbound.NewFile("application/json", OpenAPI()) })

func readOpenAPI(c *call) (written, error) {
	document().ServeHTTP(c.w, c.r)
	return written{}, nil
}

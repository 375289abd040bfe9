package api

import (
	"embed"
	"sync"
)

//go:generate go run ./openapi

//go:embed *.yaml *.json
var documents embed.FS

// Documents returns the OpenAPI 3.1 documents by file name, in YAML and in JSON. The folder openapi has
// their sources.
var Documents = sync.OnceValue(func() map[string][]byte {
	all := map[string][]byte{}
	for _, name := range []string{"rest.yaml", "rest.json", "voice.yaml", "voice.json", "sim.yaml", "sim.json"} {
		all[name], _ = documents.ReadFile(name) // a test reads each
	}
	return all
})

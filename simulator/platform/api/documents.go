package api

import (
	"embed"
	"sync"

	"github.com/cabrank/cabrank/dispatch/packed"
)

//go:generate go run ./openapi

//go:embed *.yaml.gz *.json.gz
var documents embed.FS

// Documents returns the OpenAPI 3.1 documents by file name, in YAML and in JSON. The folder openapi has
// their sources.
var Documents = sync.OnceValue(func() map[string][]byte {
	all := map[string][]byte{}
	for _, name := range []string{"rest.yaml", "rest.json", "voice.yaml", "voice.json", "sim.yaml", "sim.json"} {
		zipped, _ := documents.ReadFile(name + ".gz") // without the file, Must panics
		all[name] = packed.Must(zipped)
	}
	return all
})

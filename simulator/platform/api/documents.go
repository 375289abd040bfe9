package api

import (
	_ "embed"
	"sync"

	"github.com/cabrank/cabrank/dispatch/packed"
)

//go:generate gzip -9nkf openapi/rest.yaml openapi/voice.yaml openapi/sim.yaml

var (
	//go:embed openapi/rest.yaml.gz
	restDocument []byte
	//go:embed openapi/voice.yaml.gz
	voiceDocument []byte
	//go:embed openapi/sim.yaml.gz
	simDocument []byte
)

// Documents returns the OpenAPI 3.1 documents by file name.
var Documents = sync.OnceValue(func() map[string][]byte {
	return map[string][]byte{
		"rest.yaml": packed.Must(restDocument), "voice.yaml": packed.Must(voiceDocument), "sim.yaml": packed.Must(simDocument),
	}
})

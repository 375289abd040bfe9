package api

import (
	_ "embed"
	"sync"

	"github.com/cabrank/cabrank/dispatch/packed"
)

//go:generate go run ./openapi

var (
	//go:embed rest.yaml.gz
	restDocument []byte
	//go:embed voice.yaml.gz
	voiceDocument []byte
	//go:embed sim.yaml.gz
	simDocument []byte
)

// Documents returns the OpenAPI 3.1 documents by file name. The folder openapi has their sources.
var Documents = sync.OnceValue(func() map[string][]byte {
	return map[string][]byte{
		"rest.yaml": packed.Must(restDocument), "voice.yaml": packed.Must(voiceDocument), "sim.yaml": packed.Must(simDocument),
	}
})

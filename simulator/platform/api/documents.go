package api

import _ "embed"

var (
	//go:embed openapi/rest.yaml
	restDocument []byte
	//go:embed openapi/voice.yaml
	voiceDocument []byte
	//go:embed openapi/sim.yaml
	simDocument []byte
)

// Documents returns the OpenAPI 3.1 documents by file name.
func Documents() map[string][]byte {
	return map[string][]byte{"rest.yaml": restDocument, "voice.yaml": voiceDocument, "sim.yaml": simDocument}
}

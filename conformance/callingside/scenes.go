package callingside

import (
	"bytes"
	_ "embed"
	"encoding/json"

	"github.com/cabrank/cabrank/conformance/callingside/rules"
)

// Placeholders in scenes.json for the ids of a scene's journeys.
const (
	ofScene  = "the journey of the scene" // the first
	ofSecond = "the second journey of the scene"
)

//go:embed scenes.json
var scenesText []byte

// allScenes returns the scenes in the order of playing: those of scenes.json, whose members are those of [scene] in small
// letters, and then those with another certificate or TLS version. Each play fills in the missing members of the requests:
// the caller, unique addresses, and a time a week ahead.
func allScenes() (all []*scene) {
	read := json.NewDecoder(bytes.NewReader(scenesText))
	read.DisallowUnknownFields()
	read.UseNumber() // 37.0 is sent so
	if err := read.Decode(&all); err != nil {
		panic("scenes.json: " + err.Error())
	}
	for _, m := range tlsModes() {
		all = append(all, &scene{Name: m.name, Checks: m.checks, Asks: []rules.Ask{{Want: rules.WantBook}}, TLS: m})
	}
	return all
}

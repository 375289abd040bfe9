// Command openapi expands the OpenAPI documents of the platform and writes them in YAML
// and JSON to the parent folder. Its own folder contains the sources, without
// repetitions; see common.yaml.
package main

import (
	"embed"
	"fmt"
	"os"
	"strings"

	"github.com/goccy/go-yaml"
)

//go:embed *.yaml
var sources embed.FS

func main() {
	for _, name := range []string{"rest.yaml", "rest.json", "voice.yaml", "voice.json", "sim.yaml", "sim.json"} {
		text, err := document(name)
		if err == nil {
			err = os.WriteFile(name, text, 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "openapi:", name, err)
			os.Exit(1)
		}
	}
}

// document returns the text of a file: an expanded document in YAML, or in JSON with its
// members in the same order.
func document(name string) ([]byte, error) {
	source, inJSON := strings.CutSuffix(name, ".json")
	if !inJSON {
		return expandedText(name)
	}
	text, err := expandedText(source + ".yaml")
	if err != nil {
		return nil, err
	}
	return yaml.YAMLToJSON(text)
}

// expandedText expands a source.
func expandedText(name string) ([]byte, error) {
	var short, common object
	for file, into := range map[string]*object{name: &short, "common.yaml": &common} {
		text, err := sources.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := yaml.UnmarshalWithOptions(text, into, yaml.UseOrderedMap()); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return yaml.MarshalWithOptions(expanded(short, common), yaml.UseLiteralStyleIfMultiline(true))
}

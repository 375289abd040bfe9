// Command openapi expands the OpenAPI documents of the platform and writes them,
// compressed, to the parent folder. Its own folder contains the sources, without
// repetitions; see common.yaml.
package main

import (
	"embed"
	"fmt"
	"os"

	"github.com/goccy/go-yaml"

	"github.com/cabrank/cabrank/dispatch/packed"
)

//go:embed *.yaml
var sources embed.FS

func main() {
	for _, name := range []string{"rest.yaml", "voice.yaml", "sim.yaml"} {
		text, err := document(name)
		if err == nil {
			err = os.WriteFile(name+".gz", packed.Zip(text), 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "openapi:", name, err)
			os.Exit(1)
		}
	}
}

// document returns an expanded document.
func document(name string) ([]byte, error) {
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

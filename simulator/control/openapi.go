package control

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"sync"

	"github.com/goccy/go-yaml"

	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/dispatch/packed"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

func openAPICalls() calls {
	return calls{get("readDocument", "/openapi.json", "This document", readOpenAPI).free().answers("Document")}.tagged("World")
}

//go:generate gzip -9nkf openapi/head.yaml openapi/journal.yaml openapi/town.yaml
//go:generate go test -run TestSchemasAreThoseOfTheTypes -update .

//go:embed openapi/*.gz
var openAPIFiles embed.FS

// document is the result of OpenAPI, created at the first use.
var document struct {
	once sync.Once
	text []byte
	file *inbound.File
}

// OpenAPI returns the OpenAPI document of the calls, as JSON. Each route describes
// itself, except for the journal's, which are described in the folder openapi. "go
// generate" creates the schemas from the Go types of the calls. The schemas of journeys
// and users come from the contract of the five operations.
func OpenAPI() []byte {
	document.once.Do(func() {
		var err error
		if document.text, err = joinedOpenAPI(); err != nil {
			panic(fmt.Sprintf("control: %v", err)) // the files are embedded
		}
		document.file = inbound.NewFile("application/json", document.text)
	})
	return document.text
}

// ofContract lists the schemas that the calls share with the five operations.
var ofContract = []string{
	"Point", "Address", "DateTime", "ETA", "Price", "PriceType", "Passenger", "Vehicle", "Driver", "JourneyStatus", "JourneyAnswer",
	"Journey", "Outcome", "CancelReason", "Settings", "Feature", "Option", "UserStatus", "EndUser", "SystemStatus", "ConfigResponse",
}

func joinedOpenAPI() ([]byte, error) {
	files, err := openAPIFiles.ReadDir("openapi")
	if err != nil {
		return nil, err
	}
	document := object{}
	for _, file := range files {
		zipped, err := openAPIFiles.ReadFile(path.Join("openapi", file.Name()))
		if err != nil {
			return nil, err
		}
		text, err := packed.Text(zipped)
		if err != nil {
			return nil, err
		}
		var part object
		if err := yaml.Unmarshal(text, &part); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
		join(document, part)
	}
	var contract struct {
		Components struct {
			Schemas object `yaml:"schemas"`
		} `yaml:"components"`
	}
	if err := yaml.Unmarshal(taxi.OpenAPI(), &contract); err != nil {
		return nil, err
	}
	schemas := object{}
	for _, name := range ofContract {
		schemas[name] = contract.Components.Schemas[name]
	}
	join(document, object{"components": object{"schemas": schemas}})
	for _, r := range allRoutes() {
		if r.id != "" {
			join(document, r.described())
		}
	}
	return json.Marshal(document)
}

// join adds the members of part to whole: objects are merged, lists are appended.
func join(whole, part object) {
	for name, value := range maps.All(part) {
		switch v := value.(type) {
		case object:
			if in, ok := whole[name].(object); ok {
				join(in, v)
				continue
			}
		case []any:
			if in, ok := whole[name].([]any); ok {
				whole[name] = append(in, v...)
				continue
			}
		}
		whole[name] = value
	}
}

func readOpenAPI(c *call) (written, error) {
	OpenAPI() // it is made once
	document.file.ServeHTTP(c.w, c.r)
	return written{}, nil
}

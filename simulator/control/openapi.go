package control

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path"
	"sync"

	"github.com/goccy/go-yaml"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

var openAPIRoutes = []route{get("/openapi.json", readOpenAPI).free()}

//go:embed openapi/*.yaml
var openAPIFiles embed.FS

// OpenAPI returns the document of the calls, as JSON. Each file of the folder openapi
// describes some of them, and what a journey or a user is comes from the contract of the
// five operations.
var OpenAPI = sync.OnceValue(func() []byte {
	document, err := joinedOpenAPI()
	if err != nil {
		panic(fmt.Sprintf("control: %v", err)) // the files are part of the program
	}
	return document
})

// ofContract is the schemas that the calls share with the five operations.
var ofContract = []string{
	"Point", "Address", "DateTime", "ETA", "Price", "PriceType", "Passenger", "Vehicle", "Driver", "JourneyStatus", "JourneyAnswer",
	"Journey", "Outcome", "CancelReason", "Settings", "Feature", "Option", "UserStatus", "EndUser", "SystemStatus", "ConfigResponse",
}

func joinedOpenAPI() ([]byte, error) {
	files, err := openAPIFiles.ReadDir("openapi")
	if err != nil {
		return nil, err
	}
	document := map[string]any{}
	for _, file := range files {
		text, err := openAPIFiles.ReadFile(path.Join("openapi", file.Name()))
		if err != nil {
			return nil, err
		}
		var part map[string]any
		if err := yaml.Unmarshal(text, &part); err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name(), err)
		}
		join(document, part)
	}
	var contract struct {
		Components struct {
			Schemas map[string]any `yaml:"schemas"`
		} `yaml:"components"`
	}
	if err := yaml.Unmarshal(taxi.OpenAPI, &contract); err != nil {
		return nil, err
	}
	schemas := map[string]any{}
	for _, name := range ofContract {
		schemas[name] = contract.Components.Schemas[name]
	}
	join(document, map[string]any{"components": map[string]any{"schemas": schemas}})
	return json.Marshal(document)
}

// join adds the members of a part to the whole: objects are joined member by member, lists
// one behind the other.
func join(whole, part map[string]any) {
	for name, value := range maps.All(part) {
		switch v := value.(type) {
		case map[string]any:
			if in, ok := whole[name].(map[string]any); ok {
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

func readOpenAPI(c *call) (any, error) {
	c.answered = true
	c.w.Header().Set("Content-Type", "application/json")
	c.w.WriteHeader(http.StatusOK)
	_, _ = c.w.Write(OpenAPI()) // an error means that the caller is gone
	return nil, nil
}

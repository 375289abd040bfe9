//go:build ignore

// The bill of materials of a binary, in CycloneDX 1.6.

package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"
)

type bill struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Hashes     []digest   `json:"hashes,omitempty"`
	Licences   []licence  `json:"licenses,omitempty"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type digest struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	Licence struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn,omitempty"`
}

// bill lists the modules that the compiler recorded in a binary, with the standard library.
// Its serial number follows from the binary, so that it is the same each time.
func (r *release) bill(path string, binary []byte, platform string) ([]byte, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(binary)
	own := golang("application", module, "v"+r.version)
	own.Hashes = []digest{{"SHA-256", hex.EncodeToString(sum[:])}}
	own.Properties = []property{{"cabrank:platform", platform}, {"cabrank:commit", r.commit}}
	own.Licences = make([]licence, 1)
	own.Licences[0].Licence.ID = "Apache-2.0"
	b := bill{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Serial:     uuid.NewSHA1(uuid.NameSpaceURL, sum[:]).URN(),
		Metadata:   metadata{r.date.Format(time.RFC3339), own},
		Components: []component{golang("library", "std", strings.TrimPrefix(info.GoVersion, "go"))},
	}
	for _, dep := range info.Deps {
		c, err := linked(dep)
		if err != nil {
			return nil, err
		}
		b.Components = append(b.Components, c)
	}
	all := dependency{Ref: own.Ref}
	for _, c := range b.Components {
		all.DependsOn = append(all.DependsOn, c.Ref)
	}
	b.Dependencies = []dependency{all} // what they need of each other is not recorded in a binary
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(b)
	return text.Bytes(), err
}

// linked is a module that is linked. Its hash is that of go.sum, in hexadecimal digits.
func linked(dep *debug.Module) (component, error) {
	if dep.Replace != nil {
		dep = dep.Replace
	}
	c := golang("library", dep.Path, dep.Version)
	sum, found := strings.CutPrefix(dep.Sum, "h1:")
	raw, err := base64.StdEncoding.DecodeString(sum)
	if err != nil || !found {
		return c, fmt.Errorf("%s has no checksum but %q", dep.Path, dep.Sum)
	}
	c.Hashes = []digest{{"SHA-256", hex.EncodeToString(raw)}}
	return c, nil
}

func golang(kind, path, version string) component {
	purl := "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
	return component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl}
}

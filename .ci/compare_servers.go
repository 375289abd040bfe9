//go:build ignore

// The servers that are compared.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/cabrank/cabrank/dispatch/taxi"
)

// The mocks' versions of the journey. Prism gets the project's own document with
// these paths only, so that the journey is its one example and no Prefer header need
// choose it. Mockoon's --repair fills in what its environment leaves out.
const (
	prismPaths = `{"/status": {"post": {
		"requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/JourneyRef"}}}},
		"responses": {"200": {"description": "The journey.", "content": {"application/json": {
			"schema": {"$ref": "#/components/schemas/JourneyAnswer"}, "example": %s}}}}}}}`
	mockoonEnvironment = `{"uuid": "6a0c6f0e-7c3c-4c55-8f3f-8d1f2a100000", "name": "journey", "lastMigration": 33,
		"rootChildren": [{"type": "route", "uuid": "6a0c6f0e-7c3c-4c55-8f3f-8d1f2a100001"}],
		"routes": [{"uuid": "6a0c6f0e-7c3c-4c55-8f3f-8d1f2a100001", "type": "http", "method": "post", "endpoint": "status",
			"responses": [{"uuid": "6a0c6f0e-7c3c-4c55-8f3f-8d1f2a100002", "default": true, "statusCode": 200,
				"headers": [{"key": "Content-Type", "value": "application/json"}],
				"bodyType": "INLINE", "disableTemplating": true, "body": %s}]}]}`
	wireMockMapping = `{"request": {"method": "POST", "urlPath": "/status"},
		"response": {"status": 200, "headers": {"Content-Type": "application/json"}, "body": %s}}`
)

func writeMockFiles(work string, answer []byte) error {
	var document map[string]any
	if err := yaml.Unmarshal(taxi.OpenAPI(), &document); err != nil {
		return fmt.Errorf("read openapi.yaml: %w", err)
	}
	document["paths"] = json.RawMessage(fmt.Appendf(nil, prismPaths, answer))
	prism, err := json.Marshal(document)
	if err != nil {
		return fmt.Errorf("write the document for Prism: %w", err)
	}
	quoted, err := json.Marshal(string(answer))
	if err != nil {
		return err
	}
	mappings := filepath.Join(work, "wiremock", "mappings")
	return errors.Join(
		os.MkdirAll(mappings, 0o755),
		os.WriteFile(filepath.Join(work, "prism.json"), prism, 0o644),
		os.WriteFile(filepath.Join(work, "mockoon.json"), fmt.Appendf(nil, mockoonEnvironment, quoted), 0o644),
		os.WriteFile(filepath.Join(mappings, "status.json"), fmt.Appendf(nil, wireMockMapping, quoted), 0o644),
	)
}

// contender is a server to compare, with its measurements.
type contender struct {
	name, version string
	command       command

	process     *process
	starts      []float64 // ms from process start to the first 200
	rates, p99s []float64 // of each round: answers a second, ms
	clients     []float64 // of each round: cores that the clients took
}

// mockServers returns how to run each mock. WireMock's jar runs without its package's Node.js
// wrapper. Mockoon stores one transaction, since with 0 it stores all of them and gets slower
// with each.
func mockServers(mocks, work string) []*contender {
	module := func(prefix, name string) string { return filepath.Join(mocks, prefix, "node_modules", name) }
	prism, mockoon, wiremock := module("prism", "@stoplight/prism-cli"), module("mockoon", "@mockoon/cli"), module("wiremock", "wiremock")
	return []*contender{
		{name: "Prism", version: installedVersion(prism), command: func(port string) []string {
			return []string{
				"node", filepath.Join(prism, "dist", "index.js"), "mock", filepath.Join(work, "prism.json"),
				"--host", "127.0.0.1", "--port", port, "--cors=false", "--verboseLevel", "silent",
			}
		}},
		{name: "Mockoon", version: installedVersion(mockoon), command: func(port string) []string {
			return []string{
				"node", filepath.Join(mockoon, "bin", "run.js"), "start", "--data", filepath.Join(work, "mockoon.json"), "--repair",
				"--hostname", "127.0.0.1", "--port", port,
				"--disable-log-to-file", "--disable-admin-api", "--max-transaction-logs", "1",
			}
		}},
		{name: "WireMock", version: installedVersion(wiremock), command: func(port string) []string {
			jar, _ := filepath.Glob(filepath.Join(wiremock, "build", "wiremock-standalone-*.jar")) // the pattern is well formed
			return slices.Concat([]string{"java", "-jar"}, jar, []string{
				"--root-dir", filepath.Join(work, "wiremock"), "--bind-address", "127.0.0.1", "--port", port, "--disable-banner",
				"--no-request-journal", "--disable-request-logging", "--use-chunked-encoding", "never",
			})
		}},
	}
}

// installedVersion reads the version of the package that npm put into a folder, or
// returns "" when there is none.
func installedVersion(module string) string {
	text, _ := os.ReadFile(filepath.Join(module, "package.json")) // none is the answer ""
	var manifest struct {
		Version string `json:"version"`
	}
	_ = json.Unmarshal(text, &manifest)
	return manifest.Version
}

// start starts the server several times, leaves the last one running, and makes sure
// that it answers the journey.
func (c *contender) start(ctx context.Context, s subject) error {
	if c.version == "" {
		return errors.New("it is not installed")
	}
	for range starts {
		c.process.stop()
		var took time.Duration
		var err error
		if c.process, took, err = launch(ctx, c.command, s.request); err != nil {
			return err
		}
		c.starts = append(c.starts, milliseconds(took))
	}
	answer, err := ask(c.process.address, s.request)
	if err == nil && !bytes.Equal(answer, s.answer) {
		err = fmt.Errorf("it answers %s, want %s", answer, s.answer)
	}
	if err != nil {
		c.process.stop()
	}
	return err
}

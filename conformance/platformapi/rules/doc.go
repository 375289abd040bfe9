// Package rules holds the catalogue of the suite that judges a voice platform's REST
// and Voice APIs, and the rules: pure functions over recorded calls. It knows the
// published interface and nothing about any server or how calls are made.
package rules

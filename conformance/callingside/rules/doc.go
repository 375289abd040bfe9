// Package rules holds the catalogue of the suite that judges the calling side of a third
// party, and the rules: pure functions over recorded calls and over the platform's reports
// of what its callers heard. It knows the published interface and nothing about any
// particular platform.
package rules

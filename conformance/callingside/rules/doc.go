// Package rules holds the catalogue of the suite that judges whoever calls a third
// party, and the rules: pure functions over recorded calls and over what the platform
// told of its caller's side. It knows the published interface and nothing of any
// platform.
package rules

// Package report writes the formats made from a run file: terminal text, HTML, JUnit,
// Markdown, HAR and curl commands. It judges nothing: each format shows the contents of
// the run file, for any suite.
package report

// Package report makes what people and programs read from a run file: the text of a
// terminal, HTML, JUnit, SARIF, Markdown, a badge, HAR and curl lines. It judges
// nothing: each format says what the run file says, for any suite.
package report

package report

import (
	"io"

	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/report/har"
)

// Format is an output format for run files.
type Format struct {
	Name   string // in lower case, as in flags and URLs: "junit"
	Help   string // its description, to follow "write"
	Media  string // its media type
	Ending string // its file extension, with the dot

	// Write writes the format. source is the file in which findings are shown, such as
	// "src/server.js", if the format shows them in a file; "": not known.
	Write func(w io.Writer, f *conformance.RunFile, source string) error
}

// plainly writes a format that shows no source file.
func plainly(write func(io.Writer, *conformance.RunFile) error) func(io.Writer, *conformance.RunFile, string) error {
	return func(w io.Writer, f *conformance.RunFile, _ string) error { return write(w, f) }
}

// Formats lists the formats besides the run file itself.
func Formats() []Format {
	return []Format{
		{"json", "the verdicts to this file as JSON", "application/json", ".json", plainly(func(w io.Writer, f *conformance.RunFile) error { return f.WriteJSON(w) })},
		{"html", "a report as one HTML page that works offline", "text/html; charset=utf-8", ".html", plainly(WriteHTML)},
		{"junit", "JUnit XML", "application/xml", ".xml", plainly(WriteJUnit)},
		{"sarif", "SARIF 2.1.0 for GitHub code scanning", "application/sarif+json", ".sarif", WriteSARIF},
		{"markdown", "a summary in Markdown", "text/markdown; charset=utf-8", ".md", plainly(WriteMarkdown)},
		{"badge", "a badge, SVG", "image/svg+xml", ".svg", plainly(WriteBadge)},
		{"har", "every request as HAR 1.2", "application/json", ".har", plainly(har.Write)},
		{"http", "every request as a .http file, for editors that send requests", "text/plain; charset=utf-8", ".http", plainly(WriteHTTPFile)},
	}
}

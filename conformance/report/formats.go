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
	Write  func(io.Writer, *conformance.RunFile) error
}

// Formats lists the formats besides the run file itself.
func Formats() []Format {
	return []Format{
		{"json", "the verdicts to this file as JSON", "application/json", ".json", func(w io.Writer, f *conformance.RunFile) error { return f.WriteJSON(w) }},
		{"html", "a report as one HTML page that works offline", "text/html; charset=utf-8", ".html", WriteHTML},
		{"junit", "JUnit XML", "application/xml", ".xml", WriteJUnit},
		{"markdown", "a summary in Markdown", "text/markdown; charset=utf-8", ".md", WriteMarkdown},
		{"har", "every request as HAR 1.2", "application/json", ".har", har.Write},
	}
}

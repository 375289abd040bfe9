package controlling

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	journal "github.com/cabrank/cabrank/conformance/journal/live"
)

// call is a recorded request.
type call struct{ journal.Document }

// what returns a short name of the request with its status, such as "/book 200".
func (r *call) what() string {
	name := "/" + r.Op
	if r.Op == "" || r.Method != http.MethodPost { // not one of the operations, or not a POST
		name = r.Method + " " + pathOf(r.URL)
	}
	if r.Status == 0 {
		return cli.Line(name) + " no answer"
	}
	cut := ""
	if r.Error != "" { // the response is incomplete
		cut = "…"
	}
	return fmt.Sprintf("%s %d%s", cli.Line(name), r.Status, cut)
}

// pathOf returns the path and the query of a URL, or "/" if it has none.
func pathOf(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		return rest[i:]
	}
	return "/"
}

// inks maps verdicts, and levels of findings, to colours.
var inks = map[string]cli.Ink{"ok": cli.Green, "warn": cli.Yellow, "fail": cli.Red, "must": cli.Red, "should": cli.Yellow, "note": cli.Dim}

func painted(colour bool, v journal.Verdict) string {
	return cli.Paint(colour, inks[string(v)], cli.Printable(string(v)))
}

// line describes the request in one line, with the last three digits of the phone number.
func (r *call) line(colour bool) string {
	parts := []string{
		fmt.Sprintf("%5d", r.ID), r.Wall.Local().Format(time.TimeOnly), fmt.Sprintf("%-12s", r.what()), fmt.Sprintf("%6.1f ms", r.TookMS),
		cli.Paint(colour, inks[string(r.Verdict)], fmt.Sprintf("%-4s", cli.Printable(string(r.Verdict)))),
	}
	if n := len(r.Phone); n > 3 {
		parts = append(parts, "***"+cli.Printable(r.Phone[n-3:]))
	}
	if r.Untold != "" {
		parts = append(parts, "made "+cli.Line(r.Untold)+", never sent")
	} else if id := r.IDs["journeyId"]; id != "" {
		parts = append(parts, cli.Line(id))
	}
	if r.Fault != "" {
		parts = append(parts, cli.Paint(colour, cli.Magenta, "fault "+cli.Line(r.Fault)))
	}
	if text := r.gravest(); text != "" {
		parts = append(parts, text)
	}
	return strings.Join(parts, "  ")
}

// gravest returns the most severe finding about the request and the number of further ones, or "" if there is none.
func (r *call) gravest() string {
	var all []string
	for _, level := range []string{"must", "should", "note"} {
		for _, f := range r.Findings {
			if f.About == "request" && f.Level == level {
				all = append(all, cli.Line(f.Rule)+" "+cli.Line(f.Message))
			}
		}
	}
	if len(all) > 1 {
		return fmt.Sprintf("%s (and %d more)", all[0], len(all)-1)
	}
	return strings.Join(all, "")
}

// whole describes the request in several lines, with its findings and both bodies.
func (r *call) whole(colour bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d  %s  %s %s  %.1f ms\n", r.ID, r.what(), cli.Line(r.Method), cli.Line(r.URL), r.TookMS)
	fmt.Fprintf(&b, "  began          %s; in the world %s\n", r.Wall.Format(time.RFC3339), r.At.Format(time.RFC3339))
	fmt.Fprintf(&b, "  verdict        %s (on the answer: %s)\n", painted(colour, r.Verdict), painted(colour, r.Answered))
	if r.Untold != "" {
		fmt.Fprintf(&b, "  made           %s, but no response was sent\n", cli.Line(r.Untold))
	}
	if r.Fault != "" {
		fmt.Fprintf(&b, "  fault          %s %s\n", cli.Line(r.Fault), cli.Line(r.Kind))
	}
	if r.Error != "" {
		fmt.Fprintf(&b, "  error          %s\n", cli.Line(r.Error))
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "  %s  %s, %s: %s\n", cli.Paint(colour, inks[f.Level], fmt.Sprintf("%-6s", cli.Line(f.Level))), cli.Line(f.Rule), cli.Line(f.About), cli.Line(f.Message))
		for _, detail := range [][2]string{{"at", f.Pointer}, {"wanted", f.Expected}, {"got", f.Got}, {"clause", f.Clause}, {"cure", f.Hint}} {
			if detail[1] != "" {
				fmt.Fprintf(&b, "          %-7s%s\n", detail[0], cli.Line(detail[1]))
			}
		}
	}
	b.WriteString(bodyLine("sent", r.Sent) + bodyLine("answered", r.Answer))
	return b.String()
}

// bodyLine describes a body; "" if there was none.
func bodyLine(name string, h *journal.Half) string {
	if h == nil {
		return ""
	}
	text := string(h.Body) + h.Text
	if len(h.Base64) > 0 {
		text = "(base64) " + base64.StdEncoding.EncodeToString(h.Base64)
	}
	if h.Cut > 0 {
		text += fmt.Sprintf(" … and %d bytes more", h.Cut)
	}
	return fmt.Sprintf("  %-14s %s\n", name, cli.Line(text))
}

// printableText replaces terminal control characters in a text of several lines.
func printableText(text string) string {
	var b strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		bare := strings.TrimRight(line, "\r\n")
		b.WriteString(cli.Printable(bare) + line[len(bare):])
	}
	return b.String()
}

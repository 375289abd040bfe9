package conformance

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/cabrank/cabrank/conformance/jsonvalue"
)

// WriteLongJSON writes v as [WriteJSON] does, with elements in its only empty array that is
// called member. Elements are written one by one, so that a long history is never in memory as
// text. depth is the number of objects around the array.
func WriteLongJSON(w io.Writer, v any, member string, depth, elements int, element func(int) any) error {
	var text bytes.Buffer
	if err := WriteJSON(&text, v); err != nil {
		return err
	}
	indent := strings.Repeat("  ", depth)
	head, tail, found := bytes.Cut(text.Bytes(), []byte("\n"+indent+`"`+member+`": []`))
	if !found || elements == 0 {
		_, err := w.Write(text.Bytes())
		return err
	}
	out := bufio.NewWriter(w) // returns the first error from Flush
	fmt.Fprintf(out, "%s\n%s%q: [", head, indent, member)
	for i := range elements {
		if i > 0 {
			_ = out.WriteByte(',')
		}
		if err := writeElement(out, element(i), indent+"  "); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\n%s]%s", indent, tail)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// writeElement writes one element of an array on lines of its own.
func writeElement(out *bufio.Writer, v any, indent string) error {
	var text bytes.Buffer
	if err := jsonvalue.Encode(&text, v, indent, "  "); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if _, err := fmt.Fprintf(out, "\n%s%s", indent, bytes.TrimSuffix(text.Bytes(), []byte("\n"))); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

package voice

import (
	"strings"

	"github.com/cabrank/cabrank/simulator/platform/api"
)

// FieldError is one thing that is wrong with a document or a request.
type FieldError = api.FieldError

// Errors is everything that is wrong with a document or a request; it is never
// empty.
type Errors []FieldError

// Error lists all of it on one line.
func (e Errors) Error() string {
	var b strings.Builder
	for i, field := range e {
		if i > 0 {
			b.WriteString("; ")
		}
		if field.Pointer != "" {
			b.WriteString(field.Pointer + ": ")
		}
		b.WriteString(field.Detail)
	}
	return b.String()
}

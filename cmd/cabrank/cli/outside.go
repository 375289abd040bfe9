package cli

import (
	"io"
	"slices"
	"strings"
	"time"
)

// Outside is what a command may know of the world around it.
type Outside struct {
	Stdout, Stderr io.Writer
	Environ        []string // NAME=value
}

// Getenv returns the value of a variable; the last one counts, as in os.Getenv.
func (o Outside) Getenv(name string) string {
	for _, variable := range slices.Backward(o.Environ) {
		if value, ok := strings.CutPrefix(variable, name+"="); ok {
			return value
		}
	}
	return ""
}

// Now is the one place where the program reads the wall clock; everything else
// has it handed in.
func Now() time.Time { return time.Now() }

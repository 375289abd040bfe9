package cli

import (
	"io"
	"slices"
	"strings"
	"time"
)

// Outside is what a command gets from its process: streams, environment and signals.
type Outside struct {
	Stdin          io.Reader // nil: that of the process
	Stdout, Stderr io.Writer
	Environ        []string // NAME=value
}

// Getenv returns the value of a variable. If it is set twice, the last value counts, as
// in os.Getenv.
func (o Outside) Getenv(name string) string {
	value, _ := o.lookup(name)
	return value
}

// lookup is Getenv; it also reports whether the variable is set, even to an empty value.
func (o Outside) lookup(name string) (value string, there bool) {
	for _, variable := range slices.Backward(o.Environ) {
		if value, there = strings.CutPrefix(variable, name+"="); there {
			return value, true
		}
	}
	return "", false
}

// Now is the only place where the program reads the wall clock; all other code receives
// the time as an argument.
func Now() time.Time { return time.Now() }

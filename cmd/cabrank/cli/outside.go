package cli

import (
	"io"
	"slices"
	"strings"
	"time"
)

// Outside is what a command may know of the world around it.
type Outside struct {
	Stdin          io.Reader // nil: the process's
	Stdout, Stderr io.Writer
	Environ        []string // NAME=value
}

// Getenv returns the value of a variable; the last one counts, as in os.Getenv.
func (o Outside) Getenv(name string) string {
	value, _ := o.lookup(name)
	return value
}

// lookup is Getenv, and says whether the variable is there, be it empty.
func (o Outside) lookup(name string) (value string, there bool) {
	for _, variable := range slices.Backward(o.Environ) {
		if value, there = strings.CutPrefix(variable, name+"="); there {
			return value, true
		}
	}
	return "", false
}

// Now is the one place where the program reads the wall clock; everything else
// has it handed in.
func Now() time.Time { return time.Now() }

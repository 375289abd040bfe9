package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// nearEnough is how many letters may be wrong in a word for another to be suggested.
const nearEnough = 2

// meant returns a question that suggests the words nearest to a word; "": none is
// near.
func meant(word string, words []string) string {
	near := Nearest(word, words)
	if len(near) == 0 || Changes(word, near[0]) > nearEnough {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// noCommand says that there is no command of a name, and which was perhaps meant.
func noCommand(root *cobra.Command, name string) error {
	var names []string
	for _, cmd := range root.Commands() {
		names = append(names, cmd.Name())
	}
	suggestion := cmp.Or(meant(name, names), ";")
	return UsageError("there is no command %q%s '%s --help' lists them", name, suggestion, root.CommandPath())
}

// meantFlag suggests a flag for one that a command has not: complaint is what the
// parser said.
func meantFlag(cmd *cobra.Command, complaint string) string {
	name, ok := strings.CutPrefix(complaint, "unknown flag: --")
	if !ok {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return strings.TrimSuffix(meant("--"+name, names), "?")
}

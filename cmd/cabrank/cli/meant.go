package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// nearEnough is how many letters may be wrong in a word for another to be suggested.
const nearEnough = 2

// Meant returns a question that suggests the words nearest to a word; "": none is
// near.
func Meant(word string, words []string) string {
	near := Nearest(word, words)
	if len(near) == 0 || Changes(word, near[0]) > nearEnough {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// noCommand says that there is no command of a name, and which was perhaps meant.
func noCommand(root *cobra.Command, name string) error {
	names := Verbs(root)
	for _, cmd := range root.Commands() {
		names = append(names, cmd.Name())
	}
	suggestion := cmp.Or(Meant(name, names), ";")
	return UsageError("there is no command %q%s '%s --help' lists them", name, suggestion, root.CommandPath())
}

// refuseUnknown has commands that only hold others refuse a word that is none of them. Cobra shows
// their help and ends with 0, so that a mistyped command in a script would succeed.
func refuseUnknown(of *cobra.Command) {
	for _, cmd := range of.Commands() {
		if cmd.HasSubCommands() && !cmd.Runnable() {
			cmd.RunE = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return noCommand(cmd, args[0])
				}
				return cmd.Help()
			}
		}
		refuseUnknown(cmd)
	}
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
	return strings.TrimSuffix(Meant("--"+name, names), "?")
}

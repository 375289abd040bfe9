package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// nearEnough is the largest number of wrong letters for which another word is suggested.
const nearEnough = 2

// Meant returns a question that suggests the words nearest to word, or "" if none is
// near.
func Meant(word string, words []string) string {
	near := Nearest(word, words)
	if len(near) == 0 || Changes(word, near[0]) > nearEnough {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// noCommand returns the error for an unknown command, with the names that may have been
// meant.
func noCommand(root *cobra.Command, name string) error {
	names := Actions(root)
	for _, cmd := range root.Commands() {
		names = append(names, cmd.Name())
	}
	suggestion := cmp.Or(Meant(name, names), ";")
	return UsageError("there is no command %q%s '%s --help' lists them", name, suggestion, root.CommandPath())
}

// refuseUnknown makes commands that only group others fail on an unknown subcommand.
// Cobra would print their help and exit with 0, so that a mistyped command in a script
// would succeed.
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

// suggestFlag returns a suggestion in place of an unknown flag, or "" if no flag is near. complaint is the error text of
// the parser.
func suggestFlag(cmd *cobra.Command, complaint string) string {
	name, ok := strings.CutPrefix(complaint, "unknown flag: --")
	if !ok {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return strings.TrimSuffix(Meant("--"+name, names), "?")
}

// Nearest returns up to three of words: of those that need the fewest changes of letters to become word.
func Nearest(word string, words []string) []string {
	const most = 3
	var found []string
	for _, w := range words {
		if len(found) > 0 {
			switch cmp.Compare(Changes(word, w), Changes(word, found[0])) {
			case 1:
				continue
			case -1:
				found = nil
			}
		}
		found = append(found, w)
	}
	return found[:min(most, len(found))]
}

// Changes returns how many letters must be added, dropped or replaced, and neighbours swapped, to turn a into b.
func Changes(a, b string) int {
	before, last, row := []int(nil), []int(nil), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			same := last[j]
			if a[i] != b[j] {
				same++
			}
			row[j+1] = min(same, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}

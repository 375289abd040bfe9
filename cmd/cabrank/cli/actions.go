package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Action is one thing that a command does. The word after the command's name selects it: save in
// 'cabrank snapshot save NAME'.
type Action struct {
	Use   string   // the word and its arguments; in brackets: the action that needs no word
	Does  string   // description for the help
	Flags []string // flags of the command that only such actions take; an action [ID] takes them only without an id
	Local bool     // sends no request: --url, --sandbox and --token are refused

	Complete cobra.CompletionFunc // completes the arguments; nil: no completions
	Run      func(cmd *cobra.Command, args []string) error
}

// word returns the word that selects an action; "" if there is none.
func (a Action) word() string {
	word, _, _ := strings.Cut(a.Use, " ")
	word = strings.Trim(word, "[]")
	if word == strings.ToUpper(word) { // an argument
		return ""
	}
	return word
}

// needsNoWord reports whether a command performs this action if its arguments select no other.
func (a Action) needsNoWord() bool { return strings.HasPrefix(a.Use, "[") }

// actionsNote is the annotation of a command that lists the words of its actions.
const actionsNote = "actions"

// Actions returns the words that select the actions of a command.
func Actions(cmd *cobra.Command) []string { return strings.Fields(cmd.Annotations[actionsNote]) }

// WithActions adds actions to a command. Without a word, a command with no action in brackets prints its help.
func WithActions(cmd *cobra.Command, actions ...Action) *cobra.Command {
	describe(cmd, actions)
	cmd.Args = func(cmd *cobra.Command, args []string) error { return checkAction(cmd, actions, args) }
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a, rest := actionOf(actions, args)
		if a.Run == nil {
			return cmd.Help()
		}
		return a.Run(cmd, rest)
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) (offered []cobra.Completion, _ cobra.ShellCompDirective) {
		a, rest := actionOf(actions, args)
		if a.Complete != nil {
			offered, _ = a.Complete(cmd, rest, typed)
		}
		for _, a := range actions {
			if len(args) == 0 && a.word() != "" {
				offered = append(offered, a.word()+"\t"+a.Does)
			}
		}
		return offered, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// describe adds the actions to the help and the usage line of a command, and stores their words in its annotations.
func describe(cmd *cobra.Command, actions []Action) {
	var words, uses []string
	width := 0
	for _, a := range actions {
		width = max(width, utf8.RuneCountInString(a.Use))
	}
	cmd.Long += "\n\nActions:"
	for _, a := range actions {
		cmd.Long += fmt.Sprintf("\n  %-*s  %s", width, a.Use, a.Does)
		words = append(words, a.word())
		use := a.Use
		if a.needsNoWord() {
			use = strings.Trim(use, "[]")
		}
		uses = append(uses, use)
	}
	cmd.Annotations = map[string]string{actionsNote: strings.Join(words, " ")}
	cmd.Use += " [" + strings.Join(uses, " | ") + "]"
}

// actionOf returns the action that the first argument selects, or else the one that needs no word, and the remaining
// arguments. Without such an action, a is zero.
func actionOf(actions []Action, args []string) (a Action, rest []string) {
	for _, a := range actions {
		if len(args) > 0 && args[0] != "" && a.word() == args[0] {
			return a, args[1:]
		}
	}
	i := slices.IndexFunc(actions, Action.needsNoWord)
	if i < 0 {
		return a, args
	}
	return actions[i], args
}

// checkAction returns a usage error for an unknown action, a wrong number of arguments, or a flag of another action.
func checkAction(cmd *cobra.Command, actions []Action, args []string) error {
	a, rest := actionOf(actions, args)
	least, most := a.arguments()
	if most == 0 && len(rest) > 0 && len(rest) == len(args) { // no action has this name
		return noCommand(cmd, rest[0])
	}
	if len(rest) < least || len(rest) > most {
		return wantUse(strings.TrimSpace(cmd.CommandPath()+" "+a.Use)+" [flags]", rest)
	}
	var others []string // flags that another action takes
	for _, other := range actions {
		others = append(others, other.Flags...)
	}
	if a.Local {
		others = append(others, "url", "sandbox", "token")
	}
	what, takes := a.word(), a.Flags
	if what == "" && len(rest) > 0 {
		what, takes = strings.Trim(a.Use, "[]"), nil
	}
	var wrong error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(others, f.Name) && !slices.Contains(takes, f.Name) {
			wrong = UsageError("--%s does not go with '%s'; '%s --help' shows the flags", f.Name, strings.TrimSpace(cmd.CommandPath()+" "+what), cmd.CommandPath())
		}
	})
	return wrong
}

// arguments returns how many arguments an action takes: [ID] is optional, and … stands for any number.
func (a Action) arguments() (least, most int) {
	fields := strings.Fields(a.Use)
	if a.word() != "" {
		fields = fields[1:]
	}
	for _, field := range fields {
		switch {
		case strings.HasPrefix(field, "…"):
			return least, 1 << 10
		case !strings.HasPrefix(field, "["):
			least++
		}
		most++
	}
	return least, most
}

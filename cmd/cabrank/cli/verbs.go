package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Verb is one thing that a command does, by the word that follows its name: save in 'cabrank
// snapshot save NAME'.
type Verb struct {
	Use   string   // the word and its arguments; in brackets: what the command does by itself
	Does  string   // one sentence for the help, without its full stop
	Flags []string // those of the command that only some verbs take
	Local bool     // asks no server: --url, --sandbox and --token are refused

	Complete cobra.CompletionFunc // of its arguments; nil: nothing is offered
	Run      func(cmd *cobra.Command, args []string) error
}

// word is "" for what a command does by itself only.
func (v Verb) word() string {
	word, _, _ := strings.Cut(v.Use, " ")
	word = strings.Trim(word, "[]")
	if word == strings.ToUpper(word) { // an argument
		return ""
	}
	return word
}

// alone reports what a command does without a verb.
func (v Verb) alone() bool { return strings.HasPrefix(v.Use, "[") }

// verbsNote is the annotation of a command that has verbs: their words.
const verbsNote = "verbs"

// Verbs returns the words that a command takes as its verb.
func Verbs(cmd *cobra.Command) []string { return strings.Fields(cmd.Annotations[verbsNote]) }

// WithVerbs lets a command do what its verbs say. A command that does nothing by itself prints its help.
func WithVerbs(cmd *cobra.Command, verbs ...Verb) *cobra.Command {
	describe(cmd, verbs)
	cmd.Args = func(cmd *cobra.Command, args []string) error { return checkVerb(cmd, verbs, args) }
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		v, rest := verbOf(verbs, args)
		if v.Run == nil {
			return cmd.Help()
		}
		return v.Run(cmd, rest)
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) (offered []cobra.Completion, _ cobra.ShellCompDirective) {
		v, rest := verbOf(verbs, args)
		if v.Complete != nil {
			offered, _ = v.Complete(cmd, rest, typed)
		}
		for _, v := range verbs {
			if len(args) == 0 && v.word() != "" {
				offered = append(offered, v.word()+"\t"+v.Does)
			}
		}
		return offered, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// describe writes the verbs into the help of a command.
func describe(cmd *cobra.Command, verbs []Verb) {
	var words, uses []string
	width := 0
	for _, v := range verbs {
		width = max(width, utf8.RuneCountInString(v.Use))
	}
	cmd.Long += "\n\nActions:"
	for _, v := range verbs {
		cmd.Long += fmt.Sprintf("\n  %-*s  %s", width, v.Use, v.Does)
		words = append(words, v.word())
		use := v.Use
		if v.alone() {
			use = strings.Trim(use, "[]")
		}
		uses = append(uses, use)
	}
	cmd.Annotations = map[string]string{verbsNote: strings.Join(words, " ")}
	cmd.Use += " [" + strings.Join(uses, " | ") + "]"
}

// verbOf returns the verb that is meant, and its arguments.
func verbOf(verbs []Verb, args []string) (v Verb, rest []string) {
	for _, v := range verbs {
		if len(args) > 0 && v.word() == args[0] {
			return v, args[1:]
		}
	}
	i := slices.IndexFunc(verbs, Verb.alone)
	if i < 0 {
		return v, args
	}
	return verbs[i], args
}

// checkVerb refuses a word that is no verb, arguments that a verb does not take, and flags of other verbs.
func checkVerb(cmd *cobra.Command, verbs []Verb, args []string) error {
	v, rest := verbOf(verbs, args)
	least, most := v.arguments()
	if most == 0 && len(rest) > 0 && len(rest) == len(args) { // it names no verb, and what is done without one takes nothing
		return noCommand(cmd, rest[0])
	}
	if len(rest) < least || len(rest) > most {
		return wantUse(strings.TrimSpace(cmd.CommandPath()+" "+v.Use)+" [flags]", rest)
	}
	var others []string // flags that another verb takes
	for _, other := range verbs {
		others = append(others, other.Flags...)
	}
	if v.Local {
		others = append(others, "url", "sandbox", "token")
	}
	var wrong error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(others, f.Name) && !slices.Contains(v.Flags, f.Name) {
			wrong = UsageError("--%s does not go with '%s'; '%s --help' shows the flags", f.Name, strings.TrimSpace(cmd.CommandPath()+" "+v.word()), cmd.CommandPath())
		}
	})
	return wrong
}

// arguments is how many arguments a verb takes: [ID] may be left out, and … may be many.
func (v Verb) arguments() (least, most int) {
	fields := strings.Fields(v.Use)
	if v.word() != "" {
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

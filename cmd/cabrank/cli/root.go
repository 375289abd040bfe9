package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Group is a few commands under one title in the help.
type Group struct {
	Title    string
	Commands []*cobra.Command
}

// Root returns the root command with the commands of groups.
func Root(out Outside, groups func(Outside) []Group) *cobra.Command {
	return newRoot(out, groups(out), sources{})
}

func newRoot(out Outside, groups []Group, from sources) *cobra.Command {
	var whichVersion bool
	root := &cobra.Command{
		Use:   "cabrank",
		Short: "A dispatch system for bookable taxis, and a conformance suite for yours",
		Long: `Cabrank is the reference implementation of the bookable-taxi interface.

Every flag is also an environment variable, such as CABRANK_SERVE_SPEED=60, and a setting in cabrank.json
(or --config FILE), such as {"serve": {"speed": 60}}. Flags take precedence over the environment, and
the environment over the file. Commands share ` + strings.Join(sharedSettings, ", ") + `:
CABRANK_URL=…, {"url": "…"}.`,
		Example: `  cabrank demo         start everything on loopback ports, and watch a taxi
  cabrank serve        run a dispatch system with a simulated fleet
  cabrank check URL    test a dispatch system: a verdict for each requirement
  cabrank book         book a taxi at any dispatch system`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if whichVersion {
				return printVersion(out)
			}
			return cmd.Help()
		},
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := bindSettings(cmd, out, from); err != nil && !aboutProgram(cmd) {
				return err
			}
			return colour(cmd, out)
		},
	}
	root.SetIn(out.Stdin)
	root.SetOut(out.Stdout)
	root.SetErr(out.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		what := err.Error()
		if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
			what = wrongValue(wrong.GetFlag(), wrong.GetValue())
		}
		return UsageError("%s; '%s --help' shows the flags", what+suggestFlag(cmd, what), cmd.CommandPath())
	})
	root.PersistentFlags().String("config", "", "settings file, JSON (default cabrank.json when it is there)")
	root.PersistentFlags().String("color", "auto", "colour the output: auto, always or never")
	Share(root.PersistentFlags(), "color")
	root.Flags().BoolVarP(&whichVersion, "version", "v", false, "print the version, like 'cabrank version'")
	addGroups(root, append(groups, Group{groupAbout, []*cobra.Command{newVersion(out), newLicenses(out), newCompletion(out, root)}}))
	root.SetHelpCommand(newHelp(root))
	root.CompletionOptions.DisableDefaultCmd = true
	refuseUnknown(root)
	return root
}

// groupAbout is the title of the commands about the program itself.
const groupAbout = "About the program:"

// aboutProgram reports whether a command runs even with invalid settings: somebody who looks for a mistake in them must
// still be able to read the help and the version.
func aboutProgram(cmd *cobra.Command) bool {
	for c := cmd; c.HasParent(); c = c.Parent() {
		if c.GroupID == groupAbout || strings.HasPrefix(c.Name(), "__") { // commands that shells run to complete words
			return true
		}
	}
	return !cmd.HasParent()
}

// addGroups adds commands under their titles; cobra's own commands join the last group.
func addGroups(root *cobra.Command, groups []Group) {
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.Title, Title: g.Title})
		for _, cmd := range g.Commands {
			cmd.GroupID = g.Title
			root.AddCommand(cmd)
		}
		root.SetHelpCommandGroupID(g.Title)
	}
}

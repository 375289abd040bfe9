package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan(out Outside, root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages of all commands to a folder",
		Long: `Write a manual page for each command to a folder. If the folder does not exist, it is created. The packages
of a release contain these pages.`,
		Example: "  cabrank man ~/.local/share/man/man1 && man cabrank-serve",
		Args:    ExactArgs("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			return writeManPages(out, root, args[0])
		},
	}
}

func writeManPages(out Outside, root *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return UsageError("%w", err)
	}
	var wrong []error
	pages := 0
	Walk(root, func(cmd *cobra.Command) {
		if !cmd.IsAvailableCommand() && cmd.HasParent() {
			return
		}
		wrong = append(wrong, os.WriteFile(filepath.Join(dir, manName(cmd)+".1"), []byte(manPage(cmd)), 0o644))
		pages++
	})
	if err := errors.Join(wrong...); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out.Stdout, "%d pages in %s\n", pages, dir)
	return err
}

// manName is the name of a command's page, such as cabrank-fault-add.
func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage returns the page of a command in the format of man(7): one macro or one line of
// text per line.
func manPage(cmd *cobra.Command) string {
	b := thisBuild()
	day, _, _ := strings.Cut(b.Date, "T")
	var p strings.Builder
	fmt.Fprintf(&p, ".TH %q 1 %q %q\n", strings.ToUpper(manName(cmd)), day, "cabrank "+b.Version)
	fmt.Fprintf(&p, ".nh\n.ad l\n.SH NAME\n%s \\- %s\n", roff(manName(cmd)), roff(cmd.Short))
	fmt.Fprintf(&p, ".SH SYNOPSIS\n.B %s\n", roff(cmd.UseLine()))
	p.WriteString(".SH DESCRIPTION\n")
	manText(&p, longOrShort(cmd))
	manFlags(&p, "OPTIONS", cmd.NonInheritedFlags())
	manFlags(&p, "OPTIONS OF ALL COMMANDS", cmd.InheritedFlags())
	if cmd.HasExample() {
		fmt.Fprintf(&p, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roffLines(cmd.Example))
	}
	if !cmd.HasParent() {
		p.WriteString(".SH EXIT STATUS\n")
		manText(&p, exitStatus)
	}
	manSeeAlso(&p, cmd)
	return p.String()
}

// exitStatus explains the constants of exit.go.
const exitStatus = `  0    all is well
  1    a MUST failed, or a server refused
  2    the command line, the environment or the settings file is wrong
  3    nothing could be tested or asked
  4    the program itself failed
  130  it was interrupted`

func longOrShort(cmd *cobra.Command) string {
	if cmd.Long != "" {
		return cmd.Long
	}
	return cmd.Short + "."
}

// manText writes paragraphs of text; indented lines are not wrapped.
func manText(p *strings.Builder, text string) {
	indented := false
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		line = strings.TrimRight(line, "\n")
		if is := strings.HasPrefix(line, " "); is != indented {
			p.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[is])
			indented = is
		}
		if line == "" {
			p.WriteString(".PP\n")
			continue
		}
		p.WriteString(roff(line) + "\n")
	}
	if indented {
		p.WriteString(".fi\n")
	}
}

func manFlags(p *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(p, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if value != "" {
			name += " " + value
		}
		if !slices.Contains([]string{"", "false", "0", "0s", "[]"}, f.DefValue) {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(p, ".TP\n.B %s\n%s\n", roff(name), roffLines(usage))
	})
}

// manSeeAlso names the parent command and the subcommands.
func manSeeAlso(p *strings.Builder, cmd *cobra.Command) {
	var names []string
	if cmd.HasParent() {
		names = append(names, manName(cmd.Parent()))
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			names = append(names, manName(sub))
		}
	}
	for i, name := range names {
		names[i] = ".BR " + roff(name) + " (1)"
	}
	if len(names) > 0 {
		fmt.Fprintf(p, ".SH SEE ALSO\n%s\n", strings.Join(names, " ,\n"))
	}
}

// roff escapes a line of text.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}

func roffLines(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := range lines {
		lines[i] = roff(lines[i])
	}
	return strings.Join(lines, "\n")
}

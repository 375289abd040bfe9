package controlling

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/fault"
)

func newFault(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var all bool
	cmd := flags.command(out, cli.WithActions(&cobra.Command{
		Use:   "fault",
		Short: "Add, list and remove faults of a running server",
		Long: `Add faults to a server of 'cabrank serve': lost responses, refusals, broken JSON, cars that do not come.
A fault ends after --times requests, at --to, or after --ttl (default fifteen minutes of the world's clock).

The catalogue has the check of 'cabrank check' that detects each fault, and needs no server. 'cabrank scenario start flaky' adds a
group of faults.`,
		Example: `  cabrank fault add commit-then-drop --op book --times 1
  cabrank fault list
  cabrank fault rm f-1
  cabrank fault rm --all
  cabrank fault catalogue status`,
	},
		flags.action(verb{use: "[list]", does: "list the faults of a server, and what remains of each", call: control.ListFaults, show: shown(printFaults)}),
		cli.Action{Use: "rm [ID …]", Does: "remove faults", Flags: []string{"all"}, Complete: flags.eachFault, Run: func(cmd *cobra.Command, ids []string) error {
			return flags.removeFaults(cmd, all, ids)
		}},
		cli.Action{
			Use: "catalogue [FAULT]", Does: "list all faults there are, or show one with its parameters", Local: true, Complete: completeKinds,
			Run: func(_ *cobra.Command, args []string) error { return flags.catalogue(args) },
		}))
	cmd.Flags().BoolVar(&all, "all", false, "with rm: remove all faults")
	cmd.AddCommand(newFaultAdd(out))
	return cmd
}

func printFaults(w io.Writer, all control.Faults) error {
	return table(w, "faults", all.Faults, func(l fault.Listed) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s", cli.Printable(l.ID), cli.Printable(l.Do.Kind), cli.Printable(requestsMatched(l.Match)), stands(l))
	})
}

// requestsMatched describes in words the requests that a rule applies to.
func requestsMatched(m fault.Match) string {
	words := []string{"any call"}
	if m.Op != "" {
		words[0] = "/" + string(m.Op)
	}
	for name, value := range map[string]string{"of": m.Phone.Masked(), "user": string(m.User), "journey": string(m.Journey)} {
		if value != "" && (name != "of" || m.Phone != "") {
			words = append(words, name+" "+value)
		}
	}
	slices.Sort(words[1:])
	if m.Nth > 0 {
		words = append(words, fmt.Sprintf("no. %d", m.Nth))
	}
	if m.Probability > 0 {
		words = append(words, fmt.Sprintf("%g%% of them", float64(m.Probability)*100))
	}
	return strings.Join(words, ", ")
}

// stands describes the state of a rule in words: how often it has applied, how often it may still apply, and when it
// ends.
func stands(l fault.Listed) string {
	text := fmt.Sprintf("%s, hit %d", l.State, l.Hits)
	if l.Left != nil {
		text += fmt.Sprintf(", %d left", *l.Left)
	}
	if l.State != fault.Over && l.EndsIn > 0 {
		text += fmt.Sprintf(", ends in %s", time.Duration(l.EndsIn).Round(time.Second))
	}
	return text
}

func (f *serverFlags) removeFaults(cmd *cobra.Command, all bool, ids []string) error {
	if all == (len(ids) > 0) {
		return cli.UsageError("want the ids of faults, as 'cabrank fault list' prints them, or --all")
	}
	if all {
		return f.remove(cmd, control.ClearFaults)
	}
	for _, id := range ids {
		if err := f.remove(cmd, control.RemoveFault, id); err != nil {
			return err
		}
	}
	return nil
}

// eachFault completes every argument with the ids of the faults on the server.
func (f *serverFlags) eachFault(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return f.names(control.ListFaults, "faults", "id", "do.kind")(cmd.Context()), cobra.ShellCompDirectiveNoFileComp
}

// catalogue prints all kinds of faults, or only the one that args name.
func (f *serverFlags) catalogue(args []string) error {
	all := fault.Catalogue()
	if len(args) == 1 {
		i := slices.IndexFunc(all, func(f fault.Fault) bool { return f.Name == args[0] })
		if i < 0 {
			if is, known := fault.Renamed(args[0]); known {
				return cli.UsageError("%s is now an example of a fault with parameters: %s", args[0], is)
			}
			return cli.UsageError("there is no fault %q; the nearest is %s", args[0], strings.Join(cli.Nearest(args[0], kinds()), ", "))
		}
		all = all[i : i+1]
	}
	return f.printValue(all, func(w io.Writer, _ []byte) error { return printCatalogue(w, all, len(args) == 1) })
}

func printCatalogue(w io.Writer, all []fault.Fault, whole bool) error {
	for _, f := range all {
		fmt.Fprintf(w, "%-9s  %s", f.Group, proofLine(f.Name, f.Proof))
		if !whole {
			for _, x := range f.Examples {
				fmt.Fprintf(w, "%-9s  %s", "", proofLine("  "+x.String(), x.Proof))
			}
			continue
		}
		fmt.Fprintf(w, "happens to  %s\n", strings.Join(words(f.Ops), ", "))
		done := "the request has no effect"
		if f.Done {
			done = "the request takes effect"
		}
		fmt.Fprintf(w, "dispatch    %s\n", done)
		if f.Unnoticed != "" {
			fmt.Fprintf(w, "no check    %s\n", f.Unnoticed)
		}
		for _, p := range f.Parameters {
			fmt.Fprintf(w, "%-11s %s: %s%s\n", p.Name, p.Type, p.Means, bounds(p))
		}
		for _, x := range f.Examples {
			fmt.Fprintf(w, "example     %s", proofLine(x.String(), x.Proof))
		}
	}
	return nil
}

// proofLine returns a line with the name of a fault, the check that detects it, and its effect.
func proofLine(name string, p fault.Proof) string {
	return fmt.Sprintf("%-36s  %-7s  %s\n", name, cmp.Or(p.NoticedBy, "none"), p.Does)
}

// bounds describes the values that a parameter accepts; "" if any is accepted.
func bounds(p fault.Parameter) string {
	var says []string
	switch {
	case len(p.OneOf) > 0:
		var all []string
		for _, v := range p.OneOf {
			all = append(all, fmt.Sprint(v))
		}
		says = append(says, "one of "+strings.Join(all, ", "))
	case p.Least != nil:
		says = append(says, fmt.Sprintf("%s to %s", plain(p.Least), plain(p.Most)))
	}
	if p.Default != nil {
		says = append(says, "usually "+plain(p.Default))
	}
	if len(says) == 0 {
		return ""
	}
	return " (" + strings.Join(says, "; ") + ")"
}

// plain formats a value as text, without the quotation marks of JSON.
func plain(v any) string {
	if m, ok := v.(interface{ MarshalText() ([]byte, error) }); ok {
		text, err := m.MarshalText()
		if err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(v)
}

// kinds returns the names of all faults in the catalogue.
func kinds() []string {
	var names []string
	for _, f := range fault.Catalogue() {
		names = append(names, f.Name)
	}
	return names
}

func completeKinds(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var all []string
	for _, f := range fault.Catalogue() {
		all = append(all, f.Name+"\t"+f.Does)
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

func newMagic(out cli.Outside) *cobra.Command {
	var flags serverFlags
	return flags.command(out, &cobra.Command{
		Use:   "magic",
		Short: "List the callers' numbers that select users and faults",
		Long: `List the meaning of the last three digits of a caller's number: the user, or the fault. No server is
needed. With --url, also list the numbers from 900 on that are defined on that server.`,
		Example: `  cabrank magic
  cabrank magic --json
  cabrank book --phone 442079460503
  cabrank magic --url http://127.0.0.1:8080`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("url") {
				return flags.ask(cmd, control.ListMagic, shown(printMagic), nil)
			}
			return flags.printValue(control.Magic{Base: fault.MagicBase, Alias: fault.MagicAlias, Numbers: fault.MagicNumbers()}, shown(printMagic))
		},
	})
}

func printMagic(w io.Writer, table control.Magic) error {
	if len(table.Numbers) == 0 {
		_, err := fmt.Fprintln(w, "no number selects a fault on that server: it was started with --no-magic")
		return err
	}
	for _, m := range table.Numbers {
		line := fmt.Sprintf("%-16s  %s", m.Numbers(), m.Means)
		if m.Fault != "" {
			line += fmt.Sprintf(" [%s]", strings.TrimSpace(strings.Join(words(m.Ops), " ")+": "+m.Fault))
		}
		if _, err := fmt.Fprintln(w, cli.Printable(line)); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "\n%sNNN has the same meaning from 200 on.\n", cli.Line(table.Alias))
	return err
}

// words converts values to texts.
func words[S ~string](all []S) []string {
	list := make([]string, len(all))
	for i, s := range all {
		list[i] = string(s)
	}
	return list
}

package controlling

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/fault"
)

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

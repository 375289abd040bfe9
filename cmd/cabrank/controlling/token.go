package controlling

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/tokens"
)

func newToken(out cli.Outside) *cobra.Command {
	var f serverFlags
	cmd := f.verbs(&cobra.Command{
		Use:   "token",
		Short: "Give persons and teams tokens of their own for one server",
		Long: `Add and remove tokens for the control API of a server of 'cabrank serve' that has a token of its own. A token has one of
these rights:

  read        read every world and the metrics
  sandboxes   also create sandboxes, and do everything in those that it owns
  everything  all calls, such as moving the clock of the main world, and these tokens`,
		Example: `  cabrank token add ann --may sandboxes   # prints the token, which is not shown again
  cabrank token add ci --may sandboxes --sandboxes 50 --for 90d
  cabrank token add grafana --may read
  cabrank token list
  cabrank token remove ann`,
	},
		verb{use: "[list]", does: "list the tokens of a server", call: control.ListTokens, show: shown(printTokens)},
		verb{
			use: "add NAME", does: "add a token for a person or a team, and print it once", call: control.AddToken, show: shown(printNewToken),
			flags: []string{"may", "sandboxes", "for"}, set: func(body object, name string) { body["name"] = name },
		},
		verb{
			use: "remove NAME", does: "remove a token; its sandboxes stay", call: control.RemoveToken, names: f.names(control.ListTokens, "tokens", "name"),
		})
	f.addServer(cmd, out)
	fs := cmd.Flags()
	fs.String("may", string(tokens.MaySandboxes), "what it allows: read, sandboxes or everything")
	fs.Int("sandboxes", 0, "how many sandboxes it may own at once (default 20)")
	fs.String("for", "", "time until it expires, such as 30d or 8h (default it does not expire)")
	cli.Offer(cmd, "may", string(tokens.MayRead), string(tokens.MaySandboxes), string(tokens.MayEverything))
	return cmd
}

func printNewToken(w io.Writer, made control.NewToken) error {
	_, err := fmt.Fprintln(w, cli.Printable(made.Secret))
	return err
}

func printTokens(w io.Writer, all control.TokenList) error {
	return table(w, "tokens", all.Tokens, func(t tokens.Token) string {
		may, until := string(t.May), "does not expire"
		if t.May == tokens.MaySandboxes {
			may = fmt.Sprintf("%d sandboxes", t.Sandboxes)
		}
		if !t.Expires.IsZero() {
			until = "until " + t.Expires.Format(time.RFC3339)
		}
		return fmt.Sprintf("%s\t%s\tmade %s\t%s", cli.Printable(t.Name), cli.Printable(may), t.Made.Format(time.RFC3339), until)
	})
}

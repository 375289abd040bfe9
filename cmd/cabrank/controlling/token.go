package controlling

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/tokens"
)

func newToken(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var order control.TokenOrder
	cmd := cli.WithActions(&cobra.Command{
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
		flags.one("[list]", "list the tokens of a server", nil,
			by(printTokens, func(c *calls, ctx context.Context, _ string) (list control.TokenList, err error) {
				list.Tokens, err = c.Tokens(ctx)
				return list, err
			})),
		cli.Action{
			Use: "add NAME", Does: "add a token for a person or a team, and print it once", Flags: []string{"may", "sandboxes", "for"},
			Run: func(cmd *cobra.Command, args []string) error {
				order.Name = args[0]
				return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
					return shownBy(printNewToken)(c.AddToken(ctx, order))
				})
			},
		},
		flags.one("remove NAME", "remove a token; its sandboxes stay", flags.tokens, removing((*calls).RemoveToken)))
	flags.addServer(cmd, out)
	fs := cmd.Flags()
	fs.StringVar((*string)(&order.May), "may", string(tokens.MaySandboxes), "what it allows: read, sandboxes or everything")
	fs.IntVar(&order.Sandboxes, "sandboxes", 0, "how many sandboxes it may own at once (default 20)")
	fs.StringVar(&order.For, "for", "", "time until it expires, such as 30d or 8h (default it does not expire)")
	complete(cmd, "may", []string{string(tokens.MayRead), string(tokens.MaySandboxes), string(tokens.MayEverything)})
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

// tokens returns the names of a server's tokens, for shell completion.
func (f *serverFlags) tokens(ctx context.Context) []string {
	return f.live(ctx, func(c *calls, ctx context.Context) ([]string, error) {
		return namedBy(func(t tokens.Token) string { return t.Name })(c.Tokens(ctx))
	})
}

package phoning

import (
	"net/url"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

func newPassword(out cli.Outside) *cobra.Command {
	var c client
	cmd := &cobra.Command{
		Use:   "password NAME",
		Short: "Give a user a new password, and print it",
		Long: `Give a user a new password, and print it once. The old password becomes invalid. A platform with
--credentials-file also writes it to that file.`,
		Example: "  cabrank platform user password admin",
		Args:    cli.ExactArgs("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.post(cmd, out, "/sim/v1/users/"+url.PathEscape(args[0])+"/password", nil)
		},
	}
	c.add(cmd.Flags())
	return cmd
}

func newClient(out cli.Outside) *cobra.Command {
	var c client
	cmd := &cobra.Command{
		Use:   "client ACCOUNT",
		Short: "Give an account a new client id, and print it",
		Long: `Give an account, by its id or name, a new client id for the Voice API, and print it once. The old client
id becomes invalid. A platform with --credentials-file also writes it to that file.`,
		Example: "  cabrank platform account client 'Otterbridge Taxis'",
		Args:    cli.ExactArgs("ACCOUNT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.post(cmd, out, "/sim/v1/accounts/"+url.PathEscape(args[0])+"/client", nil)
		},
	}
	c.add(cmd.Flags())
	return cmd
}

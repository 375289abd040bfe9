package phoning

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// newUser, newAccount and newDDI return the commands that change who is known to a
// running platform.
func newUser(out cli.Outside) *cobra.Command {
	return group("user", "Add users to a running platform, and renew their passwords", newAddUser(out), newPassword(out))
}

func newAccount(out cli.Outside) *cobra.Command {
	return group("account", "Add accounts to a running platform, and renew their client ids", newAddAccount(out), newClient(out))
}

func newDDI(out cli.Outside) *cobra.Command {
	return group("ddi", "Add numbers to a running platform", newAddDDI(out))
}

// group is a command that only has others below it.
func group(name, short string, below ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: name, Short: short, Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(below...)
	return cmd
}

func newAddUser(out cli.Outside) *cobra.Command {
	var c client
	var roles []string
	cmd := &cobra.Command{
		Use:     "add NAME",
		Short:   "Add a user, and print a new password",
		Example: "  cabrank platform user add night-shift --role VoiceChannel",
		Args:    cli.ExactArgs("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.post(cmd, out, "/sim/v1/users", map[string]any{"username": args[0], "roles": roles})
		},
	}
	c.add(cmd.Flags())
	cmd.Flags().StringSliceVar(&roles, "role", []string{"OrganisationAdmin"}, "OrganisationAdmin, AdminRecorder or VoiceChannel; may be given several times")
	return cmd
}

func newAddAccount(out cli.Outside) *cobra.Command {
	var c client
	var mbn, domain, country string
	cmd := &cobra.Command{
		Use:     "add NAME",
		Short:   "Add an account, and print its id and client id",
		Example: "  cabrank platform account add 'Airport Cars' --mbn 441632960300",
		Args:    cli.ExactArgs("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.post(cmd, out, "/sim/v1/accounts", map[string]any{"name": args[0], "mbn": mbn, "domain": domain, "country": country})
		},
	}
	c.add(cmd.Flags())
	cmd.Flags().StringVar(&mbn, "mbn", "", "main billing number: digits, in international form without a plus sign")
	cmd.Flags().StringVar(&domain, "domain", "", "its SIP domain")
	cmd.Flags().StringVar(&country, "country", "gb", "country of national numbers: two letters")
	return cmd
}

func newAddDDI(out cli.Outside) *cobra.Command {
	var c client
	var account string
	cmd := &cobra.Command{
		Use:     "add NUMBER",
		Short:   "Allocate a number to an account",
		Example: "  cabrank platform ddi add 441632960104 --account 'Otterbridge Taxis'",
		Args:    cli.ExactArgs("NUMBER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if account == "" {
				return cli.UsageError("--account is missing: want the id or the name of an account")
			}
			return c.post(cmd, out, "/sim/v1/accounts/"+url.PathEscape(account)+"/ddi", map[string]any{"name": args[0]})
		},
	}
	c.add(cmd.Flags())
	cmd.Flags().StringVar(&account, "account", "", "id or name of the account")
	return cmd
}

// post makes something and prints what it is.
func (c *client) post(cmd *cobra.Command, out cli.Outside, path string, body any) error {
	if err := c.connect(); err != nil {
		return err
	}
	var made json.RawMessage
	if err := c.do(cmd.Context(), http.MethodPost, path, body, &made); err != nil {
		return fmt.Errorf("not done: %w", err)
	}
	return cli.PrintJSON(out.Stdout, made)
}

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

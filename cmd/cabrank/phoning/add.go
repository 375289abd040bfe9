package phoning

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// newUser returns the command that adds users to a running platform and renews their passwords.
func newUser(out cli.Outside) *cobra.Command {
	var c client
	var roles []string
	cmd := cli.WithActions(&cobra.Command{
		Use:   "user",
		Short: "Add users to a running platform, and renew their passwords",
		Long: `Add a user to a running platform, or give one a new password. The password is printed once, and an old one becomes
invalid. A platform with --credentials-file also writes it to that file.`,
		Example: `  cabrank platform user add night-shift --role VoiceChannel
  cabrank platform user password admin`,
	},
		cli.Action{Use: "add NAME", Does: "add a user, and print a new password", Flags: []string{"role"}, Run: func(cmd *cobra.Command, args []string) error {
			return c.post(cmd, out, "/sim/v1/users", map[string]any{"username": args[0], "roles": roles})
		}},
		cli.Action{Use: "password NAME", Does: "give a user a new password, and print it", Run: func(cmd *cobra.Command, args []string) error {
			return c.post(cmd, out, "/sim/v1/users/"+url.PathEscape(args[0])+"/password", nil)
		}})
	c.add(cmd.Flags())
	cmd.Flags().StringSliceVar(&roles, "role", []string{"OrganisationAdmin"}, "with add: OrganisationAdmin, AdminRecorder or VoiceChannel; may be given several times")
	return cmd
}

// newAccount returns the command that adds accounts to a running platform and renews their client ids.
func newAccount(out cli.Outside) *cobra.Command {
	var c client
	var mbn, domain, country string
	cmd := cli.WithActions(&cobra.Command{
		Use:   "account",
		Short: "Add accounts to a running platform, and renew their client ids",
		Long: `Add an account to a running platform, or give one, by its id or name, a new client id for the Voice API. The client
id is printed once, and an old one becomes invalid. A platform with --credentials-file also writes it to that file.`,
		Example: `  cabrank platform account add 'Airport Cars' --mbn 441632960300
  cabrank platform account client 'Otterbridge Taxis'`,
	},
		cli.Action{
			Use: "add NAME", Does: "add an account, and print its id and client id", Flags: []string{"mbn", "domain", "country"},
			Run: func(cmd *cobra.Command, args []string) error {
				return c.post(cmd, out, "/sim/v1/accounts", map[string]any{"name": args[0], "mbn": mbn, "domain": domain, "country": country})
			},
		},
		cli.Action{Use: "client ACCOUNT", Does: "give an account a new client id, and print it", Run: func(cmd *cobra.Command, args []string) error {
			return c.post(cmd, out, "/sim/v1/accounts/"+url.PathEscape(args[0])+"/client", nil)
		}})
	c.add(cmd.Flags())
	cmd.Flags().StringVar(&mbn, "mbn", "", "with add: main billing number, digits, in international form without a plus sign")
	cmd.Flags().StringVar(&domain, "domain", "", "with add: its SIP domain")
	cmd.Flags().StringVar(&country, "country", "gb", "with add: country of national numbers, two letters")
	return cmd
}

// newDDI returns the command that adds phone numbers to a running platform.
func newDDI(out cli.Outside) *cobra.Command {
	var c client
	var account string
	cmd := cli.WithActions(&cobra.Command{
		Use:     "ddi",
		Short:   "Add numbers to a running platform",
		Long:    "Allocate numbers of a running platform to its accounts.",
		Example: "  cabrank platform ddi add 441632960104 --account 'Otterbridge Taxis'",
	}, cli.Action{Use: "add NUMBER", Does: "allocate a number to an account", Run: func(cmd *cobra.Command, args []string) error {
		if account == "" {
			return cli.UsageError("--account is missing: want the id or the name of an account")
		}
		return c.post(cmd, out, "/sim/v1/accounts/"+url.PathEscape(account)+"/ddi", map[string]any{"name": args[0]})
	}})
	c.add(cmd.Flags())
	cmd.Flags().StringVar(&account, "account", "", "id or name of the account")
	return cmd
}

// post sends a POST request that creates or renews something, and prints the response as JSON.
func (c *client) post(cmd *cobra.Command, out cli.Outside, path string, body any) error {
	if err := c.connect(); err != nil {
		return err
	}
	var made json.RawMessage
	if err := c.do(cmd.Context(), http.MethodPost, path, body, &made); err != nil {
		return fmt.Errorf("no change was made: %w", err)
	}
	return cli.PrintJSON(out.Stdout, made)
}

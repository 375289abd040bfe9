package controlling

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
)

func newSystem(out cli.Outside) *cobra.Command {
	var flags serverFlags
	cmd := flags.command(out, &cobra.Command{
		Use:   "system [STATUS]",
		Short: "Show or set the status in /config: OK, BUSY, CLOSED or MAINTENANCE",
		Long: `Show the /config of a server of 'cabrank serve'. With a status, set the status, the ETA (by default that of the
nearest car) and the data.`,
		Example: `  cabrank system
  cabrank system CLOSED
  cabrank system BUSY --eta 25 --data '{"skipDropOff":true}'
  cabrank system OK`,
		Args:              cli.AtMostOne,
		ValidArgsFunction: first(func(context.Context) []string { return []string{"OK", "BUSY", "CLOSED", "MAINTENANCE"} }),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := sent(cmd, control.SetSystem, []string{"eta", "data"})
			body := in.(object)
			switch {
			case err != nil:
				return err
			case len(args) == 0 && len(body) > 0:
				return cli.UsageError("--eta and --data go with a status, such as OK")
			case len(args) == 0:
				return flags.ask(cmd, control.ReadSystem, shown(printSystem), nil)
			case body["eta"] != nil:
				setMember(body, "eta.unit", "minutes")
			}
			body["status"] = strings.ToUpper(args[0])
			return flags.ask(cmd, control.SetSystem, shown(printSystem), body)
		},
	})
	cmd.Flags().Int("eta", 0, "ETA in /config, in minutes")
	sets(cmd.Flags(), map[string]string{"eta": "eta.value"})
	cmd.Flags().String("data", "", `data in /config, as JSON, such as '{"skipDropOff":true}'`)
	return cmd
}

func printSystem(w io.Writer, is taxi.ConfigResponse) error {
	line := cli.Printable(string(is.Status))
	if is.ETA != nil {
		line += fmt.Sprintf("  a car in %v %s", is.ETA.Value, cli.Printable(is.ETA.Unit))
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

func newUsers(out cli.Outside) *cobra.Command {
	var flags serverFlags
	cmd := flags.command(out, &cobra.Command{
		Use:   "users [ID|PHONE]",
		Short: "List, show or change the users of a world",
		Long: `List the users of a world of 'cabrank serve'. With an id or a phone number, show one user. --name, --status and
--data change the user; an unknown phone number becomes a new user.`,
		Example: `  cabrank users
  cabrank users 442079460020
  cabrank users 442079460020 --status BLACKLISTED
  cabrank users 442079460950 --name "Ada Byron" --data '{"skipDropOff":true}'`,
		Args:              cli.AtMostOne,
		ValidArgsFunction: first(flags.names(control.ListUsers, "users", "userId", "name")),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := sent(cmd, control.PutUser, []string{"name", "status", "data"})
			body := in.(object)
			if status, is := body["status"].(string); is {
				body["status"] = strings.ToUpper(status)
			}
			switch {
			case err != nil:
				return err
			case len(args) == 1 && len(body) > 0:
				return flags.ask(cmd, control.PutUser, shown(printUser), body, args[0])
			case len(args) == 1:
				return flags.ask(cmd, control.ReadUser, shown(printUser), nil, args[0])
			case len(body) > 0:
				return cli.UsageError("want an id or a phone number of the user to change")
			}
			return flags.ask(cmd, control.ListUsers, shown(printUsers), url.Values{"limit": {"500"}})
		},
	})
	fs := cmd.Flags()
	fs.String("name", "", "new name of the user")
	fs.String("status", "", "new status of the user: ENABLED, DISABLED or BLACKLISTED")
	fs.String("data", "", `new data of the user, as JSON, such as '{"skipDropOff":true}'`)
	cli.Offer(cmd, "status", "ENABLED", "DISABLED", "BLACKLISTED")
	return cmd
}

func printUsers(w io.Writer, list control.UserList) error {
	if len(list.Users) == 0 {
		return nil
	}
	return table(w, "users", list.Users, userLine)
}

func printUser(w io.Writer, u control.User) error {
	_, err := fmt.Fprintln(w, strings.ReplaceAll(userLine(u), "\t", "  "))
	return err
}

// longestName is the number of characters that are shown of a name.
const longestName = 40

// clipped shortens a name to the width of its column.
func clipped(name string) string {
	if all := []rune(name); len(all) > longestName {
		return string(all[:longestName-1]) + "…"
	}
	return name
}

// userLine describes a user in one line, with tabs between the columns.
func userLine(u control.User) string {
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%d booked", cli.Printable(string(u.UserID)), cli.Printable(u.PhoneNumber.Masked()), cli.Printable(string(u.Status)), clipped(cli.Printable(u.Name)), len(u.Journeys))
}

package controlling

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
)

func newSystem(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var eta int
	var data string
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
			call := (*calls).System
			if len(args) == 1 {
				is := map[string]any{"status": strings.ToUpper(args[0])}
				if cmd.Flags().Changed("eta") {
					is["eta"] = taxi.ETA{Unit: "minutes", Value: float64(eta)}
				}
				if err := addData(is, data); err != nil {
					return err
				}
				call = func(c *calls, ctx context.Context) (taxi.ConfigResponse, error) { return c.SetSystem(ctx, is) }
			} else if cmd.Flags().Changed("eta") || data != "" {
				return cli.UsageError("--eta and --data go with a status, such as OK")
			}
			return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) { return shownBy(printSystem)(call(c, ctx)) })
		},
	})
	cmd.Flags().IntVar(&eta, "eta", 0, "ETA in /config, in minutes")
	cmd.Flags().StringVar(&data, "data", "", `data in /config, as JSON, such as '{"skipDropOff":true}'`)
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

// addData adds the JSON object of --data to a body.
func addData(body map[string]any, data string) error {
	if data == "" {
		return nil
	}
	if !json.Valid([]byte(data)) {
		return cli.UsageError(`--data is not JSON; want an object such as '{"skipDropOff":true}'`)
	}
	body["data"] = json.RawMessage(data)
	return nil
}

func newUsers(out cli.Outside) *cobra.Command {
	var flags serverFlags
	var change dispatch.UserChange
	var data string
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
		ValidArgsFunction: first(flags.users),
		RunE: func(cmd *cobra.Command, args []string) error {
			body := map[string]any{}
			for name, value := range map[string]string{"name": change.Name, "status": strings.ToUpper(string(change.Status))} {
				if value != "" {
					body[name] = value
				}
			}
			if err := addData(body, data); err != nil {
				return err
			}
			switch {
			case len(args) == 1 && len(body) > 0:
				return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
					return shownBy(printUser)(c.PutUser(ctx, args[0], body))
				})
			case len(args) == 1:
				return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) { return shownBy(printUser)(c.User(ctx, args[0])) })
			case len(body) > 0:
				return cli.UsageError("want an id or a phone number of the user to change")
			}
			return flags.tell(cmd, func(c *calls, ctx context.Context) (answer, error) {
				return shownBy(printUsers)(c.Users(ctx, client.UserQuery{Limit: 500}))
			})
		},
	})
	fs := cmd.Flags()
	fs.StringVar(&change.Name, "name", "", "new name of the user")
	fs.StringVar((*string)(&change.Status), "status", "", "new status of the user: ENABLED, DISABLED or BLACKLISTED")
	fs.StringVar(&data, "data", "", `new data of the user, as JSON, such as '{"skipDropOff":true}'`)
	complete(cmd, "status", []string{"ENABLED", "DISABLED", "BLACKLISTED"})
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

// users returns the ids of a world's users, for shell completion.
func (f *serverFlags) users(ctx context.Context) []string {
	return f.live(ctx, func(c *calls, ctx context.Context) ([]string, error) {
		list, err := c.Users(ctx, client.UserQuery{})
		return namedBy(func(u control.User) string { return string(u.UserID) + "\t" + u.Name })(list.Users, err)
	})
}

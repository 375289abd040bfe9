package controlling

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
	"github.com/cabrank/cabrank/simulator/control/client"
)

// serverFlags select a cabrank server and one of its worlds.
type serverFlags struct {
	url     string
	sandbox string
	token   string
	asJSON  bool

	out cli.Outside
	cmd *cobra.Command // for the names of flags and arguments in errors

	within time.Duration // timeout of a request; 0: callWithin
}

// command adds the flags for a server and a world to a command, and returns it.
func (f *serverFlags) command(out cli.Outside, cmd *cobra.Command) *cobra.Command {
	f.add(cmd, out)
	return cmd
}

func (f *serverFlags) add(cmd *cobra.Command, out cli.Outside) {
	f.addServer(cmd, out)
	f.addSandbox(cmd)
}

// addSandbox adds the flag that selects a sandbox.
func (f *serverFlags) addSandbox(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.sandbox, "sandbox", "", "name of the sandbox, such as ann (default the world of --url)")
	completeBy(cmd, "sandbox", f.names(control.ListSandboxes, "sandboxes", "name"))
}

// addServer adds the flags of a command about a whole server.
func (f *serverFlags) addServer(cmd *cobra.Command, out cli.Outside) {
	f.addAddress(cmd, out)
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the response as JSON")
}

// addAddress adds the flags that say where the server is.
func (f *serverFlags) addAddress(cmd *cobra.Command, out cli.Outside) {
	f.out, f.cmd = out, cmd
	cmd.Flags().StringVar(&f.url, "url", calling.DefaultURL, "base address of 'cabrank serve', or of one of its sandboxes")
	cmd.Flags().StringVar(&f.token, "token", "", "control token of a server on the network: TOKEN, @FILE or env:NAME, such as @token.txt")
	cli.Share(cmd.Flags(), "url", "token")
}

const (
	callWithin     = 10 * time.Second
	completeWithin = time.Second     // a shell waits for the completion
	slowWithin     = 6 * time.Minute // a server moves a clock for up to five minutes; a large world is saved or restored
)

// do calls call with a client for the selected world and a timeout, and explains its error.
func (f *serverFlags) do(ctx context.Context, call func(context.Context, *client.Client) error) error {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(f.within, callWithin))
	defer cancel()
	c, err := f.client()
	if err != nil {
		return err
	}
	return f.explainError(call(ctx, c))
}

// text makes a call, and returns the body of the response.
func (f *serverFlags) text(ctx context.Context, call client.Route, in any, ids ...string) (text []byte, err error) {
	err = f.do(ctx, func(ctx context.Context, c *client.Client) (err error) {
		text, err = c.Text(ctx, call, in, ids...)
		return err
	})
	return text, err
}

// read makes a call, and returns the decoded response.
func read[In, Out any](ctx context.Context, f *serverFlags, call control.Call[In, Out], in any, ids ...string) (out Out, err error) {
	err = f.do(ctx, func(ctx context.Context, c *client.Client) (err error) {
		out, err = client.Send(ctx, c, call, in, ids...)
		return err
	})
	return out, err
}

// ask makes a call, and prints the response.
func (f *serverFlags) ask(cmd *cobra.Command, call client.Route, show printer, in any, ids ...string) error {
	text, err := f.text(cmd.Context(), call, in, ids...)
	if err != nil {
		return err
	}
	return f.print(text, show)
}

// print prints a response as JSON if --json is set, and otherwise as text.
func (f *serverFlags) print(text []byte, show printer) error {
	if !f.asJSON {
		err := show(f.out.Stdout, text)
		if errors.Is(err, client.ErrStranger) {
			return f.stranger()
		}
		return err
	}
	if !jsontext.Value(text).IsValid(asTold) {
		return f.stranger()
	}
	return cli.PrintJSON(f.out.Stdout, json.RawMessage(text))
}

// printValue prints a value as [serverFlags.print] prints a response.
func (f *serverFlags) printValue(value any, show printer) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return f.print(text, show)
}

// printer prints a response as text.
type printer func(io.Writer, []byte) error

// shown returns a printer that decodes a response as a T and passes it to print.
func shown[T any](print func(io.Writer, T) error) printer {
	return func(w io.Writer, text []byte) error {
		var value T
		if err := client.Decode(text, &value); err != nil {
			return err
		}
		return print(w, value)
	}
}

// client returns a client for the selected world.
func (f *serverFlags) client() (*client.Client, error) {
	token := f.token
	if cli.RefersToSecret(token) {
		var err error
		if token, err = cli.SecretFrom(f.out.Getenv)(token); err != nil {
			return nil, cli.UsageError("--token: %w", err)
		}
	}
	if err := cli.CheckAddress("--url", f.url); err != nil {
		return nil, err
	}
	c, err := client.New(calling.World(f.url, f.sandbox), client.Options{Token: token})
	if err != nil {
		return nil, cli.UsageError("--url: %w", err)
	}
	return c, nil
}

// explainError adds to an error what the user can do about it.
func (f *serverFlags) explainError(err error) error {
	p, isProblem := errors.AsType[*client.Problem](err)
	_, isLost := errors.AsType[*url.Error](err)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, client.ErrStranger):
		return f.stranger()
	case isLost:
		return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%w (is %s the address of a cabrank server? 'cabrank serve' starts one)", cli.OneLine(err), f.url))
	case !isProblem:
		return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s: %w", f.url, cli.OneLine(err)))
	case p.Code == taxi.CodeNotFound:
		return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s has no control API: %s; 'cabrank serve' serves it at its address or at --control-listen, unless --no-control is set", f.url, cli.Line(p.Detail)))
	case p.Status == http.StatusUnauthorized:
		return cli.UsageError("%s; pass it with --token or CABRANK_TOKEN", cli.Line(p.Detail))
	case p.Status == http.StatusUnprocessableEntity, p.Status == http.StatusNotFound:
		return cli.UsageError("%s", f.asTyped(cli.Line(p.Detail)))
	}
	return cli.Exit(cli.ExitFindings, errors.New("refused: "+cli.Line(p.Detail)))
}

// firstMember matches the JSON Pointer, or the parameter, at the beginning of a refusal. The journal names
// parameters without a word before them.
var firstMember = regexp.MustCompile(`^(/|the parameter )?((?:[A-Za-z]+/)*([A-Za-z]+))\b ?`)

// asTyped replaces the member at the beginning of an error text by the flag or argument that set it. It returns other
// texts unchanged.
func (f *serverFlags) asTyped(detail string) string {
	at := firstMember.FindStringSubmatchIndex(detail)
	if at == nil || f.cmd == nil {
		return detail
	}
	path, name, rest := strings.ReplaceAll(detail[at[4]:at[5]], "/", "."), detail[at[6]:at[7]], strings.TrimPrefix(detail[at[1]:], " ")
	if at[2] < 0 && !strings.HasPrefix(rest, `is "`) {
		return detail
	}
	if !strings.HasPrefix(rest, ":") {
		rest = " " + rest
	}
	set := ""
	f.cmd.Flags().Visit(func(flag *pflag.Flag) {
		if member := memberSetBy(flag); member == path || member == name || flag.Name == name {
			set = "--" + flag.Name + rest
		}
	})
	if set != "" {
		return set
	}
	if argument := strings.ToUpper(name); strings.Contains(f.cmd.Use, argument) {
		return argument + rest
	}
	return detail
}

func (f *serverFlags) stranger() error {
	return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s is not a server of 'cabrank serve': it has nothing at %s", f.url, control.Prefix))
}

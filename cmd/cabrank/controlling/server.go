package controlling

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

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

// command adds the flags to a command about a world.
func (f *serverFlags) command(out cli.Outside, cmd *cobra.Command) *cobra.Command {
	f.add(cmd, out)
	return cmd
}

func (f *serverFlags) add(cmd *cobra.Command, out cli.Outside) {
	f.addServer(cmd, out)
	cmd.Flags().StringVar(&f.sandbox, "sandbox", "", "name of the sandbox, such as ann (default the world of --url)")
	completeBy(cmd, "sandbox", f.sandboxes)
}

// addServer adds the flags of a command about a whole server.
func (f *serverFlags) addServer(cmd *cobra.Command, out cli.Outside) {
	f.out, f.cmd = out, cmd
	cmd.Flags().StringVar(&f.url, "url", calling.DefaultURL, "base address of 'cabrank serve', or of one of its sandboxes")
	cmd.Flags().StringVar(&f.token, "token", "", "control token of a server on the network: TOKEN, @FILE or env:NAME, such as @token.txt")
	cli.Share(cmd.Flags(), "url", "token")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the response as JSON")
}

const (
	callWithin     = 10 * time.Second
	completeWithin = time.Second // a shell waits for the completion
)

// calls is the client of the control API.
type calls = client.Client

// do runs call with a client and a timeout.
func (f *serverFlags) do(ctx context.Context, call func(*calls, context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(f.within, callWithin))
	defer cancel()
	c, err := f.client()
	if err != nil {
		return err
	}
	return f.explainError(call(c, ctx))
}

// answer is the response to a request, with the function that prints it.
type answer struct {
	value any
	text  func(io.Writer) error
}

// shownBy returns a function that pairs a response with its printer.
func shownBy[T any](print func(io.Writer, T) error) func(T, error) (answer, error) {
	return func(value T, err error) (answer, error) {
		return answer{value, func(w io.Writer) error { return print(w, value) }}, err
	}
}

// tell makes a request, and prints the response.
func (f *serverFlags) tell(cmd *cobra.Command, call func(*calls, context.Context) (answer, error)) error {
	var told answer
	err := f.do(cmd.Context(), func(c *calls, ctx context.Context) (err error) {
		told, err = call(c, ctx)
		return err
	})
	return f.show(told, err)
}

// show prints a response as JSON if --json is set, and otherwise as text.
func (f *serverFlags) show(a answer, err error) error {
	switch {
	case err != nil:
		return err
	case f.asJSON:
		return cli.PrintJSON(f.out.Stdout, a.value)
	}
	return a.text(f.out.Stdout)
}

// removing returns a request that removes something by its name.
func removing(call func(*calls, context.Context, string) error) oneCall {
	return func(c *calls, ctx context.Context, name string) (answer, error) {
		return answer{map[string]string{"removed": name}, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, "removed "+cli.Printable(name))
			return err
		}}, call(c, ctx, name)
	}
}

// client returns a client for the selected world.
func (f *serverFlags) client() (*calls, error) {
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

// firstMember matches the JSON Pointer at the beginning of a refusal.
var firstMember = regexp.MustCompile(`^/(?:[A-Za-z]+/)*([A-Za-z]+)\b ?`)

// asTyped replaces the member in a refusal by the flag or argument that set it.
func (f *serverFlags) asTyped(detail string) string {
	at := firstMember.FindStringSubmatchIndex(detail)
	if at == nil || f.cmd == nil {
		return detail
	}
	name, rest := detail[at[2]:at[3]], strings.TrimPrefix(detail[at[1]:], " ")
	if !strings.HasPrefix(rest, ":") {
		rest = " " + rest
	}
	if f.cmd.Flags().Changed(name) {
		return "--" + name + rest
	}
	if argument := strings.ToUpper(name); strings.Contains(f.cmd.Use, argument) {
		return argument + rest
	}
	return detail
}

func (f *serverFlags) stranger() error {
	return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s is not a server of 'cabrank serve': it has nothing at %s", f.url, control.Prefix))
}

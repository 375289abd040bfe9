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

// serverFlags say which cabrank is asked, and about which of its worlds.
type serverFlags struct {
	url     string
	sandbox string
	token   string
	asJSON  bool

	getenv func(string) string
	cmd    *cobra.Command // whose flags and arguments a refusal names

	within time.Duration // for one call; 0: callWithin
}

func (f *serverFlags) add(cmd *cobra.Command, out cli.Outside) {
	f.addServer(cmd, out)
	cmd.Flags().StringVar(&f.sandbox, "sandbox", "", "name of the sandbox, such as ann (default the world of --url)")
	completeBy(cmd, "sandbox", f.sandboxes)
}

// addServer adds the flags of commands that are about a whole server.
func (f *serverFlags) addServer(cmd *cobra.Command, out cli.Outside) {
	f.getenv, f.cmd = out.Getenv, cmd
	cmd.Flags().StringVar(&f.url, "url", calling.DefaultURL, "base address of 'cabrank serve', or of one of its sandboxes")
	cmd.Flags().StringVar(&f.token, "token", "", "control token of a server on the network: TOKEN, @FILE or env:NAME, such as @token.txt")
	cli.Share(cmd.Flags(), "url", "token")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the response as JSON")
}

const (
	callWithin     = 10 * time.Second
	completeWithin = time.Second // a shell waits meanwhile
)

// server is the address of the main world.
func (f *serverFlags) server() string { return calling.MainWorld(f.url) }

// world is the address of the world that is meant.
func (f *serverFlags) world() string { return calling.World(f.url, f.sandbox) }

// call makes a call of control about a world: in is sent as JSON unless it is nil, out
// takes the answer unless it is nil.
func (f *serverFlags) call(ctx context.Context, method, path string, in, out any) error {
	return f.callAt(ctx, f.world(), method, path, in, out)
}

func (f *serverFlags) callAt(ctx context.Context, base, method, path string, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(f.within, callWithin))
	defer cancel()
	c, err := f.client(base)
	if err != nil {
		return err
	}
	return f.told(c.Do(ctx, method, path, in, out))
}

// send sends a call and returns an answer that is no refusal, whose body is to be closed.
func (f *serverFlags) send(ctx context.Context, base, method, path string, in any) (*http.Response, error) {
	c, err := f.client(base)
	if err != nil {
		return nil, err
	}
	resp, err := c.Send(ctx, method, path, in)
	return resp, f.told(err)
}

// client makes the calls of the world at an address.
func (f *serverFlags) client(base string) (*client.Client, error) {
	token := f.token
	if cli.RefersToSecret(token) {
		var err error
		if token, err = cli.SecretFrom(f.getenv)(token); err != nil {
			return nil, cli.UsageError("--token: %w", err)
		}
	}
	if err := cli.CheckAddress("--url", f.url); err != nil {
		return nil, err
	}
	c, err := client.New(base, client.Options{Token: token})
	if err != nil {
		return nil, cli.UsageError("--url: %w", err)
	}
	return c, nil
}

// told says what was refused, or that there is nobody to refuse it.
func (f *serverFlags) told(err error) error {
	p, isProblem := errors.AsType[*client.Problem](err)
	_, isLost := errors.AsType[*url.Error](err)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, client.ErrStranger):
		return f.stranger()
	case isLost:
		return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%w (is %s the address of a cabrank? 'cabrank serve' starts one)", cli.OneLine(err), f.url))
	case !isProblem:
		return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s: %w", f.url, cli.OneLine(err)))
	case p.Code == taxi.CodeNotFound:
		return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s has no control API: %s; 'cabrank serve' serves it at its address or at --control-listen, unless --no-control is set", f.url, cli.Line(p.Detail)))
	case p.Status == http.StatusUnauthorized:
		return cli.UsageError("%s; --token or CABRANK_TOKEN shows it", cli.Line(p.Detail))
	case p.Status == http.StatusUnprocessableEntity, p.Status == http.StatusNotFound:
		return cli.UsageError("%s", f.asTyped(cli.Line(p.Detail)))
	}
	return cli.Exit(cli.ExitFindings, errors.New("refused: "+cli.Line(p.Detail)))
}

// firstMember matches the JSON Pointer of the member that a refusal begins with.
var firstMember = regexp.MustCompile(`^/(?:[A-Za-z]+/)*([A-Za-z]+)\b ?`)

// asTyped writes a refusal of a member of the body with the flag or the argument that gave it.
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
	return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s is no 'cabrank serve': it has nothing at %s", f.url, control.Prefix))
}

// ordered makes a call about one thing of the world, and shows what that is then.
func ordered[T any](ctx context.Context, f *serverFlags, out cli.Outside, method, path string, body any, show func(io.Writer, T) error) error {
	var now T
	if err := f.call(ctx, method, path, body, &now); err != nil {
		return err
	}
	if f.asJSON {
		return cli.PrintJSON(out.Stdout, now)
	}
	return show(out.Stdout, now)
}

// orderPath is where an order about one thing of the world is given; without an order it is
// where the thing is read.
func orderPath(things, id, order string) string {
	path := things + "/" + url.PathEscape(id)
	if order != "" {
		path += "/" + order
	}
	return path
}

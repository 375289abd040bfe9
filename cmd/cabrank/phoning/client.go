package phoning

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/simulator/platform/api"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
)

// client calls a platform's control API.
type client struct {
	url, token string
	tls        cli.TLSFlags
	http       *http.Client
}

func (c *client) add(fs *pflag.FlagSet) {
	fs.StringVar(&c.url, "platform", defaultURL, "address of the platform")
	fs.StringVar(&c.token, "control-token", "", "control token that a platform on the network printed at startup")
	c.tls.Add(fs)
}

func (c *client) connect() error {
	config, err := c.tls.Config()
	if err != nil {
		return err
	}
	if err := cli.CheckAddress("--platform", c.url); err != nil {
		return err
	}
	c.url, c.http = strings.TrimRight(c.url, "/"), outbound.New(outbound.Options{TLS: config})
	return nil
}

// mostAnswer limits the size of a response: a transcript may be long.
const mostAnswer = 4 << 20

// do sends a request and decodes the response into into, if that is not nil. A refusal is
// an *api.Problem.
func (c *client) do(ctx context.Context, method, path string, body, into any) error {
	var send io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		send = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.url+path, send)
	if err != nil {
		return cli.UsageError("--platform %q: %w", c.url, err)
	}
	req.Header.Set("Content-Type", "application/json")
	if c.token != "" {
		req.Header.Set(simapi.ControlHeader, c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return cli.Exit(cli.ExitUnreachable, fmt.Errorf("no answer: %w; 'cabrank platform' starts a platform", err))
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer))
	if err != nil {
		return cli.Exit(cli.ExitUnreachable, err)
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return refused(resp.Status, text)
	}
	if into == nil || len(text) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s is not a cabrank platform: %w", c.url, err))
	}
	return nil
}

// begin starts a call or a chat. A refusal because of the request's content is a usage
// error, since it comes from a flag or the script.
func (c *client) begin(ctx context.Context, what, path string, ask, into any) error {
	err := c.do(ctx, http.MethodPost, path, ask, into)
	if refusal, ok := errors.AsType[*api.Problem](err); ok && refusal.Code == api.CodeValidation {
		return cli.UsageError("no %s: %w", what, err)
	}
	if err != nil {
		return fmt.Errorf("no %s: %w", what, err)
	}
	return nil
}

func refused(status string, text []byte) error {
	p := &api.Problem{}
	if json.Unmarshal(text, p) != nil || p.Code == "" {
		return cli.Exit(cli.ExitUnreachable, fmt.Errorf("it answered %s, as no cabrank platform does", status))
	}
	return cli.Exit(cli.ExitFindings, p)
}

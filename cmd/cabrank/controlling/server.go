package controlling

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/control"
)

// serverFlags say which cabrank is asked.
type serverFlags struct {
	url    string
	asJSON bool
}

func (f *serverFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.url, "url", calling.DefaultURL, "the base address of a 'cabrank serve', or of one of its sandboxes")
	cli.Share(cmd.Flags(), "url")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the answer as JSON")
}

const (
	callWithin = 10 * time.Second
	mostAnswer = 8 << 20 // bytes
)

// call makes a call of control: in is sent as JSON unless it is nil, out takes the answer
// unless it is nil.
func (f *serverFlags) call(ctx context.Context, method, path string, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, callWithin)
	defer cancel()
	var sent bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&sent).Encode(in); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(f.url, "/")+control.Prefix+path, &sent)
	if err != nil {
		return cli.UsageError("--url: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%w (is %s the address of a cabrank? 'cabrank serve' starts one)", cli.OneLine(err), f.url))
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer))
	if err != nil {
		return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s: %w", f.url, cli.OneLine(err)))
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return f.refusal(resp, answer)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return f.stranger()
	}
	return nil
}

// refusal says what was refused, or that there is nobody to refuse it.
func (f *serverFlags) refusal(resp *http.Response, answer []byte) error {
	var p taxi.Problem
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch err := json.Unmarshal(answer, &p); {
	case media != taxi.ProblemContentType || err != nil:
		return f.stranger()
	case p.Code == taxi.CodeNotFound:
		return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s takes no orders: %s; 'cabrank serve' takes them on this machine's own address", f.url, cli.Line(p.Detail)))
	case p.Status == http.StatusUnprocessableEntity, p.Status == http.StatusNotFound:
		return cli.UsageError("%s", cli.Line(p.Detail))
	}
	return cli.Exit(cli.ExitFindings, errors.New("refused: "+cli.Line(p.Detail)))
}

func (f *serverFlags) stranger() error {
	return cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s is no 'cabrank serve': it has nothing at %s", f.url, control.Prefix))
}

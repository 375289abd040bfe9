// Package controlling contains the commands that control a dispatch system run by
// 'cabrank serve' and show the requests that it received: faults, magic numbers, the
// clock, journeys, vehicles, sandboxes, tokens, scenarios, events and the journal. ctl makes the other
// calls.
package controlling

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/control"
)

func newCtl(out cli.Outside) *cobra.Command {
	var f serverFlags
	var fields []string
	cmd := &cobra.Command{
		Use:   "ctl METHOD PATH",
		Short: "Make any call of the control API",
		Long: `Make a call of the control API of 'cabrank serve', and print the response: for calls that have no command.
The paths are below /_control/v1; 'cabrank ctl GET /openapi.json' prints the document that describes them.

-f NAME=VALUE sets a parameter of the query of GET and DELETE, and otherwise a member of the body, or of an object inside
it, such as clock.now. The value of a member that is no string is written as JSON.`,
		Example: `  cabrank ctl GET /users -f status=BLACKLISTED,DISABLED
  cabrank ctl DELETE /users/442079460020 --sandbox ann
  cabrank ctl PUT /vehicles/car-1 -f onDuty=false
  cabrank ctl PATCH /faults/f-1 -f match.op=book -f window.times=3
  cabrank ctl GET /snapshots/before-retry/download > taxis.db`,
		Args: cli.ExactArgs("METHOD", "PATH"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) (offered []string, _ cobra.ShellCompDirective) {
			if len(args) == 0 {
				offered = methods
			} else if len(args) == 1 {
				offered = described().paths(args[0])
			}
			return offered, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.call(cmd, args[0], args[1], fields) },
	}
	f.addAddress(cmd, out)
	f.addSandbox(cmd)
	cmd.Flags().StringArrayVarP(&fields, "field", "f", nil, "a member of the body or a parameter of the query, such as onDuty=false; repeat the flag for more")
	return cmd
}

// methods are the HTTP methods of the calls.
var methods = []string{http.MethodDelete, http.MethodGet, http.MethodPatch, http.MethodPost, http.MethodPut}

// call makes a call, and prints the response: JSON with indents, and anything else as it is, but without terminal control
// characters on a terminal.
func (f *serverFlags) call(cmd *cobra.Command, method, path string, fields []string) error {
	method, path = strings.ToUpper(method), "/"+strings.Trim(strings.TrimPrefix(path, control.Prefix), "/")
	d := described()
	said := d.call(method, path)
	switch {
	case !slices.Contains(methods, method):
		return cli.UsageError("METHOD is %q, want one of %s", method, strings.Join(methods, ", "))
	case strings.ContainsAny(path, "?#{"):
		return cli.UsageError("PATH is %q, want one such as /users/442079460020; -f sets the parameters", path)
	case said == nil:
		return cli.UsageError("there is no call %s %s; 'cabrank ctl GET /openapi.json' describes all", method, path)
	}
	in, err := d.inputOf(method, said, fields)
	if err != nil {
		return err
	}
	c, err := f.client()
	if err != nil {
		return err
	}
	if d.in(said, "servers") != nil {
		c = c.Main()
	}
	ctx, media := cmd.Context(), func(of string) bool {
		return d.in(said, "responses", "200", "content", of) != nil || d.in(said, "responses", "201", "content", of) != nil
	}
	follows := media("text/event-stream") && slices.Contains(fields, "follow=true")
	if media("application/json") && !follows { // others are streams and downloads
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, slowWithin)
		defer cancel()
	}
	body, err := c.Open(ctx, control.At[any, []byte](method, path), in)
	if err != nil {
		return f.explainError(err)
	}
	defer body.Close()
	response := bufio.NewReader(body)
	if first, err := response.Peek(1); err != nil || first[0] != '{' && first[0] != '[' {
		if !cli.IsTerminal(f.out.Stdout) {
			_, err = io.Copy(cli.Raw(f.out.Stdout), response)
			return f.explainError(err)
		}
		for line := ""; err == nil; _, _ = io.WriteString(f.out.Stdout, printableText(line)) {
			line, err = response.ReadString('\n')
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		return f.explainError(err)
	}
	text, err := io.ReadAll(response)
	if err != nil {
		return f.explainError(err)
	}
	if !json.Valid(text) {
		return f.stranger()
	}
	return cli.PrintJSON(f.out.Stdout, json.RawMessage(text))
}

// inputOf returns the query of a GET or DELETE, or else the JSON body, from the values of --field.
func (d document) inputOf(method string, said any, fields []string) (any, error) {
	query, body, isQuery := url.Values{}, object{}, method == http.MethodGet || method == http.MethodDelete
	schema := d.in(said, "requestBody", "content", "application/json", "schema")
	for _, field := range fields {
		name, value, ok := strings.Cut(field, "=")
		if !ok || name == "" {
			return nil, cli.UsageError("--field is %q, want NAME=VALUE, such as onDuty=false", field)
		}
		query.Add(name, value)
		member, set := schema, any(value)
		for part := range strings.SplitSeq(name, ".") {
			of := member
			if member = d.in(of, "properties", part); member == nil {
				member = d.in(of, "additionalProperties")
			}
		}
		if json.Valid([]byte(value)) && d.in(member, "type") != "string" {
			set = json.RawMessage(value)
		}
		if !setMember(body, name, set) && !isQuery {
			return nil, cli.UsageError("--field sets %s, or an object around it, twice", name)
		}
	}
	if isQuery {
		return query, nil
	}
	return body, nil
}

// document is the OpenAPI document of the control API.
type document object

func described() (d document) {
	if err := json.Unmarshal(control.OpenAPI(), &d); err != nil {
		panic(err) // a test reads it
	}
	return d
}

// in returns the value at a path of names below a value of the document, and follows references; nil: there is none.
func (d document) in(value any, names ...string) any {
	for _, name := range names {
		inside, _ := value.(object)
		value = inside[name]
		inside, _ = value.(object)
		if reference, is := inside["$ref"].(string); is {
			value = d.in(object(d), strings.Split(reference, "/")[1:]...)
		}
	}
	return value
}

// paths returns the paths that have a method, with their summaries, for shell completion.
func (d document) paths(method string) (all []string) {
	for path := range d["paths"].(object) {
		if summary := d.in(object(d), "paths", path, strings.ToLower(method), "summary"); summary != nil {
			all = append(all, fmt.Sprintf("%s\t%s", path, summary))
		}
	}
	slices.Sort(all)
	return all
}

// call returns the description of a call in the document; nil: there is none.
func (d document) call(method, path string) (said any) {
	for template := range d["paths"].(object) {
		fits := slices.EqualFunc(strings.Split(template, "/"), strings.Split(path, "/"), func(a, b string) bool {
			return a == b || strings.HasPrefix(a, "{") && b != ""
		})
		if is := d.in(object(d), "paths", template, strings.ToLower(method)); fits && is != nil && (said == nil || template == path) {
			said = is
		}
	}
	return said
}

// Commands returns the commands.
func Commands(out cli.Outside) []*cobra.Command {
	return []*cobra.Command{
		newClock(out), newCtl(out), newEvents(out), newFault(out), newJourneys(out), newMagic(out), newRequests(out), newReset(out), newSandbox(out),
		newScenario(out), newSnapshot(out), newSystem(out), newToken(out), newUsers(out), newVehicles(out),
	}
}

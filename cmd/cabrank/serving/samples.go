package serving

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/fixtures"
)

// sampleFlags are the flags that select samples, people or places.
type sampleFlags struct {
	kind, direction        string
	asJSON, people, places bool
	url                    string
}

func newSamples(out cli.Outside) *cobra.Command {
	var f sampleFlags
	cmd := &cobra.Command{
		Use:   "samples [OPERATION [NAME]]",
		Short: "Print sample requests and responses: minimal, rich, odd but valid, broken",
		Long: `Print sample requests and responses of the five operations, for use in tests.

Without arguments, list them. With an operation and a name, print one body as it is sent, with its times
moved to tomorrow. The places are those of the default town, or with --url those of a running server. Replace the ids of users
and journeys by ids that the server knows; 'cabrank user' and 'cabrank book' print them.`,
		Example: `  cabrank samples
  cabrank samples book --kind broken
  cabrank samples book minimal | curl -s http://127.0.0.1:8080/book -H 'Content-Type: application/json' -d @-
  cabrank samples book rich --url http://127.0.0.1:8080
  cabrank samples --people`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 2 {
				return cli.UsageError("want %q, got %d arguments", cmd.UseLine(), len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, out, args) },
	}
	fs := cmd.Flags()
	fs.StringVar(&f.kind, "kind", "", "list only this kind: minimal, rich, odd or broken")
	fs.StringVar(&f.direction, "direction", "", "list only this direction: request or response")
	fs.BoolVar(&f.asJSON, "json", false, "print one JSON array")
	fs.BoolVar(&f.people, "people", false, "list the users in a new database")
	fs.StringVar(&f.url, "url", "", "take the places from the cabrank server at this address")
	fs.BoolVar(&f.places, "places", false, "list the places of the default town, or of the server at --url")
	return cmd
}

func (f *sampleFlags) run(cmd *cobra.Command, out cli.Outside, args []string) error {
	if err := f.oneList(cmd, args); err != nil {
		return err
	}
	switch {
	case f.people:
		return f.listPeople(out)
	case f.places:
		return f.listPlaces(cmd.Context(), out)
	}
	samples, err := f.choose(args)
	if err != nil {
		return err
	}
	if err := f.move(cmd.Context(), samples); err != nil {
		return err
	}
	if len(args) == 2 {
		_, err := cli.Raw(out.Stdout).Write(samples[0].Body)
		return err
	}
	if f.asJSON {
		return cli.PrintJSON(out.Stdout, jsonSamples(samples))
	}
	for _, s := range samples {
		fmt.Fprintf(out.Stdout, "%-7s %-8s %-8s %-34s %s\n", s.Op, s.Direction, s.Kind, s.Name, s.Why)
	}
	return nil
}

// oneList returns a usage error if flags and arguments ask for two lists at once.
func (f *sampleFlags) oneList(cmd *cobra.Command, args []string) error {
	var asked []string
	for _, name := range []string{"people", "places"} {
		if on, _ := cmd.Flags().GetBool(name); on {
			asked = append(asked, "--"+name)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	if len(args) > 0 {
		asked = append(asked, args[0])
	}
	for _, name := range []string{"kind", "direction"} {
		if cmd.Flags().Changed(name) {
			asked = append(asked, "--"+name)
		}
	}
	if len(asked) > 1 {
		return cli.UsageError("%s do not go together: one list at a time", strings.Join(asked, " and "))
	}
	return nil
}

// townPlaces returns the places of the town that the samples are for.
func (f *sampleFlags) townPlaces(ctx context.Context) ([]fixtures.Place, error) {
	if f.url == "" {
		return calling.TownPlaces(), nil
	}
	const patience = 10 * time.Second
	if places := calling.AskPlaces(ctx, outbound.New(outbound.Options{Timeout: patience, Proxied: true}), f.url); len(places) > 0 {
		return places, nil
	}
	return nil, cli.Exit(cli.ExitUnreachable, fmt.Errorf("%s has no places at /places; leave out --url for those of the default town", f.url))
}

// move replaces the places in samples by those of the server at --url. Without --url it does nothing.
func (f *sampleFlags) move(ctx context.Context, samples []fixtures.Sample) error {
	if f.url == "" {
		return nil
	}
	to, err := f.townPlaces(ctx)
	if err != nil {
		return err
	}
	from := calling.TownPlaces()
	for i, s := range samples {
		samples[i] = s.In(from, to)
	}
	return nil
}

func (f *sampleFlags) choose(args []string) ([]fixtures.Sample, error) {
	all := fixtures.Samples()
	if len(args) > 0 {
		if all = fixtures.SamplesFor(args[0]); len(all) == 0 {
			return nil, cli.UsageError("no samples for %q; the operations are config, user, book, cancel and status", args[0])
		}
	}
	var chosen []fixtures.Sample
	for _, s := range all {
		if (f.kind == "" || strings.HasPrefix(string(s.Kind), f.kind)) &&
			(f.direction == "" || string(s.Direction) == f.direction) &&
			(len(args) < 2 || s.Name == args[1] || s.Name == "request-"+args[1]) {
			chosen = append(chosen, s.On(cli.Now().AddDate(0, 0, 1)))
		}
	}
	if len(chosen) == 0 {
		return nil, cli.UsageError("no such sample: kinds are minimal, rich, odd and broken, directions request and response; 'cabrank samples' lists the names")
	}
	return chosen, nil
}

// jsonSample is a sample as --json prints it; the body is text, since a broken body may
// not be JSON.
type jsonSample struct {
	Op          string           `json:"op"`
	Name        string           `json:"name"`
	Kind        string           `json:"kind"`
	Direction   string           `json:"direction"`
	Why         string           `json:"why"`
	ContentType string           `json:"contentType"`
	Body        string           `json:"body"`
	Expect      *fixtures.Expect `json:"expect,omitempty"`
}

func jsonSamples(samples []fixtures.Sample) []jsonSample {
	all := make([]jsonSample, len(samples))
	for i, s := range samples {
		all[i] = jsonSample{
			Op: s.Op, Name: s.Name, Kind: string(s.Kind), Direction: string(s.Direction),
			Why: s.Why, ContentType: s.ContentType, Body: string(s.Body),
		}
		if s.Kind == fixtures.Broken {
			all[i].Expect = &samples[i].Expect
		}
	}
	return all
}

func (f *sampleFlags) listPeople(out cli.Outside) error {
	people := fixtures.People()
	if f.asJSON {
		return cli.PrintJSON(out.Stdout, people)
	}
	for _, p := range people { // the name is last, since its width depends on the terminal
		fmt.Fprintf(out.Stdout, "%s  %-13s  %-64s  %s\n", p.PhoneNumber, p.Kind, p.Note, cli.Printable(p.Name))
	}
	return nil
}

// listPlaces lists the places of the town that samples are for.
func (f *sampleFlags) listPlaces(ctx context.Context, out cli.Outside) error {
	places, err := f.townPlaces(ctx)
	if err != nil {
		return err
	}
	if f.asJSON {
		return cli.PrintJSON(out.Stdout, places)
	}
	for _, p := range places {
		fmt.Fprintf(out.Stdout, "%-14s %-28s %s\n", cli.Printable(p.Kind), cli.Printable(p.Name), cli.Printable(p.Address.Address))
	}
	return nil
}

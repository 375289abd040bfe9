package calling

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/outbound"
	"github.com/cabrank/cabrank/dispatch/taxi"
)

// bookFlags are the flags of 'cabrank book'.
type bookFlags struct {
	clientFlags
	user, name, phone    string
	from                 string
	to                   []string
	at, category, data   string
	journey, idempotency string
}

func newBook(out cli.Outside) *cobra.Command {
	var f bookFlags
	cmd := &cobra.Command{
		Use:   "book",
		Short: "Book a taxi at a dispatch system, or edit a booking",
		Long: `Book a taxi, or with --journey edit a booking (an edit repeats the whole booking).

A place is a name in the server's town, such as "station" or "hospital" (GET /places lists them), or any
address with its coordinates: "10 Downing Street@51.5034,-0.1276".`,
		Example: `  cabrank book
  cabrank book --from station --to hospital --to harbour --at +2h
  cabrank book --name Ada --phone +442079460001 --from "1 High Street@52.2,0.12" --to "Airport@52.21,0.17"
  cabrank book --journey J4KX793 --from harbour --to hospital
  cabrank book --sandbox ann`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, out) },
	}
	f.add(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.phone, "phone", DemoCaller, "the passenger's phone number")
	fs.StringVar(&f.name, "name", "Ann Other", "the passenger's name")
	fs.StringVar(&f.user, "user", "", "the end user's id, if it is not the user of --phone")
	fs.StringVar(&f.from, "from", "station", "pickup place")
	fs.StringArrayVar(&f.to, "to", []string{"hospital"}, "destination; repeat the flag for further stops")
	fs.StringVar(&f.at, "at", "now", "pickup time: now, +DURATION such as +2h, or an ISO 8601 date-time")
	fs.StringVar(&f.category, "category", "", "vehicle category, such as saloon or minibus")
	fs.StringVar(&f.data, "data", "", "plugin data, a JSON object")
	fs.StringVar(&f.journey, "journey", "", "edit this journey instead of booking a new one")
	fs.StringVar(&f.idempotency, "idempotency-key", "", "send this Idempotency-Key")
	return cmd
}

func (f *bookFlags) run(cmd *cobra.Command, out cli.Outside) error {
	again := &replayed{}
	c, err := f.clientVia(out, again)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	r, err := f.request(ctx, &gazetteer{
		client: outbound.Over(again.next, f.timeout), url: f.base(),
		note: func(words string) { fmt.Fprintln(out.Stderr, "note: "+words) },
	})
	if err != nil {
		return cli.Exit(cli.ExitUsage, err)
	}
	if f.idempotency != "" {
		ctx = taxi.WithIdempotencyKey(ctx, f.idempotency)
	}
	j, err := c.Book(ctx, r)
	if err != nil {
		return f.outcome(err)
	}
	if again.seen {
		fmt.Fprintln(out.Stderr, "the same booking as before: an identical request within a minute, or with the same Idempotency-Key, books once ('serve --duplicate-window 0s' turns this off)")
	}
	return f.print(cmd, out, j)
}

func (f *bookFlags) request(ctx context.Context, places *gazetteer) (taxi.BookRequest, error) {
	r := taxi.BookRequest{
		UserID: taxi.UserID(f.user), Name: f.name, PhoneNumber: taxi.E164(f.phone), VehicleCategory: f.category,
	}
	if f.journey != "" {
		id := taxi.JourneyID(f.journey)
		r.JourneyID = &id
	}
	if f.data != "" {
		if !json.Valid([]byte(f.data)) {
			return r, fmt.Errorf("--data is not JSON: %s", f.data)
		}
		r.Data = json.RawMessage(f.data)
	}
	pickup, err := places.find(ctx, "--from", f.from)
	if err != nil {
		return r, err
	}
	r.Pickup = &pickup
	for _, text := range f.to {
		dropoff, err := places.find(ctx, "--to", text)
		if err != nil {
			return r, err
		}
		r.Dropoffs = append(r.Dropoffs, dropoff)
	}
	if r.PickupTime, err = parseAt(f.at, cli.Now()); err != nil {
		return r, fmt.Errorf("--at: %w", err)
	}
	return r, nil
}

// parseAt parses the pickup time of --at: now, a duration from now such as +2h, or an ISO 8601 date-time.
func parseAt(text string, now time.Time) (taxi.Time, error) {
	now = now.Truncate(time.Second)
	if text == "now" {
		return taxi.At(now), nil
	}
	if ahead, ok := strings.CutPrefix(text, "+"); ok {
		d, err := time.ParseDuration(ahead)
		if err != nil {
			return taxi.Time{}, fmt.Errorf("%q is not a duration such as +90m", text)
		}
		return taxi.At(now.Add(d)), nil
	}
	at, err := taxi.ParseTime(text)
	if err != nil {
		return taxi.Time{}, fmt.Errorf("want now, +DURATION such as +90m, or an ISO 8601 date-time such as 2026-11-21T10:30:00Z, not %q", text)
	}
	return at, nil
}

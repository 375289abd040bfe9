package serving

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/judging"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/conformance/thirdparty"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator/town"
)

const (
	demoSpeed     = 20 // a journey of a quarter of an hour in less than a minute
	headlessSpeed = 60
)

func newDemo(out cli.Outside) *cobra.Command {
	var flags systemFlags
	var headless bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Start everything, book a taxi, and show its life as it happens",
		Long: `Start a dispatch system on one loopback port, book a sample journey, and show its life as it
happens. It goes on serving afterwards, until Ctrl-C. With --headless it does one whole journey
at ×60 on any free port, judges itself, and ends.`,
		Example: `  cabrank demo
  cabrank demo --speed 100
  cabrank demo --headless`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if headless {
				headlessDefaults(cmd, &flags)
			}
			if status := flags.config.System.Status; status != taxi.SystemOK && status != taxi.SystemBusy {
				return cli.UsageError("the demo books a taxi, which --system %s refuses; 'cabrank serve' takes it", status)
			}
			s, err := flags.start(cmd.Context(), cmd, out)
			if err != nil {
				return err
			}
			flags.banner(out.Stdout, s)
			if err := flags.demonstrate(cmd.Context(), s, out, headless); err != nil {
				_ = s.stop() // the failure says more
				return err
			}
			if headless {
				return s.stop()
			}
			fmt.Fprintln(out.Stdout, "\nThat was one journey. The town goes on: book your own with the line above; Ctrl-C ends it.")
			return s.untilDone(cmd.Context())
		},
	}
	flags.add(cmd, demoSpeed, "off")
	cmd.Flags().BoolVar(&headless, "headless", false, "one journey, then the suite against itself, then exit")
	return cmd
}

// headlessDefaults gives --headless its own defaults where the user chose nothing.
func headlessDefaults(cmd *cobra.Command, f *systemFlags) {
	if !cmd.Flags().Changed("speed") {
		f.config.Speed = headlessSpeed
	}
	if !cmd.Flags().Changed("listen") {
		f.listen = "127.0.0.1:0"
	}
}

// demonstrate books a journey as a platform would and shows its life.
func (f *systemFlags) demonstrate(ctx context.Context, s *system, out cli.Outside, headless bool) error {
	w := out.Stdout
	credentials, err := taxi.ParseAuth(f.auth, cli.SecretFrom(out.Getenv))
	if err != nil {
		return cli.UsageError("--auth: %w", err)
	}
	auth := credentials.Auth()
	c, err := taxi.NewClient(s.url, taxi.ClientOptions{Auth: auth, UserAgent: "cabrank-demo"})
	if err != nil {
		return err
	}
	ref, err := bookSample(ctx, c, s.Town(), w)
	if err != nil {
		return err
	}
	watch := &calling.Timeline{W: w, Clock: s.World().Clock().Now, Pause: time.Minute}
	if err := calling.Follow(ctx, c, ref, 40*time.Millisecond, watch.Show); err != nil {
		return err
	}
	if !headless || ctx.Err() != nil {
		return ctx.Err()
	}
	fmt.Fprintln(w)
	verdicts, err := judging.Judge(ctx, thirdparty.Target{URL: s.url, Auth: auth, Now: cli.Now, Seed: uint64(cli.Now().UnixNano())},
		conformance.Scoring{}, &report.Terminal{W: w, Quiet: true})
	if err != nil {
		return err
	}
	if code := verdicts.ExitCode(); code != cli.ExitOK {
		return cli.Exit(code, nil)
	}
	return nil
}

// bookSample makes the calls of a platform whose caller wants a taxi now.
func bookSample(ctx context.Context, c taxi.Dispatcher, t *town.Town, w io.Writer) (taxi.JourneyRef, error) {
	config, err := c.Config(ctx, taxi.ConfigRequest{})
	if err != nil {
		return taxi.JourneyRef{}, fmt.Errorf("demo: %w", err)
	}
	user, err := c.User(ctx, taxi.UserRequest{PhoneNumber: calling.DemoCaller})
	if err != nil {
		return taxi.JourneyRef{}, fmt.Errorf("demo: %w", err)
	}
	from, to := sampleTrip(t)
	r := taxi.BookRequest{
		UserID: user.UserID, Name: user.Name, PhoneNumber: calling.DemoCaller,
		Pickup: &from, Dropoffs: []taxi.Address{to}, PickupTime: taxi.At(cli.Now().Truncate(time.Second)),
	}
	j, err := c.Book(ctx, r)
	if err != nil {
		return taxi.JourneyRef{}, fmt.Errorf("demo: %w", err)
	}
	fmt.Fprintf(w, "\nThe system is %s. %s books journey %s: %s → %s\n",
		config.Status, user.Name, j.JourneyID, r.Pickup.Address, r.Dropoffs[0].Address)
	return taxi.JourneyRef{UserID: user.UserID, JourneyID: j.JourneyID}, nil
}

// sampleTrip is a journey that somebody in a town may want: from the station to the
// hospital, or between whatever the town has instead. On an open plane, where there
// is no town, it is in the one of the fixtures.
func sampleTrip(t *town.Town) (from, to taxi.Address) {
	if t == nil {
		from, _ = calling.ParsePlace("station") // both are there
		to, _ = calling.ParsePlace("hospital")
		return from, to
	}
	out := int32(t.Size) * 150 // mm, three tenths of the way to the edge
	from = placeIn(t, town.XY{X: -out, Y: -out}, town.Station, town.Hotel, town.TownHall)
	to = placeIn(t, town.XY{X: out, Y: out}, town.Hospital, town.University, town.Airport)
	return from, to
}

// placeIn is a place of the first of some kinds that a town has, or the address
// nearest to a point.
func placeIn(t *town.Town, otherwise town.XY, kinds ...town.PlaceKind) taxi.Address {
	for _, kind := range kinds {
		if p, ok := t.PlaceOf(kind); ok {
			return t.Wire(p.Address)
		}
	}
	return t.Wire(t.Nearest(otherwise))
}

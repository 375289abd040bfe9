package serving

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/room"
)

// roomFlags are the flags for a room, whose guests on the local network have phones of their own.
type roomFlags struct {
	on     bool
	listen string
	lasts  time.Duration
	guests int
}

func (f *roomFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.BoolVar(&f.on, "room", false, "give everybody on the local network a phone: print a QR code, and serve the phones over https")
	fs.StringVar(&f.listen, "room-listen", "0.0.0.0:8443", "address of the room's phones; port 0 chooses a free port")
	fs.DurationVar(&f.lasts, "room-for", 2*time.Hour, "end the room after this time, 1m to 24h")
	fs.IntVar(&f.guests, "room-guests", 30, fmt.Sprintf("maximum number of phones, 1 to %d", room.MostGuests))
}

// check returns a usage error for values that are out of range, or for a room with --headless.
func (f *roomFlags) check(headless bool) error {
	switch {
	case !f.on:
		return nil
	case headless:
		return cli.UsageError("--room needs people: leave out --headless")
	case f.lasts < time.Minute || f.lasts > 24*time.Hour:
		return cli.UsageError("--room-for is %s, want 1m to 24h", f.lasts)
	case f.guests < 1 || f.guests > room.MostGuests:
		return cli.UsageError("--room-guests is %d, want 1 to %d", f.guests, room.MostGuests)
	}
	return nil
}

// openRoom serves the phones of a room, if --room is set. The room ends with the demo.
func (d *demonstration) openRoom(ctx context.Context) error {
	if !d.room.on {
		return nil
	}
	listener, err := cli.ListenAs(ctx, "--room-listen", d.room.listen)
	if err != nil {
		return err
	}
	var film http.Handler
	if d.system.console != nil {
		film = d.allowed(d.system.console)
	}
	served, err := room.Serve(room.Options{
		Platform: d.platform.Control(), World: d.allowed(d.system.control), Film: film, Now: cli.Now, Most: d.room.guests, Until: cli.Now().Add(d.room.lasts),
	}, listener, certificateFolder(), d.system.failed)
	if err != nil {
		_ = listener.Close() // the failure says more
		return cli.UsageError("--room: %w", err)
	}
	end := time.AfterFunc(d.room.lasts, served.End)
	d.system.finish = append(d.system.finish, func() error {
		end.Stop()
		served.End()
		return nil
	})
	if d.system.console != nil {
		d.system.console.Invite(served)
	}
	d.invited = served
	return nil
}

// certificateFolder returns the folder in which the certificate is stored, or "" if there is none.
func certificateFolder() string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "cabrank")
}

// allowed returns a handler that adds the token of the control API to requests and passes them to next.
func (d *demonstration) allowed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if token := d.system.open.token; token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		next.ServeHTTP(w, r)
	})
}

// invite prints how to join the room, if there is one.
func (d *demonstration) invite(w io.Writer, coloured bool) error {
	if d.invited == nil {
		return nil
	}
	fmt.Fprintf(w, "\nScan this code for a phone of your own (at most %d):\n\n", d.room.guests)
	if err := d.invited.Code().Print(w, coloured); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n  room             %s\n", d.invited.URL())
	fmt.Fprintf(w, "  The phone warns once, as nobody signed the certificate. Android: \"Advanced\", \"Proceed\". iPhone: \"Show Details\", \"visit this website\".\n")
	fmt.Fprintf(w, "  SHA-256          %s\n", d.invited.Fingerprint)
	if d.invited.Kept != nil {
		fmt.Fprintf(w, "  The certificate is good for this run only: %v\n", d.invited.Kept)
	}
	_, err := fmt.Fprintf(w, "  The room ends after %s, with Ctrl-C, or by its button on %slive?present\n", d.room.lasts, d.system.consoleURL())
	return err
}

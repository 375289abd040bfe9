// Package serving contains the commands that run the dispatch system and its world: serve
// and demo, and those for towns and samples.
package serving

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
	"github.com/cabrank/cabrank/simulator/control/journals"
	"github.com/cabrank/cabrank/simulator/town"
)

func newServe(out cli.Outside) *cobra.Command {
	var flags systemFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run a dispatch system with a simulated fleet",
		Long: `Run a dispatch system: the five operations, a database, and a simulated fleet.

Ctrl-C stops it after the current requests are complete and all bookings are on disk.
'cabrank samples --people' lists the users, and 'cabrank magic' the callers whose numbers select a fault.
The times, limits and prices are in cmd/cabrank/docs/world.md.`,
		Example: `  cabrank serve
  cabrank serve --db taxis.db --speed 60
  cabrank serve --db postgres://cabrank@db.example/cabrank --listen 0.0.0.0:8080 --replica-url http://10.0.0.5:8080
  cabrank serve --db env:MY_DATABASE --listen 0.0.0.0:8080 --control-token @token.txt   # secrets that no list of processes shows
  cabrank serve --listen 127.0.0.1:0 --url-file url --auth bearer:s3cret
  cabrank serve --listen 0.0.0.0:8080 --control-token env:MY_TOKEN
  cabrank serve --variation 2   # vary responses as much as the interface allows
  CABRANK_SERVE_SYSTEM=CLOSED cabrank serve`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flags.findDatabase(out); err != nil {
				return err
			}
			s, err := flags.start(cmd.Context(), cmd, out)
			if err != nil {
				return err
			}
			flags.banner(out.Stdout, s)
			if err := s.untilDone(cmd.Context(), out.Stdout); err != nil {
				return err
			}
			_, err = fmt.Fprintln(out.Stdout, s.goodbye())
			return err
		},
	}
	flags.add(cmd, usual{speed: 1, demand: "none", logging: "text"})
	return cmd
}

// judgedWithin is the time after which the server knows whether the machine keeps up with
// --speed.
const judgedWithin = 3 * time.Second

// untilDone serves until ctx ends or the server fails. It reports once if the clock runs
// slower than the banner says.
func (s *system) untilDone(ctx context.Context, w io.Writer) error {
	judged := time.NewTimer(judgedWithin)
	defer judged.Stop()
	for {
		select {
		case <-ctx.Done():
			return s.stop()
		case err := <-s.failed:
			_ = s.stop() // the first error explains more
			return fmt.Errorf("serving: %w", err)
		case <-judged.C:
			if clock := s.reading(); clock.Lives > 0 {
				fmt.Fprintf(w, "  clock            this machine reaches ×%d, not ×%d; see /version\n", clock.Lives, clock.Speed)
			}
		}
	}
}

// reading returns the state of the main world's clock, which is zero if another replica runs that world.
func (s *system) reading() simulator.Reading {
	if h := s.host(); h != nil {
		return h.World().Clock().Read()
	}
	return simulator.Reading{}
}

// goodbye returns the line that is printed when serving has ended.
func (s *system) goodbye() string {
	said := "stopped; every request was answered, and what was booked is on disk"
	if s.cut {
		said = "stopped; requests that were still being sent or read were cut off, and what was booked is on disk"
	}
	if lost := s.standing.String(); s.keeps && lost != "" {
		said += "; what was ordered for later is not: " + lost
	}
	return said
}

// banner prints the settings, the addresses and commands to try, in at most ten lines.
func (f *systemFlags) banner(w io.Writer, s *system) {
	f.headline(w, s)
	if at := f.publicConsoleURL(s); at != "" {
		fmt.Fprintf(w, "  console          %s\n", at)
	}
	fmt.Fprintf(w, "  credentials      %s\n", credentialsLine(s))
	fmt.Fprintf(w, "  contract         %s/openapi.yaml\n", s.url)
	s.open.print(w)
	fmt.Fprintf(w, "  database         %s\n", s.database)
	fmt.Fprintf(w, "  try              %s\n", tryLine(s.url, f.auth, s.town()))
	fmt.Fprintf(w, "  or               %s\n", f.commandsLine(s))
}

// commandsLine shows how to book and follow a taxi from another terminal.
func (f *systemFlags) commandsLine(s *system) string {
	where := urlFlag(s.url) + authFlag(f.auth)
	return fmt.Sprintf("cabrank book%s && cabrank status --follow%s", where, where)
}

// headline prints, in two lines, the settings and the address for platforms.
func (f *systemFlags) headline(w io.Writer, s *system) {
	h := s.host()
	if h == nil {
		fmt.Fprintf(w, "cabrank %s: another replica runs the main world\n", cli.Version())
		fmt.Fprintf(w, "  third_party_url  %s  (POST /config /user /book /cancel /status)\n", cmp.Or(f.publicURL, s.url))
		return
	}
	c := h.Config()
	fmt.Fprintf(w, "cabrank %s: %s, %d cars, behaviour %s, system %s, clock ×%d%s, seed %d, variation %d, faults %s\n",
		cli.Version(), townLine(s.town()), c.Cars, c.Behaviour, c.System.Status, c.Speed, ahead(s), c.Seed, c.Variation, s.control.Faults().Summary())
	fmt.Fprintf(w, "  third_party_url  %s  (POST /config /user /book /cancel /status)\n", cmp.Or(f.publicURL, s.url))
}

// town returns the town of the main world; nil: it has no streets, or another replica runs it.
func (s *system) town() *town.Town {
	if h := s.host(); h != nil {
		return h.Town()
	}
	return nil
}

// credentialsLine returns which credentials callers must send, and who can reach the server.
func credentialsLine(s *system) string {
	who := "only programs on this machine can call"
	if !s.local {
		who = "listens on " + s.address + ", where other machines can call"
	}
	return s.credentials.String() + "; " + who
}

// ahead returns in words how far the world's clock is ahead of the wall clock, or "" if that is less than a minute.
func ahead(s *system) string {
	by := s.reading().Now.Sub(cli.Now()).Round(time.Minute)
	if by < time.Minute {
		return ""
	}
	return fmt.Sprintf(" (%s ahead of the wall)", strings.TrimSuffix(by.String(), "0s"))
}

// tryLine returns a curl command that books a taxi for now. It does not contain the credentials.
func tryLine(url, auth string, t *town.Town) string {
	shown := ""
	switch style, rest, _ := strings.Cut(auth, ":"); style {
	case "bearer":
		shown = " -H 'Authorization: Bearer TOKEN'"
	case "basic":
		user, _, _ := strings.Cut(rest, ":")
		shown = " -u " + user
	case "header":
		name, _, _ := strings.Cut(rest, ":")
		shown = " -H '" + name + ": VALUE'"
	}
	from, to := sampleTrip(t)
	return fmt.Sprintf(`curl -s %s/book -H 'Content-Type: application/json'%s -d '{"name":"Ada","phoneNumber":"+%s",`+
		`"pickup":%s,"dropoffs":[%s],"pickupTime":"'$(date -u +%%FT%%TZ)'"}'`, url, shown, calling.DemoCaller, quoted(from.Address), quoted(to.Address))
}

// quoted returns an address as JSON for a shell's single quotes: St Brigid's has an
// apostrophe, and an imported map may contain any name.
func quoted(a taxi.Address) string {
	text, err := json.Marshal(a)
	if err != nil {
		return "null" // the coordinates of a town are always finite
	}
	return strings.ReplaceAll(cli.Printable(string(text)), "'", `'\''`)
}

// townLine returns the name of the town, the source of an imported map, and how many of its streets cars cannot reach.
func townLine(t *town.Town) string {
	if t == nil {
		return "an open plane"
	}
	line := t.Name
	if t.Attribution != "" {
		line += " (" + t.Attribution + ")"
	}
	if t.LeftOut > 0 {
		line += fmt.Sprintf(", without %d streets that are not connected", t.LeftOut)
	}
	return cli.Printable(line)
}

// authFlag returns the --auth flag for callers of this server, or "" if none is needed. It does not contain the
// credentials.
func authFlag(auth string) string {
	style, rest, _ := strings.Cut(auth, ":")
	name, secret, _ := strings.Cut(rest, ":")
	switch {
	case style == "none" || style == "":
		return ""
	case strings.HasPrefix(rest, "@") || strings.HasPrefix(rest, "env:"):
		return " --auth " + quote(auth)
	case style == "bearer":
		return " --auth bearer:TOKEN"
	case strings.HasPrefix(secret, "@") || strings.HasPrefix(secret, "env:"):
		return " --auth " + quote(auth)
	case style == "basic":
		return " --auth " + quote("basic:"+name+":PASSWORD")
	}
	return " --auth " + quote("header:"+name+":VALUE")
}

// quote puts a word into single quotes for a shell, if it needs them.
func quote(word string) string {
	if !strings.ContainsFunc(word, func(r rune) bool { return !strings.ContainsRune(plain, r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(cli.Printable(word), "'", `'\''`) + "'"
}

// plain lists the characters that have no special meaning in a shell.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@"

func urlFlag(url string) string {
	if url == calling.DefaultURL {
		return ""
	}
	return " --url " + url
}

// Commands returns the commands.
func Commands(out cli.Outside) []*cobra.Command {
	return []*cobra.Command{
		newServe(out), newDemo(out), newReady(out),
		newTown(out), newSamples(out),
	}
}

// ballastBytes is the size of a block of memory that a server allocates and never
// touches. The garbage collector runs when the heap has doubled: with a heap of a few
// megabytes that would be 20 times a second under load. With the ballast it runs some
// tens of megabytes later. Memory that is not touched is not resident.
const ballastBytes = 32 << 20

// newBallast returns the ballast, or nil if the program's memory is limited (GOMEMLIMIT),
// since the ballast would count against the limit.
func newBallast() []byte {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return nil
	}
	return make([]byte, ballastBytes)
}

// journalFlags are the flags of the journal of requests.
type journalFlags struct {
	off  bool
	keep bool // in the records of the worlds
}

func (f *journalFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.off, "no-journal", false, "keep no journal: requests are neither recorded nor judged")
	fs.BoolVar(&f.keep, "keep-journal", false, "keep the journal over a restart, in the database of --db, which then contains the requests as they were sent, without credentials")
}

// newJournals returns the journals of the worlds, or nil with --no-journal.
func (f *journalFlags) newJournals(log *slog.Logger) (*journals.Journals, error) {
	switch {
	case f.off && f.keep:
		return nil, cli.UsageError("--keep-journal: --no-journal keeps none")
	case f.off:
		return nil, nil
	}
	return journals.New(journals.Options{Keep: f.keep, Now: cli.Now, Version: cli.Version(), Log: log}), nil
}

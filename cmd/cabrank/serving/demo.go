package serving

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/cmd/cabrank/judging"
	"github.com/cabrank/cabrank/cmd/cabrank/phoning"
	"github.com/cabrank/cabrank/cmd/cabrank/room"
	"github.com/cabrank/cabrank/conformance"
	"github.com/cabrank/cabrank/conformance/report"
	"github.com/cabrank/cabrank/dispatch/taxi"
	"github.com/cabrank/cabrank/simulator"
)

const (
	demoSpeed     = 20   // a journey of fifteen minutes takes less than one
	headlessSpeed = 1000 // nobody watches: a journey takes a second
	headlessTalk  = 60   // calls run against the real voice platform, whose lines use the wall clock
)

// demoFlags are the flags that a demo has in common with 'cabrank serve'. All other flags of 'serve' have their
// defaults.
var demoFlags = []string{
	"auth", "behaviour", "ca-out", "cars", "config-data", "control-token", "db", "demand", "faults", "listen", "log", "no-console",
	"seed", "speed", "system", "tls", "town", "url-file", "variation",
}

// demonstration runs a dispatch system and a voice platform, and prints a call and its
// journey.
type demonstration struct {
	systemFlags

	platformListen string
	sound          phoning.Sound
	headless       bool
	noOpen         bool
	story          bool
	room           roomFlags
	sip            string

	out      cli.Outside
	system   *system
	platform *phoning.Running
	invited  *room.Served // nil: there is no room
	talk     conversation
	pace     *pace
	doors    *doors
}

func newDemo(out cli.Outside) *cobra.Command { return (&demonstration{out: out}).command() }

func (d *demonstration) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Start everything, book a taxi by phone, and show the journey",
		Long: `Start a dispatch system and a voice platform on loopback ports. A simulated caller calls the taxi number and
books a taxi. The terminal shows the call, the requests that it causes, and the journey. In a terminal with a
display, the console opens in a browser; there you can call the taxi number yourself. During a call the
world's clock runs in real time.

With --room, everybody on the local network who scans the QR code has a phone of their own, and nothing else. Other
machines reach only these phones. The servers run until Ctrl-C. With --sip, telephones of this machine call
the taxi number, and their calls are on the map. With --headless, the command runs one journey at ×1000 on a free port, runs the
conformance suite, and exits.`,
		Example: `  cabrank demo
  cabrank demo --speed 100
  cabrank demo --no-open
  cabrank demo --story
  cabrank demo --room
  cabrank demo --sip 127.0.0.1:5060
  cabrank demo --headless`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return d.run(cmd) },
	}
	system := &cobra.Command{}
	d.add(system, usual{speed: demoSpeed, demand: "quiet", logging: "off"})
	for _, name := range demoFlags {
		cmd.Flags().AddFlag(system.Flags().Lookup(name))
	}
	cmd.Flags().StringVar(&d.platformListen, "platform-listen", "127.0.0.1:0", "address of the voice platform; port 0 chooses a free port")
	d.sound.Add(cmd.Flags())
	cmd.Flags().BoolVar(&d.noOpen, "no-open", false, "do not open a browser; the console's address is printed anyway")
	cmd.Flags().BoolVar(&d.story, "story", false, "show six scenes in the console, each with a sentence to say, instead of a simulated call; Space shows the next scene")
	cmd.Flags().StringVar(&d.sip, "sip", "", "let telephone programs of this machine call by SIP at this address, such as 127.0.0.1:5060, and print what to type into one")
	d.room.add(cmd)
	cmd.Flags().BoolVar(&d.headless, "headless", false, "run one journey and the conformance suite, then exit")
	return cmd
}

func (d *demonstration) run(cmd *cobra.Command) error {
	ctx := cmd.Context()
	if d.story && (d.headless || d.console.off) {
		return cli.UsageError("--story needs the console: leave out --headless and --no-console")
	}
	if d.sip != "" && d.headless {
		return cli.UsageError("--sip needs somebody who calls: leave out --headless")
	}
	if err := d.findOwnDatabase(d.out); err != nil {
		return err
	}
	if err := d.room.check(d.headless); err != nil {
		return err
	}
	if d.headless {
		headlessDefaults(cmd, &d.systemFlags)
	}
	if status := d.config.System.Status; status != taxi.SystemOK && status != taxi.SystemBusy {
		return cli.UsageError("the demo books a taxi, which --system %s refuses; use 'cabrank serve'", status)
	}
	if err := d.begin(ctx, cmd); err != nil {
		return err
	}
	if at := d.system.consoleURL(); at != "" && !d.headless {
		if d.story {
			at += storyAddress
		}
		fmt.Fprintf(d.out.Stdout, "Open %s in a browser.\n", at)
		openBrowser(ctx, d.opens(runtime.GOOS, cli.IsTerminal(d.out.Stdout)), at)
	}
	d.headline(d.out.Stdout, d.system)
	fmt.Fprintf(d.out.Stdout, "  voice platform   %s  (OpenAPI: /openapi/rest.yaml)\n", d.platform.URL)
	if d.system.open.token != "" || d.system.open.listener != nil {
		d.system.open.print(d.out.Stdout)
	}
	coloured, err := cli.Coloured(cmd, d.out, d.out.Stdout)
	if err != nil {
		return errors.Join(err, d.system.stop())
	}
	if err := errors.Join(d.platform.AddPhone(ctx, d.out.Stdout, softphone), d.invite(d.out.Stdout, coloured)); err != nil {
		return errors.Join(err, d.system.stop())
	}
	if d.story {
		return d.runStory(ctx)
	}
	err = d.show(ctx, cmd)
	d.talk.fold()
	switch {
	case ctx.Err() != nil && !d.headless:
		return d.end(d.system.stop())
	case err != nil && d.headless:
		_ = d.system.stop() // the failure says more
		return err
	case d.headless:
		return d.system.stop()
	case err != nil: // somebody may still be looking at the console
		fmt.Fprintf(d.out.Stdout, "\ncabrank: %v\n", err)
	default:
		fmt.Fprint(d.out.Stdout, "\nThat was one journey.\n")
	}
	fmt.Fprintf(d.out.Stdout, "The servers keep running until Ctrl-C. Call the taxi number in another terminal, and see the requests here:\n"+
		"  cabrank call taxi --from %s --platform %s\nOr book without a telephone:\n  %s\n", otherCaller, d.platform.URL, d.commandsLine(d.system))
	return d.end(d.system.untilDone(ctx, d.out.Stdout))
}

// storyAddress is the page with the scenes, relative to the console's address.
const storyAddress = "live?present&story"

// runStory runs the world for the story; the page in the browser shows it.
func (d *demonstration) runStory(ctx context.Context) error {
	d.keep(ctx)
	fmt.Fprint(d.out.Stdout, "The story is in the browser: Space shows the next scene. Ctrl-C ends it.\n")
	return d.end(d.system.untilDone(ctx, d.out.Stdout))
}

// opens returns the command that opens the console in a browser, or nil.
func (d *demonstration) opens(system string, terminal bool) []string {
	if d.headless || d.noOpen {
		return nil
	}
	return browserCommand(system, terminal, d.out.Getenv)
}

// end prints the last line of the demo, unless err is an error. Ctrl-C is none: it ends a demo at any time.
func (d *demonstration) end(err error) error {
	if err == nil {
		_, err = fmt.Fprintf(d.out.Stdout, "\n%s\n", d.system.goodbye())
	}
	return err
}

// otherCaller is the number of a user of the dispatch system who has no booking.
const otherCaller = "442079460020"

// softphone is the number of the user who calls from the telephone of --sip.
const softphone = "442079460001"

// headlessDefaults sets the defaults of --headless for flags that the user did not set.
func headlessDefaults(cmd *cobra.Command, f *systemFlags) {
	if !cmd.Flags().Changed("speed") {
		f.config.Speed = headlessSpeed
	}
	if !cmd.Flags().Changed("demand") {
		f.config.Demand = "none"
	}
	if !cmd.Flags().Changed("listen") {
		f.listen = "127.0.0.1:0"
	}
}

// begin starts the dispatch system and the voice platform that uses it.
func (d *demonstration) begin(ctx context.Context, cmd *cobra.Command) (err error) {
	d.talk.w, d.people = d.out.Stdout, newcomers()
	d.doors = &doors{patience: atTheDoor, booked: map[taxi.JourneyID]bool{}}
	d.overheard = func(e exchange) {
		d.talk.called(e)
		d.doors.called(e)
	}
	d.console.platformComes = true
	lively := !d.headless && d.db == "" && d.config.Town != "none" // an existing database has its own bookings
	if lively {
		d.config.Start = new(cli.Now().Add(-lifeTrips * lifeApart)) // liven starts at this time and ends at the wall clock's
	}
	if !d.headless && d.config.Callers == "" {
		d.config.Callers = simulator.CallersByEither // times come from this platform and from programs that do not know the world's clock
	}
	if d.system, err = d.start(ctx, cmd, d.out); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.system.stop())
		}
	}()
	if lively {
		if err := d.liven(ctx); err != nil {
			return err
		}
	}
	d.doors.system = d.system
	d.pace = newPace(int(d.lineSpeed()), func() int { return d.system.host().World().Clock().Read().Speed }, d.setSpeed)
	from, to := sampleTrip(d.system.host().Town())
	d.platform, err = phoning.Beside{
		Listen: d.platformListen, Speed: d.lineSpeed(), ThirdParty: d.system.url, Credentials: d.system.credentials, Live: d.live, Callers: d.callersClock(),
		Places: callersPlaces(d.system.host().Town(), from, to), Sound: d.sound, SIP: d.sip, ControlToken: d.system.open.token, Log: slog.New(slog.DiscardHandler), Failed: d.system.failed,
	}.Run(ctx)
	if err != nil {
		return err
	}
	d.system.finish = append(d.system.finish, d.platform.Close)
	if d.system.console != nil {
		d.system.console.Connect(d.platform.Control())
	}
	return d.openRoom(ctx)
}

// keep slows the world down for people until ctx ends: its clock during calls, and taxis that are at the door.
func (d *demonstration) keep(ctx context.Context) {
	go d.pace.keep(ctx) // until ctx ends
	d.doors.keep(ctx)
}

// live passes on the number of calls that are up. It does not block.
func (d *demonstration) live(calls int) {
	d.pace.live(calls)
	d.doors.live(calls)
}

// lineSpeed returns the speed of the conversation: slow enough to read, or fast if nobody reads it.
func (d *demonstration) lineSpeed() float64 {
	if d.headless {
		return float64(min(d.config.Speed, headlessTalk))
	}
	return 1
}

// callersClock returns the world's clock, by which callers name times; nil: they use the wall clock.
func (d *demonstration) callersClock() func() time.Time {
	clock := d.system.host().World().Clock()
	if clock.Read().Callers == simulator.CallersByWall {
		return nil
	}
	return func() time.Time { return d.system.host().World().Clock().Now() } // read each time, since restoring a snapshot replaces the world
}

// setSpeed changes the speed of the world's clock, and publishes that as an event of the world.
func (d *demonstration) setSpeed(speed int) error {
	if err := d.system.host().World().Clock().SetSpeed(speed); err != nil {
		return err
	}
	d.system.control.ClockSet()
	return nil
}

// inside returns the dispatch system without the network, so that the demo's own requests do not appear among those of
// the voice platform.
func (d *demonstration) inside() taxi.Dispatcher { return d.system.host().World().Service() }

// show books a taxi by phone and prints its journey. With --headless it then runs the conformance suite.
func (d *demonstration) show(ctx context.Context, cmd *cobra.Command) error {
	w := d.out.Stdout
	coloured, err := cli.Coloured(cmd, d.out, w)
	if err != nil {
		return err
	}
	d.talk.colour(coloured)
	clock := d.system.host().World().Clock()
	if err := d.setSpeed(int(d.lineSpeed())); err != nil { // so that the taxi does not come before the caller has hung up
		return err
	}
	ref, err := d.book(ctx)
	if faster := d.setSpeed(d.config.Speed); faster != nil {
		return errors.Join(err, faster)
	}
	d.doors.robot(ref.JourneyID)
	if !d.headless {
		d.keep(ctx)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nFrom here on the world's clock runs ×%d:\n", d.config.Speed)
	watch := &calling.Timeline{W: w, Clock: clock.Now, Pause: time.Minute, Coloured: coloured, Where: whereIn(d.system.host().Town())}
	if cli.IsTerminal(w) && d.logging == "off" { // no other output can come in between
		watch.InPlace, watch.Pause = true, 2*time.Second
	}
	every := max(2*time.Millisecond, min(40*time.Millisecond, 2*time.Second/time.Duration(d.config.Speed))) // two seconds of the world's time, at most 40 ms
	if err := calling.Follow(ctx, d.inside(), ref, every, watch.Show); err != nil {
		return err
	}
	if !d.headless || ctx.Err() != nil {
		return ctx.Err()
	}
	fmt.Fprintln(w)
	if err := d.setSpeed(1); err != nil { // or a car would seem to move at the speed of sound
		return err
	}
	verdicts, err := judging.Judge(ctx, d.system.target(), conformance.Scoring{}, &report.Terminal{W: w, Quiet: true})
	if err != nil {
		return err
	}
	if code := verdicts.ExitCode(); code != cli.ExitOK {
		return cli.Exit(code, nil)
	}
	return nil
}

// browserCommand returns the command that opens an address in a browser, without the
// address. It is nil if there is no display, or if the output is not a terminal.
func browserCommand(system string, terminal bool, getenv func(string) string) []string {
	if !terminal || getenv("CI") != "" {
		return nil
	}
	switch system {
	case "darwin":
		return []string{"open"}
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
		return nil
	}
	return []string{"xdg-open"}
}

// openBrowser runs a command with an address as its last argument, and does not wait for it. It does nothing if the
// command is empty, and ignores errors: the address has been printed.
func openBrowser(ctx context.Context, command []string, address string) {
	if len(command) == 0 {
		return
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), command[0], append(command[1:len(command):len(command)], address)...)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }() // the result does not matter here
	}
}

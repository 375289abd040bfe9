package phoning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/platform/calls"
	"github.com/cabrank/cabrank/simulator/platform/phones"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
	"github.com/cabrank/cabrank/simulator/platform/voice"
)

// callFlags are the flags of 'cabrank call'.
type callFlags struct {
	client

	from, as, account, script string
	asJSON, jsonLines         bool
	patience                  time.Duration
}

func newCall(out cli.Outside) *cobra.Command {
	var flags callFlags
	cmd := &cobra.Command{
		Use:   "call [NUMBER|taxi]",
		Short: "A phone in the terminal: call a number, or wait for a call",
		Long: `Call a number of a running platform, or with --as wait for a call as an extension. The word taxi stands for
the number that books taxis.

During the call, type digits, * and # to press keys, words to speak them, "answer" to answer, and "hangup" or
Ctrl-C to hang up.

A script is a JSON file with an array of steps, each with one key: {"expect":"text"}, {"press":"1#"},
{"say":"the station"}, {"wait":"2s"}, {"hangup":true}. If an expected text is not spoken within 30 seconds of the
call's clock, the exit code is 1.

With --json-lines, a program can be the caller. Each event is printed as one JSON object per line:
  {"atMs":0,"party":"platform","kind":"say","text":"Where to?"}
party is platform, caller or callee. kind is say, speech, press, ring, answer, bridge or hangup. When the
platform waits for an answer, the event is
  {"atMs":900,"party":"platform","kind":"listens","asks":["dropoff"],"frame":{"pickup":{"name":"Town Hall",...}}}
asks is the question: pickup, dropoff, time, name, people, which, confirm or menu. frame is what the platform has
understood so far: pickup and dropoffs with name, formatted and location, pickupTime (RFC 3339), now, name, people,
category, and the journeyId of a booking that is being edited. Each time the platform listens, one line of input is
read and spoken. The end of the input hangs up. After the call, the exit code is 0.`,
		Example: `  cabrank call taxi --from 442079460001
  cabrank call 441632960101 --from 442079460001
  cabrank call 441632960101 --from 442079460001 --script book.json --json
  cabrank call taxi --from 442079460001 --json-lines
  cabrank call --as 201`,
		Args: cli.AtMostOne,
		RunE: func(cmd *cobra.Command, args []string) error { return flags.run(cmd, out, args) },
	}
	fs := cmd.Flags()
	flags.add(fs)
	fs.StringVar(&flags.from, "from", calling.DemoCaller, "number to call from; anonymous withholds the number")
	fs.StringVar(&flags.as, "as", "", "wait for a call as this extension instead of calling")
	fs.StringVar(&flags.account, "account", "", "id or name of the account for --as and taxi (default: the first)")
	fs.StringVar(&flags.script, "script", "", "file with the caller's actions")
	fs.DurationVar(&flags.patience, "patience", 30*time.Second, "hang up after this time without input and speech")
	fs.BoolVar(&flags.jsonLines, "json-lines", false, "print each event as one JSON object per line, and speak a line of input each time the platform listens")
	fs.BoolVar(&flags.asJSON, "json", false, "print only the whole call, as JSON, when it is over")
	return cmd
}

// calledTaxi stands for the number that the taxi plugin answers.
const calledTaxi = "taxi"

// newPhone is the request for a phone.
type newPhone struct {
	From      string          `json:"from,omitempty"`
	To        string          `json:"to,omitempty"`
	Extension string          `json:"extension,omitempty"`
	Account   string          `json:"account,omitempty"`
	Script    json.RawMessage `json:"script,omitempty"`
}

func (f *callFlags) run(cmd *cobra.Command, out cli.Outside, args []string) error {
	ask := newPhone{From: f.from, Extension: f.as, Account: f.account}
	switch {
	case len(args) == 1 && f.as == "":
		if ask.To = args[0]; ask.To != calledTaxi && !strings.ContainsAny(ask.To, "0123456789") {
			return cli.UsageError("%q is neither a number to call nor the word %s%s", ask.To, calledTaxi, cli.Meant(ask.To, []string{calledTaxi}))
		}
	case len(args) == 0 && f.as != "" && !cmd.Flags().Changed("from"):
		ask.From = ""
	default:
		return cli.UsageError("want a number to call, or --as EXTENSION to wait for a call")
	}
	if f.jsonLines && (f.asJSON || f.script != "" || f.as != "") {
		return cli.UsageError("--json-lines goes with none of --json, --script and --as")
	}
	if f.script != "" {
		text, err := cli.ReadText(f.script)
		if err != nil {
			return cli.UsageError("--script: %w", err)
		}
		if !json.Valid(text) {
			return cli.UsageError("--script: %s is not JSON", f.script)
		}
		ask.Script = text
	}
	if err := f.connect(); err != nil {
		return err
	}
	var view simapi.PhoneView
	if err := f.begin(cmd.Context(), "call", "/sim/v1/phones", ask, &view); err != nil {
		return err
	}
	p := &phone{callFlags: f, id: view.ID, out: out}
	if f.jsonLines {
		talker := &lineTalker{phone: p, printed: json.NewEncoder(p.out.Stdout), listens: make(chan struct{}, 1), bridged: make(chan struct{}, 1)}
		return talker.run(cmd.Context(), cmd.InOrStdin())
	}
	if f.script == "" {
		go func() { // ends with ctx, or with the input: reading from a terminal cannot be interrupted
			p.listen(cmd.Context(), cmd.InOrStdin())
			if f.as == "" {
				p.waitForSilence(cmd.Context())
			}
		}()
	}
	view, err := p.follow(cmd.Context())
	if err != nil {
		p.hangUp()
		return err
	}
	return p.report(view)
}

// report prints how the call ended. It returns an error if the script did not reach its end.
func (p *phone) report(view simapi.PhoneView) error {
	if p.asJSON {
		if err := cli.PrintJSON(p.out.Stdout, summary(view)); err != nil {
			return err
		}
	} else {
		p.ending(view)
	}
	if view.Script != "" && view.Script != "done" {
		return cli.Exit(cli.ExitFindings, errors.New("the script: "+view.Script))
	}
	return nil
}

// callSummary is a call as --json prints it.
type callSummary struct {
	CallID     string       `json:"callId"`
	From       string       `json:"from"`
	To         string       `json:"to"`
	Status     voice.State  `json:"status"`
	Cause      int          `json:"cause"` // Q.850
	DurationMs int64        `json:"durationMs"`
	Transcript []voice.Line `json:"transcript"`
}

func summary(view simapi.PhoneView) callSummary {
	s := callSummary{CallID: view.CallID, From: view.From, To: view.To, Transcript: view.Transcript}
	if c := view.Call; c != nil {
		s.From, s.To, s.Status, s.Cause, s.DurationMs, s.Transcript = c.From, c.To, c.Status, c.Cause, c.DurationMs, c.Transcript
	}
	s.Transcript = slices.Clone(s.Transcript)
	for i := range s.Transcript {
		s.Transcript[i].Leg = 0 // the party is enough
	}
	return s
}

// follow prints the transcript line by line until the call is over.
func (p *phone) follow(ctx context.Context) (view simapi.PhoneView, err error) {
	shown, version, status := 0, -1, phones.Status("")
	for {
		if view, err = p.view(ctx, shown, version); err != nil {
			return view, err
		}
		if view.Status != status {
			p.status(view)
		}
		for _, line := range view.Transcript {
			p.line(line)
		}
		shown, version, status = shown+len(view.Transcript), view.Version, view.Status
		if over(view) {
			return p.whole(ctx)
		}
	}
}

// view reads the phone with its transcript from line from on, once the view is newer than
// version.
func (p *phone) view(ctx context.Context, from, version int) (view simapi.PhoneView, err error) {
	query := url.Values{"from": {fmt.Sprint(from)}, "version": {fmt.Sprint(version)}}
	err = p.do(ctx, http.MethodGet, p.path()+"?"+query.Encode(), nil, &view)
	return view, err
}

// over reports whether the view is final: the phone has hung up, its script is complete,
// and its call has ended. A call that continues without a phone that was called is not
// waited for.
func over(view simapi.PhoneView) bool {
	return view.Status == phones.Over && view.Script != "running" && (view.Call != nil || view.CallID == "" || view.Dialled)
}

// whole returns the phone with its whole transcript, and with the state of its call even if that continues.
func (p *phone) whole(ctx context.Context) (view simapi.PhoneView, err error) {
	if err := p.do(ctx, http.MethodGet, p.path(), nil, &view); err != nil || view.Call != nil || view.CallID == "" {
		return view, err
	}
	var call calls.View
	if err := p.do(ctx, http.MethodGet, "/sim/v1/calls/"+url.PathEscape(view.CallID), nil, &call); err == nil {
		call = endedForPhone(call, view.Transcript)
		view.Call = &call
	}
	return view, nil // a platform that was reset does not know the call any more
}

// endedForPhone returns a call as it ended for a phone that hung up: the call itself may continue.
func endedForPhone(c calls.View, heard []voice.Line) calls.View {
	if c.Status.Final() {
		return c
	}
	c.Status, c.Cause = voice.StateCanceled, voice.CauseCanceled.Q850
	if slices.ContainsFunc(heard, func(l voice.Line) bool { return l.Kind == voice.LineAnswer || l.Kind == voice.LineBridge }) {
		c.Status, c.Cause = voice.StateCompleted, voice.CauseNormal.Q850
	}
	return c
}

// hangUp hangs up for a user who stops the command.
func (p *phone) hangUp() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_ = p.act(ctx, phoneAct{Hangup: true}) // an error cannot be reported any more
}

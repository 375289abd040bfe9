package phoning

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/dispatch/inbound"
	"github.com/cabrank/cabrank/simulator/platform/booking/chat"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
)

// chatFlags are the flags of 'cabrank chat'.
type chatFlags struct {
	client

	from, account, script string
	asJSON                bool
}

func newChat(out cli.Outside) *cobra.Command {
	var flags chatFlags
	cmd := &cobra.Command{
		Use:   "chat",
		Short: "A chat in the terminal: book taxis by text on a platform",
		Long: `Chat with the taxi plugin of a running platform as the user of a phone number. Type words to send them, and
the number of a button to press it. Ctrl-C, or the end of the input, ends the chat.

A script is a JSON file with an array of steps, each with one key: {"expect":"text"}, {"write":"a taxi"},
{"press":"cancel"}, {"wait":"2s"}. A button is given by its id or its label. If an expected text does not
arrive within 30 seconds, the exit code is 1.`,
		Example: `  cabrank chat --from 442079460030
  cabrank chat --from 442079460030 --script book.json --json`,
		Args: cli.ExactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error { return flags.run(cmd, out) },
	}
	fs := cmd.Flags()
	flags.add(fs)
	fs.StringVar(&flags.from, "from", calling.DemoCaller, "phone number of the user")
	fs.StringVar(&flags.account, "account", "", "id or name of the account (default: the first)")
	fs.StringVar(&flags.script, "script", "", "file with the user's actions")
	fs.BoolVar(&flags.asJSON, "json", false, "print only the messages, as JSON, when the chat is over")
	return cmd
}

// newThread is the request for a chat.
type newThread struct {
	From    string `json:"from"`
	Account string `json:"account,omitempty"`
}

func (f *chatFlags) run(cmd *cobra.Command, out cli.Outside) error {
	if f.from == "" {
		return cli.UsageError("--from is empty: want the phone number of the user, such as 442079460030")
	}
	var script chatScript
	if f.script != "" {
		text, err := cli.ReadText(f.script)
		if err != nil {
			return cli.UsageError("--script: %w", err)
		}
		if script, err = parseChatScript(text); err != nil {
			return cli.UsageError("--script: %s: %w", f.script, err)
		}
	}
	if err := f.connect(); err != nil {
		return err
	}
	ctx := cmd.Context()
	var view simapi.ChatView
	if err := f.begin(ctx, "chat", "/sim/v1/chats", newThread{f.from, f.account}, &view); err != nil {
		return err
	}
	t := &thread{chatFlags: f, id: view.ID, out: out}
	defer t.end()
	var err error
	if f.script != "" {
		err = t.play(ctx, script)
	} else {
		err = t.typed(ctx, cmd.InOrStdin())
	}
	if f.asJSON {
		if t.messages == nil {
			t.messages = []chat.Message{}
		}
		if err := cli.PrintJSON(out.Stdout, t.messages); err != nil {
			return err
		}
	}
	return err
}

// chatScript lists the user's actions in a chat.
type chatScript []chatStep

// chatStep is one action of a chat script; exactly one of its members is set.
type chatStep struct {
	Expect *string `json:"expect"`
	Write  *string `json:"write"`
	Press  *string `json:"press"`
	Wait   *string `json:"wait"`

	wait time.Duration
}

// Limits of a script.
const (
	mostChatSteps = 500
	longestPause  = time.Hour
	chatPatience  = 30 * time.Second
)

// parseChatScript parses a script. Its error names the invalid step.
func parseChatScript(text []byte) (chatScript, error) {
	var script chatScript
	if err := (inbound.Reading{Known: true}).Decode(text, &script); err != nil {
		return nil, fmt.Errorf("want an array of steps: %w", err)
	}
	if len(script) > mostChatSteps {
		return nil, fmt.Errorf("it has more than %d steps", mostChatSteps)
	}
	for i := range script {
		if err := script[i].check(); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return script, nil
}

func (s *chatStep) check() error {
	given := 0
	for _, member := range []*string{s.Expect, s.Write, s.Press, s.Wait} {
		if member != nil {
			given++
			if strings.TrimSpace(*member) == "" {
				return errors.New("it is empty")
			}
		}
	}
	if given != 1 {
		return errors.New("it must have exactly one of expect, write, press and wait")
	}
	if s.Wait == nil {
		return nil
	}
	var err error
	if s.wait, err = time.ParseDuration(*s.Wait); err != nil || s.wait < 0 || s.wait > longestPause {
		return fmt.Errorf("a wait is 0s to %s", longestPause)
	}
	return nil
}

// play performs the steps of a script.
func (t *thread) play(ctx context.Context, script chatScript) error {
	heard := 0 // messages that an expect step has matched already
	for i, s := range script {
		var err error
		switch {
		case s.Expect != nil:
			heard, err = t.expect(ctx, *s.Expect, heard)
		case s.Write != nil:
			err = t.act(ctx, chatAct{Text: *s.Write})
		case s.Press != nil:
			id, ok := t.button(*s.Press)
			if !ok {
				err = cli.Exit(cli.ExitFindings, fmt.Errorf("there is no button %q", *s.Press))
				break
			}
			err = t.act(ctx, chatAct{Press: id})
		default:
			err = t.pause(ctx, s.wait)
		}
		if err != nil {
			return fmt.Errorf("step %d of the script: %w", i+1, err)
		}
	}
	return nil
}

// expect waits for a text in the firm's messages from index from on, and returns the index after that message.
func (t *thread) expect(ctx context.Context, text string, from int) (int, error) {
	waiting, cancel := context.WithTimeout(ctx, chatPatience)
	defer cancel()
	for {
		for i, m := range t.messages[from:] {
			if m.From == chat.Firm && strings.Contains(plainText(m.Text), plainText(text)) {
				return from + i + 1, nil
			}
		}
		if err := t.read(waiting, true); err != nil {
			if ctx.Err() == nil && waiting.Err() != nil {
				err = cli.Exit(cli.ExitFindings, fmt.Errorf("%q did not arrive within %s", text, chatPatience))
			}
			return from, err
		}
	}
}

func plainText(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// pause waits for d, and prints the messages that arrive meanwhile.
func (t *thread) pause(ctx context.Context, d time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	for waiting.Err() == nil {
		if err := t.read(waiting, true); err != nil && waiting.Err() == nil {
			return err
		}
	}
	return ctx.Err()
}

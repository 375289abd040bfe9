package phoning

import (
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/calling"
	"github.com/cabrank/cabrank/cmd/cabrank/cli"
	"github.com/cabrank/cabrank/simulator/platform/booking/chat"
	"github.com/cabrank/cabrank/simulator/platform/simapi"
)

// chatFlags describe a chat.
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

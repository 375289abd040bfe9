// Package phoning contains the commands of the voice platform: platform, which serves it,
// call, a phone in the terminal, chat, a chat in the terminal, and voice, which tries the
// programs that speak and recognise speech.
package phoning

import (
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// defaultURL is the default address of a platform.
const defaultURL = "http://127.0.0.1:8090"

// Commands returns the commands.
func Commands(out cli.Outside) []*cobra.Command {
	return []*cobra.Command{newPlatform(out), newCall(out), newChat(out), newVoice(out)}
}

// Package calling contains the commands that call any dispatch system as a platform
// would: book, cancel, status and user.
package calling

import (
	"github.com/spf13/cobra"

	"github.com/cabrank/cabrank/cmd/cabrank/cli"
)

// Commands returns the commands.
func Commands(out cli.Outside) []*cobra.Command {
	return []*cobra.Command{newBook(out), newStatus(out), newCancel(out), newUser(out)}
}
